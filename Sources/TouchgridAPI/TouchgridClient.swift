public import Varlink

/// A connection to the daemon. Blocking, for one thread; a call is answered before the next is made.
public struct TouchgridClient: ~Copyable {
  /// Where the daemon's socket is unless the configuration says otherwise.
  public static let standardPath = "/run/touchgrid/io.touchgrid"

  private let timeout: Duration
  private var client: Client

  /// - Parameters:
  ///   - path: of the socket.
  ///   - timeout: how long a call waits for its reply.
  public init(
    path: String = standardPath, timeout: Duration = .seconds(10)
  ) throws(ClientError) {
    self.timeout = timeout
    client = try Client(path: path, timeout: timeout)
  }

  /// Calls a method and waits for its reply. With several (`more`) use `replies` or `start`.
  public mutating func call<M: Method>(_ method: M) throws(ClientError) -> M.Reply {
    try client.call(M.name, method, as: M.Reply.self)
  }

  /// Calls a method with `more` and waits for its last reply.
  public mutating func replies<M: Method>(to method: M) throws(ClientError) -> [M.Reply] {
    try start(method)
    var replies: [M.Reply] = []
    while true {
      guard let (reply, continues) = try receive(M.self, within: timeout) else {
        throw .timedOut
      }
      replies.append(reply)
      if !continues { return replies }
    }
  }

  /// Calls a method; `receive` gives the replies.
  /// - Parameter more: whether several may come.
  public mutating func start<M: Method>(_ method: M, more: Bool = true) throws(ClientError) {
    try client.start(M.name, method, more: more)
  }

  /// The next reply to the method that `start` called; nil where none came in time.
  /// - Parameter limit: nil waits for ever.
  public mutating func receive<M: Method>(
    _ method: M.Type, within limit: Duration?
  ) throws(ClientError) -> (reply: M.Reply, continues: Bool)? {
    try client.receive(as: M.Reply.self, within: limit)
  }

  /// Readable when a reply may wait.
  public var descriptor: Int32 { client.descriptor }
}
