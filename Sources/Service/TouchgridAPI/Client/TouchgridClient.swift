internal import Varlink

/// A connection to the daemon for a program with one thread. All functions block, and the reply to
/// a call must be read before the next call.
///
/// The connection ends when the daemon stops. An app that should survive a restart of the daemon
/// uses ``TouchgridConnection``.
///
/// Every function throws ``TouchgridError``: `.fault` for an error that the daemon answers with,
/// `.timedOut` if the daemon takes too long, `.closed` if it closes the connection. Only `receive`
/// returns nil instead of throwing `.timedOut`.
public struct TouchgridClient: ~Copyable {
  /// The default path of the daemon's socket. The configuration can set another path.
  public static let standardPath = "/run/touchgrid/io.touchgrid"

  private let timeout: Duration
  private var client: Client

  /// Connects to the daemon.
  /// - Parameters:
  ///   - path: the path of the daemon's socket.
  ///   - timeout: the limit for each of these: connecting, sending a call, and waiting for a reply.
  /// - Throws: `TouchgridError.system` if there is no daemon or no permission, `.timedOut` if the
  ///   daemon does not accept the connection.
  public init(
    path: String = standardPath, timeout: Duration = .seconds(10)
  ) throws(TouchgridError) {
    self.timeout = timeout
    do throws(ClientError) {
      client = try Client(path: path, timeout: timeout)
    } catch {
      throw TouchgridError(error)
    }
  }

  /// Calls a method that has one reply, and waits for the reply. For methods with several replies
  /// use `replies` or `start`.
  /// - Throws: `TouchgridError.timedOut` if no reply arrived within the timeout.
  @discardableResult
  public mutating func call<M: Method>(_ method: M) throws(TouchgridError) -> M.Reply {
    do throws(ClientError) {
      return try client.call(M.name, method, as: M.Reply.self)
    } catch {
      throw TouchgridError(error)
    }
  }

  /// Calls a method with `more`, waits for the last reply, and returns all replies.
  /// - Throws: `TouchgridError.timedOut` if the wait for a reply exceeded the timeout.
  public mutating func replies<M: Method>(to method: M) throws(TouchgridError) -> [M.Reply] {
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

  /// Sends a call; `receive` returns its replies.
  /// - Parameters:
  ///   - method: the call.
  ///   - more: whether the daemon may send several replies.
  public mutating func start<M: Method>(_ method: M, more: Bool = true) throws(TouchgridError) {
    do throws(ClientError) {
      try client.start(M.name, method, more: more)
    } catch {
      throw TouchgridError(error)
    }
  }

  /// Waits for the next reply to the method that `start` called.
  /// - Parameters:
  ///   - method: the type of that method.
  ///   - limit: the longest wait; nil waits without limit.
  /// - Returns: the reply, and whether more replies follow. nil if none arrived within `limit`.
  public mutating func receive<M: Method>(
    _ method: M.Type, within limit: Duration?
  ) throws(TouchgridError) -> (reply: M.Reply, continues: Bool)? {
    do throws(ClientError) {
      return try client.receive(as: M.Reply.self, within: limit)
    } catch {
      throw TouchgridError(error)
    }
  }

  /// The socket. It is readable when a reply may have arrived. A reply that was read together with
  /// an earlier one does not make it readable: call `receive` with a limit of zero until it returns
  /// nil, then wait for the descriptor.
  public var descriptor: Int32 { client.descriptor }
}
