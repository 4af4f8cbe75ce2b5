internal import Glibc
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

  /// What one round may do with calls, so that the owner sees to other things in between.
  private struct Budget {
    var bytes: Int
    var calls = 8
    var isSpent: Bool { bytes <= 0 || calls <= 0 }
  }

  /// How long a client that is cut off may take to read the reason.
  static let lingerMicroseconds: Int64 = 5_000_000
  /// How many such there may be at a time; beyond, the oldest is closed at once.
  private static let lingeringLimit = 16
  /// A client that reads nothing for so long of what waits for it is cut off.
  private static let stallMicroseconds: Int64 = 30_000_000
  /// How soon the listener is tried again where descriptors were short.
  private static let retryMicroseconds: Int64 = 1_000_000
  /// Written to one client a round.
  private static let writeBudget = 1 << 18

  let limits: ServerLimits
  let errors: ServerErrors
  let service: ServiceInterface
  let listener: UnixListener
  private let firstToken: UInt64
  private var nextToken: UInt64
  private var nextCall: UInt64 = 0
  var connections: [UInt64: Connection] = [:]
  /// Those that have something to do, in the order of their turns.
  var queue: [UInt64] = []
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
  ///   - errors: what is said before a connection is closed.
  ///   - firstToken: the poller's tokens from here on are this server's.
  public init(
    listener: consuming UnixListener, vendor: String, product: String, version: String, url: String,
    interfaces: [InterfaceDescription], limits: ServerLimits = ServerLimits(), errors: ServerErrors,
    firstToken: UInt64 = 1 << 62
  ) {
    self.listener = listener
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
    return [lingering.first?.until, acceptsAgainAt, stallDeadline].compactMap(\.self).min()
  }

  /// When the first client has read nothing for too long of what waits for it.
  private var stallDeadline: Int64? {
    connections.values.lazy.filter(\.isServed).compactMap(\.waitsSince).min()
      .map { $0 + Self.stallMicroseconds }
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
  }

  private func accept(poller: inout Poller) {
    for _ in 0..<16 where isListening {
      do throws(SystemError) {
        guard let descriptor = try listener.accept() else { return }
        adopt(UnixStream(owning: descriptor), poller: &poller)
      } catch {
        // A client that has gone before it was accepted is none.
        if error.code == ECONNABORTED || error.code == EPROTO { continue }
        // There are no descriptors, or there is no memory. The listener would stay ready all the while.
        poller.remove(listener.descriptor)
        isListening = false
        acceptsAgainAt = Clocks.boottime + Self.retryMicroseconds
      }
    }
  }

  private func adopt(_ stream: consuming UnixStream, poller: inout Poller) {
    guard let peer = try? PeerCredentials(of: stream.descriptor) else { return }
    let token = nextToken
    nextToken += 1
    let refusal = refusal(of: peer)
    let connection = Connection(
      id: ConnectionID(token: token), peer: peer, stream: stream, messageBytes: limits.messageBytes)
    connections[token] = connection
    if let refusal { cutOff(connection, refusal) }
    settle(connection, poller: &poller)
  }

  /// Why a client may not stay.
  private func refusal(of peer: PeerCredentials) -> VarlinkError? {
    let isOwner = peer.user == 0 || peer.user == geteuid()
    if clientCount >= limits.clients + (isOwner ? limits.reserved : 0) {
      return errors.tooManyClients(
        limits.clients,
        "\(limits.clients) clients are connected, more may not be: close one, then try again")
    }
    if isOwner { return nil }
    let others = connections.values.count { !$0.isLingering && $0.peer.user == peer.user }
    guard others >= limits.clientsPerUser else { return nil }
    return errors.tooManyClients(
      limits.clientsPerUser,
      "\(others) clients of user \(peer.user) are connected, more may not be: close one, then try again"
    )
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
        if connection.discarded > Connection.discardLimit { connection.state = .closed }
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
    queue.append(connection.id.token)
  }

  // MARK: A round

  /// Once a round of the owner's loop: hands over calls whose turn has come (one at a time a connection: the next when the
  /// final reply to the one before is sent and written), writes what is queued, closes what is over.
  /// - Parameter boottimeMicroseconds: now, on `CLOCK_BOOTTIME`.
  public func serve(
    poller: inout Poller, at boottimeMicroseconds: Int64, _ body: (Event) -> Void
  ) {
    expire(at: boottimeMicroseconds, poller: &poller)
    var budget = Budget(bytes: limits.messageBytes)
    while !budget.isSpent, !queue.isEmpty {
      let token = queue.removeFirst()
      guard let connection = connections[token] else { continue }
      connection.isQueued = false
      visit(connection, budget: &budget, body)
      settle(connection, poller: &poller)
    }
    guard !over.isEmpty else { return }
    let over = over
    self.over = []
    for connection in over { body(.closed(connection)) }
  }

  private func expire(at now: Int64, poller: inout Poller) {
    while let first = lingering.first, first.until <= now || lingering.count > Self.lingeringLimit {
      guard let connection = connections[first.token] else {
        lingering.removeFirst()
        continue
      }
      close(connection, poller: &poller)
    }
    for connection in connections.values where connection.isServed {
      guard let since = connection.waitsSince, since + Self.stallMicroseconds <= now else {
        continue
      }
      cutOff(
        connection,
        errors.tooSlow("nothing was read of what waits for 30 s: read replies as they come"))
    }
    guard let time = acceptsAgainAt, time <= now else { return }
    acceptsAgainAt = nil
    do throws(SystemError) {
      try poller.add(listener.descriptor, token: firstToken)
      isListening = true
    } catch {
      acceptsAgainAt = now + Self.retryMicroseconds
    }
  }

  /// Writes what is queued, and takes no call: for what the owner has sent since it called `serve`.
  public func flush(poller: inout Poller) {
    let turn = queue
    queue = []
    for token in turn {
      guard let connection = connections[token] else { continue }
      connection.isQueued = false
      flush(connection)
      if connection.canTakeCall, !connection.input.isEmpty { enqueue(connection) }
      settle(connection, poller: &poller)
    }
  }

  private func visit(_ connection: Connection, budget: inout Budget, _ body: (Event) -> Void) {
    flush(connection)
    guard connection.canTakeCall else { return }
    switch connection.input.next() {
    case .nothing:
      // What is there may become a message, unless nothing more can come.
      guard !connection.isOpen, !connection.input.isEmpty else { return }
      if connection.isDeaf {
        connection.input.removeAll()
      } else {
        refuse(connection, "it ends without a NUL")
      }
    case .tooLong: refuse(connection, "it is longer than \(limits.messageBytes) bytes")
    case .message(let bytes):
      budget.bytes -= bytes.count
      budget.calls -= 1
      do throws(MalformedMessage) {
        take(try CallMessage(bytes), of: connection, body)
      } catch {
        refuse(connection, error.reason)
      }
      flush(connection)
      // There may be another call. Others have their turn first.
      if connection.canTakeCall, !connection.input.isEmpty { enqueue(connection) }
    }
  }

  private func take(
    _ message: CallMessage, of connection: Connection, _ body: (Event) -> Void
  ) {
    nextCall += 1
    let id = CallID(connection: connection.id, number: nextCall)
    connection.running = Connection.Running(
      id: id, wantsMore: message.wantsMore, isOneway: message.isOneway)
    if let reply = service.reply(to: message) {
      send(reply, to: id)
      return
    }
    connection.hasCalled = true
    body(
      .call(
        Call(
          id: id, method: message.method, wantsMore: message.wantsMore, isOneway: message.isOneway,
          peer: connection.peer, encodedParameters: message.parameters)))
  }

  private func refuse(_ connection: Connection, _ reason: String) {
    cutOff(connection, errors.malformedMessage("the message is malformed: \(reason)"))
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
    case .done, .wouldBlock: break
    case .paused: enqueue(connection)
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
    if connection.output.byteCount + byteCount > limits.queueBytes { flush(connection) }
    guard
      connection.output.isEmpty || connection.output.byteCount + byteCount <= limits.queueBytes
    else {
      cutOff(
        connection,
        errors.tooSlow(
          "more than \(limits.queueBytes) bytes of replies wait to be read: read them as they come")
      )
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
