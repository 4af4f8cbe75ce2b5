public import LinuxIO

/// Serves Varlink interfaces on a Unix socket, on the thread of its owner. In each round of its
/// event loop, the owner calls `handle` for each ready descriptor and then `serve` once. Neither
/// waits, and both do a bounded amount of work.
public final class Server {
  public enum Event: Sendable {
    /// A call. The owner answers it with `send`: one final reply, now or later. If `wantsMore`,
    /// replies with `continues` may come before the final one.
    case call(Call)
    /// A connection on which a call was made has ended. Nothing more can be sent to it.
    case closed(ConnectionID)
  }

  /// The time that a client has to read the reason after it was cut off, in µs.
  static let lingerMicroseconds: Int64 = 5_000_000
  /// The time after which the server tries to accept connections again, in µs, if accepting has
  /// failed because descriptors or memory ran out.
  static let retryMicroseconds: Int64 = 1_000_000
  /// The maximum number of bytes written to one client in a round.
  private static let writeBudget = 1 << 18

  let limits: ServerLimits
  let errors: ServerErrors
  let service: ServiceInterface
  let listener: UnixListener
  let firstToken: UInt64
  var nextToken: UInt64
  var nextCall: UInt64 = 0
  /// The permissions of callers. May be replaced at any time, also for existing connections.
  public var policy: any CallerPolicy { didSet { reconsiderPrivileges() } }
  var connections: [UInt64: Connection] = [:]
  /// The connections with a role that have work to do, in the order of their turns.
  var queue: [UInt64] = []
  /// The connections without a role that have work to do, in the order of their turns.
  var waiting: [UInt64] = []
  /// The start of the next turn of `waiting`, on `CLOCK_BOOTTIME` in µs.
  var nextTurn: Int64 = 0
  /// The connections that were cut off, oldest first, with the latest times at which they are
  /// closed, on `CLOCK_BOOTTIME` in µs.
  var lingering: [(token: UInt64, until: Int64)] = []
  /// The ended connections that were not yet reported to the owner.
  var endedConnections: [ConnectionID] = []
  /// The time at which to accept connections again, on `CLOCK_BOOTTIME` in µs; 0: as soon as
  /// possible. nil unless accepting has failed because descriptors or memory ran out.
  var acceptsAgainAt: Int64?
  var isListening = false
  private var scratch: [UInt8]

  /// Creates a server.
  /// - Parameters:
  ///   - vendor: returned by `org.varlink.service.GetInfo`, like `product`, `version` and `url`.
  ///   - interfaces: the interfaces that are served beside `org.varlink.service`.
  ///   - policy: the permissions for `interfaces`. Every client may call `org.varlink.service`.
  ///   - errors: makes the errors that are sent before a connection is closed.
  ///   - firstToken: the lowest of the poller's tokens that belong to this server. All higher ones
  ///     do too.
  public init(
    listener: consuming UnixListener, vendor: String, product: String, version: String, url: String,
    interfaces: [InterfaceDescription], policy: any CallerPolicy = OpenPolicy(),
    limits: ServerLimits = ServerLimits(), errors: ServerErrors, firstToken: UInt64 = 1 << 62
  ) {
    self.listener = listener
    self.policy = policy
    self.limits = limits
    self.errors = errors
    self.firstToken = firstToken
    nextToken = firstToken + 1
    service = ServiceInterface(
      vendor: vendor, product: product, version: version, url: url, interfaces: interfaces)
    scratch = [UInt8](repeating: 0, count: limits.messageBytes + 1)
  }

  /// Adds the listener to the poller, so that connections are accepted.
  public func start(poller: inout Poller) throws(SystemError) {
    try poller.add(listener.descriptor, token: firstToken)
    isListening = true
  }

  /// Whether events with the token are for `handle`.
  public func owns(_ token: UInt64) -> Bool { token >= firstToken }

  /// Whether `serve` has work to do even if no descriptor is ready. If so, call it without waiting
  /// for the poller.
  public var hasWork: Bool { !queue.isEmpty || !endedConnections.isEmpty || acceptsAgainAt == 0 }

  /// Whether there are no connections, and all ended ones were reported to the owner. `serve` then
  /// has nothing to do until the listener is ready.
  public var isAlone: Bool { connections.isEmpty && !hasWork && acceptsAgainAt == nil }

  /// The time at which `serve` is next needed, on `CLOCK_BOOTTIME` in µs; nil if there is none.
  public var nextDeadline: Int64? {
    if connections.isEmpty { return acceptsAgainAt }
    let turn = waiting.isEmpty ? nil : nextTurn
    let expiry = connections.values.lazy.compactMap { $0.expiry(self.limits) }.min()
    return [lingering.first?.until, acceptsAgainAt, turn, expiry].compactMap(\.self).min()
  }

