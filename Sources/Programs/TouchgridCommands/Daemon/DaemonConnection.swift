import TouchgridAPI

/// A connection to the daemon. Its errors tell the user the remedy.
final class DaemonConnection {
  let path: String
  private var client: TouchgridClient

  init(path: String, timeout: Duration = .seconds(10)) throws(TouchgridError) {
    self.path = path
    client = try TouchgridClient(path: path, timeout: timeout)
  }

  func call<M: Method>(_ method: M) throws(Failure) -> M.Reply {
    try advising { () throws(TouchgridError) in try client.call(method) }
  }

  /// Calls a method with Varlink's flag `more`, which allows several replies, and returns all of
  /// them.
  func replies<M: Method>(to method: M) throws(Failure) -> [M.Reply] {
    try advising { () throws(TouchgridError) in try client.replies(to: method) }
  }

  /// Calls a method with Varlink's flag `more`, which allows several replies; `receive` returns
  /// them.
  func start(_ method: some Method) throws(Failure) {
    try advising { () throws(TouchgridError) in try client.start(method) }
  }

  /// Waits for the next reply.
  /// - Parameter limit: the longest wait; nil waits without limit.
  /// - Returns: the reply, and whether more replies follow; nil if none arrived within `limit`.
  func receive<M: Method>(
    _ method: M.Type, within limit: Duration?
  ) throws(Failure) -> (reply: M.Reply, continues: Bool)? {
    try advising { () throws(TouchgridError) in try client.receive(method, within: limit) }
  }

  /// The socket. It is readable when a reply may have arrived that `receive` has not read yet.
  var descriptor: Int32 { client.descriptor }

  private func advising<Result>(
    _ body: () throws(TouchgridError) -> Result
  ) throws(Failure) -> Result {
    do throws(TouchgridError) { return try body() } catch { throw Failure(error, path: path) }
  }
}
