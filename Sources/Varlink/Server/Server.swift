public import LinuxIO

/// Serves Varlink interfaces on a Unix socket, on the thread of its owner, who calls `handle` for what the poller
/// says and `serve` once a round. Neither waits, and both do bounded work.
public final class Server {
  public enum Event: Sendable {
    /// To be answered by `send`: with one final reply, now or later, and before it with others that continue
    /// where the client wants more.
    case call(Call)
    /// A connection that has made a call is over: nothing can be sent to it any more.
    case closed(ConnectionID)
  }

  /// How long a client that is cut off may take to read the reason.
  static let lingerMicroseconds: Int64 = 5_000_000
  /// How soon the listener is tried again where descriptors were short.
  static let retryMicroseconds: Int64 = 1_000_000
  /// Written to one client a round.
  private static let writeBudget = 1 << 18

  let limits: ServerLimits
  let errors: ServerErrors
  let service: ServiceInterface
  let listener: UnixListener
  let firstToken: UInt64
  var nextToken: UInt64
  var nextCall: UInt64 = 0
  /// Who may call what. May be replaced at any time.
  public var policy: any CallerPolicy { didSet { reconsiderStandings() } }
  var connections: [UInt64: Connection] = [:]
  /// Those with a role that have something to do, in the order of their turns.
  var queue: [UInt64] = []
  /// Those without a role that have something to do, in the order of their turns.
  var waiting: [UInt64] = []
  /// When these have a turn, in microseconds of `CLOCK_BOOTTIME`.
  var nextTurn: Int64 = 0
  /// Those that are cut off, the oldest first.
  var lingering: [(token: UInt64, until: Int64)] = []
  /// What the owner is yet to be told of.
  var over: [ConnectionID] = []
  /// When to accept again, where descriptors ran out.
  var acceptsAgainAt: Int64?
  var isListening = false
  private var scratch: [UInt8]

  /// - Parameters:
  ///   - vendor: it, `product`, `version` and `url` are what `org.varlink.service.GetInfo` tells.
  ///   - interfaces: those that are served beside `org.varlink.service`.
  ///   - policy: of these interfaces; everybody may call `org.varlink.service`.
  ///   - errors: what is said before a connection is closed.
  ///   - firstToken: the poller's tokens from here on are this server's.
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

  /// Starts to listen.
  public func start(poller: inout Poller) throws(SystemError) {
    try poller.add(listener.descriptor, token: firstToken)
    isListening = true
  }

  /// Whether what is ready under a token is for `handle`.
  public func owns(_ token: UInt64) -> Bool { token >= firstToken }

  /// `serve` has something to do although no descriptor is ready: do not wait before calling it.
  public var hasWork: Bool { !queue.isEmpty || !over.isEmpty || acceptsAgainAt == 0 }

  /// There is no connection, and of all that are over the owner has been told: `serve` has nothing to do before
  /// the listener is ready.
  public var isAlone: Bool { connections.isEmpty && !hasWork && acceptsAgainAt == nil }

  /// When `serve` has something to do, in microseconds of `CLOCK_BOOTTIME`; nil while nothing is due.
  public var nextDeadline: Int64? {
    if connections.isEmpty { return acceptsAgainAt }
    let turn = waiting.isEmpty ? nil : nextTurn
    let expiry = connections.values.lazy.compactMap { $0.expiry(self.limits) }.min()
    return [lingering.first?.until, acceptsAgainAt, turn, expiry].compactMap(\.self).min()
  }

  /// What waits to be read by all clients together.
  public var queuedBytes: Int { connections.values.reduce(0) { $0 + $1.output.byteCount } }

  /// Connected, those aside that have been refused or cut off.
  public var clientCount: Int { connections.count - lingering.count }

  // MARK: What the poller says

  /// Accepts and reads: bounded work.
  public func handle(_ ready: Poller.Ready, poller: inout Poller) {
    if ready.token == firstToken { return accept(poller: &poller) }
    guard let connection = connections[ready.token] else { return }
    if ready.isReadable || ready.isBroken { read(connection, isBroken: ready.isBroken) }
    enqueue(connection)
    guard connection.standing == .withoutRole else { return }
    // It may have to wait for its turn, and until then the poller must not tell the same again and again.
    flush(connection)
    settle(connection, poller: &poller)
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
      // Where something may be left to be read, being broken is noted when that is done.
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
    // Whatever is wrong with the socket: nothing more will come.
    (try? connection.stream.receive(into: &scratch, atMost: limit)) ?? .ended
  }

  func enqueue(_ connection: Connection) {
    guard !connection.isQueued else { return }
    connection.isQueued = true
    if connection.standing == .withoutRole {
      waiting.append(connection.id.token)
    } else {
      queue.append(connection.id.token)
    }
  }

  func flush(_ connection: Connection) {
    guard !connection.output.isEmpty else { return }
    if connection.isDeaf { return connection.output.removeAll() }
    let waiting = connection.output.byteCount
    defer {
      if connection.output.isEmpty {
        connection.waitsSince = nil
      } else if connection.waitsSince == nil || connection.output.byteCount < waiting {
        connection.waitsSince = Clocks.boottime
      }
    }
    switch connection.output.write(to: connection.stream, atMost: Self.writeBudget) {
    // There is room for more: the poller says so.
    case .done, .wouldBlock, .paused: break
    case .ended:
      connection.isDeaf = true
      connection.output.removeAll()
    }
  }

  // MARK: Replies

  /// Whether the final reply to a call is yet to be sent, and somebody is still there to read it.
  public func isAwaited(_ call: CallID) -> Bool {
    guard let connection = connections[call.connection.token], connection.running?.id == call else {
      return false
    }
    return connection.isServed && !connection.isDeaf
  }

  /// Queues a reply.
  /// - Returns: false where the client is gone or was cut off, or the call has had its final reply.
  @discardableResult
  public func send(_ reply: EncodedReply, to call: CallID) -> Bool { send([reply], to: call) }

  /// Queues replies to one call that count as one against the limit: they are taken whatever their size where
  /// nothing else waits.
  @discardableResult
  public func send(_ replies: [EncodedReply], to call: CallID) -> Bool {
    guard let connection = connections[call.connection.token], connection.isServed,
      let running = connection.running, running.id == call
    else { return false }
    enqueue(connection)
    let isFinal = replies.contains { !$0.continues || !running.wantsMore }
    if isFinal { connection.running = nil }
    if connection.isDeaf { return false }
    if running.isOneway { return true }
    let byteCount = replies.reduce(0) { $0 + $1.byteCount }
    let limit = limits.queueBytes(connection.standing)
    if connection.output.byteCount + byteCount > limit { flush(connection) }
    guard connection.output.isEmpty || connection.output.byteCount + byteCount <= limit else {
      cutOff(
        connection,
        errors.tooSlow(
          "more than \(limit) bytes of replies wait to be read: read them as they come"))
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
