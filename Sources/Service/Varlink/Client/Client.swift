internal import Glibc
internal import LinuxIO
internal import Text

/// A connection of a client to a service. Its methods block until they are done or time out.
public struct Client: ~Copyable {
  /// The maximum length of a reply, in bytes. Services send far shorter ones.
  private static let replyLimit = 1 << 28

  private let stream: UnixStream
  private let timeout: Duration
  private var input: InputBuffer
  private var scratch: [UInt8]

  /// Connects to a service.
  /// - Parameters:
  ///   - path: the path of the socket.
  ///   - timeout: the limit for connecting, for sending a call, and for waiting for the reply of
  ///     `call`.
  public init(path: String, timeout: Duration = .seconds(10)) throws(ClientError) {
    do throws(SystemError) {
      stream = try UnixStream(connectingTo: path, within: timeout.microseconds)
    } catch {
      // `EAGAIN`: the queue of the service's socket stayed full until the timeout.
      throw error.code == EAGAIN ? .timedOut : .system(error)
    }
    self.timeout = timeout
    input = InputBuffer(limit: Self.replyLimit)
    scratch = [UInt8](repeating: 0, count: 65_536)
  }

  /// Calls a method and returns its single reply.
  public mutating func call<P: Encodable, R: Decodable>(
    _ method: String, _ parameters: P, as type: R.Type = R.self
  ) throws(ClientError) -> R {
    try start(method, parameters, more: false)
    guard let answer = try receive(as: type, within: timeout) else { throw .timedOut }
    guard !answer.continues else {
      throw .malformed("it has \"continues\", but the call did not ask for more replies")
    }
    return answer.reply
  }

  /// Sends a call without waiting for its reply. `receive` returns the replies, in the order of the
  /// calls.
  /// - Parameter more: whether several replies are accepted.
  public mutating func start(
    _ method: String, _ parameters: some Encodable, more: Bool
  ) throws(ClientError) {
    guard let object = JSON.encodedObject(parameters) else {
      throw .system(
        SystemError(code: EINVAL, context: "encoding the parameters of \(method) as JSON"))
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
      // Do not throw here: the service may have sent the reason before it closed the connection,
      // and `receive` returns it.
      case .ended: return
      }
    }
  }

  /// Waits for the next reply. `continues` is true if more replies to the same call follow.
  /// - Parameter limit: the maximum time to wait; nil: no limit.
  /// - Returns: nil if no reply arrived within that time.
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

  /// A descriptor that becomes readable when a reply may have arrived. It is not readable for
  /// replies that this client has already buffered. So call `receive` with a limit of zero until it
  /// returns nil, and then wait for the descriptor.
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
      return (try JSON.decodeScanned(type, from: message.parameters), message.continues)
    } catch {
      throw .malformed("it has unexpected parameters: \(error)")
    }
  }

  private func system<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(ClientError) -> Value {
    do throws(SystemError) { return try body() } catch { throw .system(error) }
  }
}

/// A deadline on `CLOCK_BOOTTIME`.
private struct Deadline {
  private let time: Int64

  init(_ duration: Duration) {
    let (time, overflow) = Clocks.boottime.addingReportingOverflow(duration.microseconds)
    self.time = overflow ? .max : time
  }

  /// The remaining time, in µs; nil once the deadline has passed.
  var left: Int64? {
    let left = time - Clocks.boottime
    return left > 0 ? left : nil
  }
}

extension Duration {
  /// The duration in µs, rounded up; at most a year.
  fileprivate var microseconds: Int64 {
    let year: Int64 = 366 * 86_400
    guard self > .zero else { return 0 }
    guard self < .seconds(year) else { return year * 1_000_000 }
    return components.seconds * 1_000_000 + (components.attoseconds + 999_999_999_999)
      / 1_000_000_000_000
  }
}
