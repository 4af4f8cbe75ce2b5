internal import Glibc
internal import LinuxIO

/// A connection to a service, for a program that waits for the answers.
public struct Client: ~Copyable {
  /// Of one reply. No service sends as much; what does is none.
  private static let replyLimit = 1 << 28

  private let stream: UnixStream
  private let timeout: Duration
  private var input = InputBuffer(limit: Client.replyLimit)
  private var scratch = [UInt8](repeating: 0, count: 65_536)

  /// Connects.
  /// - Parameters:
  ///   - path: of the socket.
  ///   - timeout: how long connecting, sending a call, and the answer to one may take.
  public init(path: String, timeout: Duration = .seconds(10)) throws(ClientError) {
    do throws(SystemError) {
      stream = try UnixStream(connectingTo: path, within: timeout.microseconds)
    } catch {
      // The daemon accepts nobody, and its queue is full.
      throw error.code == EAGAIN ? .timedOut : .system(error)
    }
    self.timeout = timeout
  }

  /// Calls a method that has one reply.
  public mutating func call<P: Encodable, R: Decodable>(
    _ method: String, _ parameters: P, as type: R.Type = R.self
  ) throws(ClientError) -> R {
    try start(method, parameters, more: false)
    guard let answer = try receive(as: type, within: timeout) else { throw .timedOut }
    guard !answer.continues else {
      throw .malformed("a reply that continues, although only one was asked for")
    }
    return answer.reply
  }

  /// Sends a call whose replies `receive` takes, in the order of the calls.
  /// - Parameter more: there may be several.
  public mutating func start(
    _ method: String, _ parameters: some Encodable, more: Bool
  ) throws(ClientError) {
    guard let object = JSON.encodedObject(parameters) else {
      throw .system(
        SystemError(code: EINVAL, context: "putting the parameters of \(method) in JSON"))
    }
    let message = CallMessage.encode(method: method, parameters: object, more: more)
    let deadline = Deadline(timeout)
    var sent = 0
    while sent < message.count {
      switch try system({ () throws(SystemError) in try stream.send(message[sent...]) }) {
      case .moved(let count): sent += count
      case .wouldBlock:
        guard let left = deadline.left, left > 0 else { throw .timedOut }
        _ = try system { () throws(SystemError) in
          try stream.wait(forOutput: true, within: left)
        }
      // The service may have said why: that is for `receive` to find.
      case .ended: return
      }
    }
  }

  /// The next reply.
  /// - Parameter limit: how long to wait; nil: without end.
  /// - Returns: nil where nothing came within that time. `continues` tells whether more follow.
  public mutating func receive<R: Decodable>(
    as type: R.Type = R.self, within limit: Duration?
  ) throws(ClientError) -> (reply: R, continues: Bool)? {
    let deadline = limit.map { Deadline($0) }
    while true {
      switch input.next() {
      case .message(let bytes): return try answer(bytes, as: type)
      case .tooLong: throw .malformed("it is longer than \(Self.replyLimit) bytes")
      case .nothing: break
      }
      let outcome: UnixStream.Outcome
      do throws(SystemError) {
        outcome = try stream.receive(into: &scratch)
      } catch {
        throw .system(error)
      }
      switch outcome {
      case .moved(let count): input.append(scratch[..<count])
      case .ended: throw .closed
      case .wouldBlock:
        let left = deadline.map { $0.left ?? 0 } ?? -1
        if left == 0 { return nil }
        _ = try system { () throws(SystemError) in try stream.wait(within: left) }
      }
    }
  }

  /// Readable when a reply may have come. What has been read already is not seen here: call `receive` with no time
  /// to wait until it returns nil, then wait for this.
  public var descriptor: Int32 { stream.descriptor }

  private func answer<R: Decodable>(
    _ bytes: ArraySlice<UInt8>, as type: R.Type
  ) throws(ClientError) -> (reply: R, continues: Bool) {
    let message: ReplyMessage
    do throws(MalformedMessage) {
      message = try ReplyMessage(bytes)
    } catch {
      throw .malformed(error.reason)
    }
    if let name = message.error {
      throw .remote(RemoteError(name: name, parameters: Array(message.parameters)))
    }
    do throws(DecodingError) {
      return (try JSON.decode(type, from: message.parameters), message.continues)
    } catch {
      throw .malformed("its parameters are not those that were expected: \(error)")
    }
  }

  private func system<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(ClientError) -> Value {
    do throws(SystemError) { return try body() } catch { throw .system(error) }
  }
}

/// A time on `CLOCK_BOOTTIME`.
private struct Deadline {
  private let time: Int64

  init(_ duration: Duration) {
    let (time, overflow) = Clocks.boottime.addingReportingOverflow(duration.microseconds)
    self.time = overflow ? .max : time
  }

  /// Microseconds; nil once it has passed.
  var left: Int64? {
    let left = time - Clocks.boottime
    return left > 0 ? left : nil
  }
}

extension Duration {
  /// Rounded up, and never more than a year.
  fileprivate var microseconds: Int64 {
    let year: Int64 = 366 * 86_400
    guard self > .zero else { return 0 }
    guard self < .seconds(year) else { return year * 1_000_000 }
    return components.seconds * 1_000_000 + (components.attoseconds + 999_999_999_999)
      / 1_000_000_000_000
  }
}
