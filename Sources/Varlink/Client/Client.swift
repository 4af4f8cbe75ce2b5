internal import LinuxIO

/// A connection to a service that waits for its answers.
public struct Client: ~Copyable {
  private let stream: UnixStream
  private let timeout: Duration

  /// Connects.
  /// - Parameters:
  ///   - path: of the socket.
  ///   - timeout: how long connecting and each answer may take.
  public init(path: String, timeout: Duration = .seconds(10)) throws(ClientError) {
    do throws(SystemError) {
      stream = try UnixStream(connectingTo: path, within: 10_000_000)
    } catch {
      throw .system(error)
    }
    self.timeout = timeout
  }

  /// Calls a method that has one reply.
  public mutating func call<P: Encodable, R: Decodable>(
    _ method: String, _ parameters: P, as type: R.Type = R.self
  ) throws(ClientError) -> R {
    try start(method, parameters, more: false)
    guard let answer = try receive(as: type, within: timeout) else { throw .timedOut }
    return answer.reply
  }

  /// Sends a call whose replies `receive` takes.
  /// - Parameter more: there may be several.
  public mutating func start(
    _ method: String, _ parameters: some Encodable, more: Bool
  ) throws(ClientError) {}

  /// The next reply.
  /// - Parameter limit: how long to wait; nil: without end.
  /// - Returns: nil where nothing came within that time. `continues` tells whether more follow.
  public mutating func receive<R: Decodable>(
    as type: R.Type = R.self, within limit: Duration?
  ) throws(ClientError) -> (reply: R, continues: Bool)? {
    nil
  }

  /// Readable when a reply may have come. What has been read already is not seen here: ask `receive` first, with
  /// no time to wait, until it returns nil.
  public var descriptor: Int32 { stream.descriptor }
}
