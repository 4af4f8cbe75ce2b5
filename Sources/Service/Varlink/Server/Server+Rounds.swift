public import LinuxIO

/// Decides the order of calls.
extension Server {
  /// Limits the number and the size of the calls of one round, so that the owner can do other work
  /// in between.
  private struct Budget {
    var calls: Int
    var bytes: Int
    var isSpent: Bool { calls <= 0 || bytes <= 0 }

    mutating func spend(_ byteCount: Int) {
      calls -= 1
      bytes -= byteCount
    }
  }

  /// Connections with a pending call, urgent ones first.
  private struct PendingCalls {
    private var urgent: [Connection] = []
    private var others: [Connection] = []
    private var urgentBudget: Budget
    private var otherBudget: Budget

    init(bytes: Int) {
      urgentBudget = Budget(calls: 32, bytes: bytes)
      otherBudget = Budget(calls: 8, bytes: bytes)
    }

    mutating func add(_ connection: Connection) {
      guard let next = connection.next else { return }
      if next.isUrgent { urgent.append(connection) } else { others.append(connection) }
    }

    /// Removes and returns the connection with the next call; nil if no connection remains or the
    /// budget of this round is spent.
    mutating func next() -> Connection? {
      if !urgent.isEmpty, !urgentBudget.isSpent { return Self.take(&urgent, &urgentBudget) }
      if !others.isEmpty, !otherBudget.isSpent { return Self.take(&others, &otherBudget) }
      return nil
    }

    private static func take(_ lane: inout [Connection], _ budget: inout Budget) -> Connection {
      let connection = lane.removeFirst()
      budget.spend(connection.next?.envelope.byteCount ?? 0)
      return connection
    }
  }

  /// Serves the connections: passes pending calls to `body`, writes queued replies and closes
  /// connections that have ended. Call it once in each round of the owner's event loop. A
  /// connection has one call at a time: its next call waits until the final reply to the previous
  /// one has been written. Urgent calls come first, and those of callers without a role last.
  /// - Parameters:
  ///   - boottimeMicroseconds: the current time on `CLOCK_BOOTTIME`, in µs.
  ///   - body: called for each call, and then for each connection that has ended.
  public func serve(
    poller: inout Poller, at boottimeMicroseconds: Int64, _ body: (Event) -> Void
  ) {
    expire(at: boottimeMicroseconds, poller: &poller)
    serveWithRole(poller: &poller, at: boottimeMicroseconds, body)
    serveWithoutRole(poller: &poller, at: boottimeMicroseconds, body)
    guard !endedConnections.isEmpty else { return }
    let ended = endedConnections
    endedConnections = []
    for connection in ended { body(.closed(connection)) }
  }

  private func serveWithRole(
    poller: inout Poller, at now: Int64, _ body: (Event) -> Void
  ) {
    guard !queue.isEmpty else { return }
    let turn = queue.compactMap { connections[$0] }
    queue = []
    var lanes = PendingCalls(bytes: limits.messageBytes)
    for connection in turn {
      flush(connection)
      takeNext(connection)
      lanes.add(connection)
    }
    var served: Set<UInt64> = []
    while let connection = lanes.next() {
      call(connection, at: now, body)
      served.insert(connection.id.token)
      flush(connection)
      takeNext(connection)
      lanes.add(connection)
    }
    // Connections that were served go behind those that are still waiting.
    let (waited, others) = (
      turn.filter { !served.contains($0.id.token) }, turn.filter { served.contains($0.id.token) }
    )
    for connection in waited + others { endTurn(of: connection, poller: &poller) }
  }

  /// Serves callers without a role: in one turn at most one call of each user, and at most
  /// `WithoutRole.calls` in total. So they take little processing time, no matter how many they
  /// are.
  private func serveWithoutRole(
    poller: inout Poller, at now: Int64, _ body: (Event) -> Void
  ) {
    guard !waiting.isEmpty, nextTurn <= now else { return }
    let turn = waiting.compactMap { connections[$0] }
    waiting = []
    var users: Set<UInt32> = []
    var served: [Connection] = []
    for connection in turn {
      flush(connection)
      guard connection.hasNext, users.count < limits.withoutRole.calls,
        users.insert(connection.peer.user).inserted
      else {
        endTurn(of: connection, poller: &poller)
        continue
      }
      takeNext(connection)
      call(connection, at: now, body)
      served.append(connection)
    }
    // Connections that were served go behind those that are still waiting.
    for connection in served { endTurn(of: connection, poller: &poller) }
    if !users.isEmpty { nextTurn = now + limits.withoutRole.turnMicroseconds }
  }

  private func endTurn(of connection: Connection, poller: inout Poller) {
    connection.isQueued = false
    flush(connection)
    if connection.hasNext { enqueue(connection) }
    closeOrUpdateInterest(connection, poller: &poller)
  }

  /// Writes queued replies to clients with a role, without making calls. Used for replies that were
  /// sent after `serve`.
  public func flush(poller: inout Poller) {
    let turn = queue.compactMap { connections[$0] }
    queue = []
    for connection in turn { endTurn(of: connection, poller: &poller) }
  }

  /// Takes the next message from the input and decodes it, unless a call is already waiting or
  /// running. Also determines whether its method is urgent.
  private func takeNext(_ connection: Connection) {
    guard connection.next == nil, connection.canTakeCall else { return }
    switch connection.input.next() {
    case .nothing:
      // An incomplete message can still be completed unless the client has ended its sending side.
      guard !connection.isOpen, !connection.input.isEmpty else { return }
      if connection.cannotReceive {
        connection.input.removeAll()
      } else {
        refuse(connection, "it ends without a NUL")
      }
    case .tooLong: refuse(connection, "it is longer than \(connection.input.limit) bytes")
    case .message(let bytes):
      do throws(MalformedMessage) {
        let envelope = try CallEnvelope(bytes)
        let isUrgent = connection.privilege >= .urgent && policy.isUrgent(envelope.method)
        connection.next = (envelope, isUrgent)
      } catch {
        refuse(connection, error.reason)
      }
    }
  }

  /// Makes the pending call of a connection, or sends an error if the caller is not permitted to
  /// make it.
  private func call(_ connection: Connection, at now: Int64, _ body: (Event) -> Void) {
    guard let envelope = connection.next?.envelope, connection.canTakeCall else { return }
    connection.next = nil
    connection.lastCallAt = now
    nextCall += 1
    let id = CallID(connection: connection.id, number: nextCall)
    connection.running = Connection.Running(
      id: id, wantsMore: envelope.wantsMore, isOneway: envelope.isOneway)
    do throws(VarlinkError) {
      try service.check(envelope)
      if !service.answers(envelope) { try policy.check(envelope.method, by: connection.peer) }
    } catch {
      send(EncodedReply(error), to: id)
      return
    }
    let message: CallMessage
    do throws(MalformedMessage) { message = try CallMessage(envelope) } catch {
      return refuse(connection, error.reason)
    }
    if service.answers(envelope) {
      send(service.reply(to: message), to: id)
      return
    }
    connection.isKnownToOwner = true
    body(
      .call(
        Call(
          id: id, method: envelope.method, wantsMore: envelope.wantsMore,
          isOneway: envelope.isOneway, peer: connection.peer,
          encodedParameters: message.parameters)))
  }

  private func refuse(_ connection: Connection, _ reason: String) {
    cutOff(connection, errors.malformedMessage("the message is malformed: \(reason)"))
  }
}