  /// The total size of the replies that wait to be read by clients, in bytes.
  public var queuedBytes: Int { connections.values.reduce(0) { $0 + $1.output.byteCount } }

  /// The number of connected clients, except clients that were refused or cut off.
  public var clientCount: Int { connections.count - lingering.count }

  // MARK: Events of the poller

  /// Accepts connections or reads input. Does a bounded amount of work.
  public func handle(_ ready: Poller.Ready, poller: inout Poller) {
    if ready.token == firstToken { return accept(poller: &poller) }
    guard let connection = connections[ready.token] else { return }
    if ready.isReadable || ready.isBroken { read(connection, isBroken: ready.isBroken) }
    enqueue(connection)
    guard connection.privilege == .withoutRole else { return }
    // A connection without a role may have to wait for its turn. Until then, the poller must not
    // report the same event again and again.
    flush(connection)
    closeOrUpdateInterest(connection, poller: &poller)
  }

  private func read(_ connection: Connection, isBroken: Bool) {
    let outcome: UnixStream.Outcome
    switch connection.state {
    case .open:
      let room = connection.input.room
      outcome = room > 0 ? receive(connection, atMost: room) : .wouldBlock
      switch outcome {
      case .moved(let count): connection.input.append(scratch[..<count])
      case .ended: connection.state = .ending
      case .wouldBlock: break
      }
      // The hang-up is recorded at the end of the input. Without room for input it is recorded at
      // once, because the poller would report it again and again.
      if isBroken, room == 0 || !connection.isOpen { connection.hangUp() }
    case .ending:
      if isBroken { connection.hangUp() }
    case .lingering:
      switch receive(connection, atMost: scratch.count) {
      case .moved(let count):
        connection.discarded += count
        if connection.discarded > connection.discardLimit { connection.state = .closed }
      case .ended: connection.state = .closed
      case .wouldBlock: break
      }
    case .closed: break
    }
  }

  private func receive(_ connection: Connection, atMost limit: Int) -> UnixStream.Outcome {
    // After any error of the socket, no more input will arrive.
    (try? connection.stream.receive(into: &scratch, atMost: limit)) ?? .ended
  }

  func enqueue(_ connection: Connection) {
    guard !connection.isQueued else { return }
    connection.isQueued = true
    if connection.privilege == .withoutRole {
      waiting.append(connection.id.token)
    } else {
      queue.append(connection.id.token)
    }
  }

  func flush(_ connection: Connection) {
    guard !connection.output.isEmpty else { return }
    if connection.cannotReceive { return connection.output.removeAll() }
    let waiting = connection.output.byteCount
    defer {
      if connection.output.isEmpty {
        connection.unreadSince = nil
      } else if connection.unreadSince == nil || connection.output.byteCount < waiting {
        connection.unreadSince = Clocks.boottime
      }
    }
    switch connection.output.write(to: connection.stream, atMost: Self.writeBudget) {
    // If output remains, the poller reports when the socket has room for it.
    case .done, .wouldBlock, .paused: break
    case .ended:
      connection.cannotReceive = true
      connection.output.removeAll()
    }
  }

  // MARK: Replies

  /// Whether the final reply to a call has not been sent yet and the client can still receive it.
  public func isAwaited(_ call: CallID) -> Bool {
    guard let connection = connections[call.connection.token], connection.running?.id == call else {
      return false
    }
    return connection.isServed && !connection.cannotReceive
  }

  /// Queues a reply.
  /// - Returns: false if the client has disconnected, was cut off before or is cut off now, or if
  ///   the call has already had its final reply.
  @discardableResult
  public func send(_ reply: EncodedReply, to call: CallID) -> Bool { send([reply], to: call) }

  /// Queues several replies to one call. They count as one reply for `ServerLimits.queueBytes`: if
  /// nothing is waiting, they are accepted regardless of their size.
  /// - Returns: as for a single reply.
  @discardableResult
  public func send(_ replies: [EncodedReply], to call: CallID) -> Bool {
    guard let connection = connections[call.connection.token], connection.isServed,
      let running = connection.running, running.id == call
    else { return false }
    enqueue(connection)
    let isFinal = replies.contains { !$0.continues || !running.wantsMore }
    if isFinal { connection.running = nil }
    if connection.cannotReceive { return false }
    if running.isOneway { return true }
    let byteCount = replies.reduce(0) { $0 + $1.byteCount }
    let limit = limits.queueBytes(connection.privilege)
    if connection.output.byteCount + byteCount > limit { flush(connection) }
    guard connection.output.isEmpty || connection.output.byteCount + byteCount <= limit else {
      cutOff(
        connection,
        errors.tooSlow(
          "more than \(limit) bytes of replies are unread; read replies as they arrive"))
      return false
    }
    for reply in replies {
      let fitting = running.wantsMore ? reply : reply.final
      connection.output.append(fitting)
      if !fitting.continues { break }
    }
    return true
  }
}
