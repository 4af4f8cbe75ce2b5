public import LinuxIO

/// Serves Varlink interfaces on a Unix socket, on the thread of its owner, who calls `handle` for what the poller
/// says and `serve` once a round.
public final class Server {
  public enum Event: Sendable {
    case call(Call)
    /// A connection that has made a call is over.
    case closed(ConnectionID)
  }

  private let listener: UnixListener
  private let firstToken: UInt64

  /// - Parameters:
  ///   - vendor, product, version, url: what `org.varlink.service.GetInfo` tells.
  ///   - interfaces: those that are served beside `org.varlink.service`.
  ///   - firstToken: the poller's tokens from here on are this server's.
  public init(
    listener: consuming UnixListener, vendor: String, product: String, version: String, url: String,
    interfaces: [InterfaceDescription], limits: ServerLimits = ServerLimits(), errors: ServerErrors,
    firstToken: UInt64 = 1 << 62
  ) {
    self.listener = listener
    self.firstToken = firstToken
  }

  /// Starts to listen.
  public func start(poller: inout Poller) throws(SystemError) {
    try poller.add(listener.descriptor, token: firstToken)
  }

  /// Whether what is ready under a token is for `handle`.
  public func owns(_ token: UInt64) -> Bool { token >= firstToken }

  /// Accepts and reads: bounded work.
  public func handle(_ ready: Poller.Ready, poller: inout Poller) {}

  /// Once a round of the owner's loop: hands over calls whose turn has come (one at a time a connection: the next when the
  /// final reply to the one before is sent), writes what is queued, closes what is over.
  public func serve(
    poller: inout Poller, at boottimeMicroseconds: Int64, _ body: (Event) -> Void
  ) {}

  /// Queues a reply.
  /// - Returns: false where the client is gone or was cut off.
  @discardableResult
  public func send(_ reply: EncodedReply, to call: CallID) -> Bool { send([reply], to: call) }

  /// Queues replies to one call that count as one against the limit: taken whatever their size when nothing
  /// else waits.
  @discardableResult
  public func send(_ replies: [EncodedReply], to call: CallID) -> Bool { false }

  /// `serve` has something to do although no descriptor is ready.
  public var hasWork: Bool { false }

  /// When `serve` has something to do, in microseconds of `CLOCK_BOOTTIME`; nil while nothing is due.
  public var nextDeadline: Int64? { nil }

  /// Connected, those aside that have been refused or cut off.
  public var clientCount: Int { 0 }

  /// Writes what can be written at once and closes everything.
  public func stop(poller: inout Poller) {}
}
