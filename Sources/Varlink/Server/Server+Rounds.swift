public import LinuxIO

/// The order in which calls are made.
extension Server {
  /// What one round may do with calls, so that the owner sees to other things in between.
  private struct Budget {
    var calls: Int
    var bytes: Int
    var isSpent: Bool { calls <= 0 || bytes <= 0 }

    mutating func spend(_ byteCount: Int) {
      calls -= 1
      bytes -= byteCount
    }
  }

  /// Connections of which the next call is known.
  private struct Lanes {
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

    /// Takes out the connection whose call is made next; nil: no more may be made in this round.
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

  /// Once a round of the owner's loop: hands over calls whose turn has come (one at a time a connection: the next when the
  /// final reply to the one before is sent and written), writes what is queued, closes what is over. Urgent calls come
  /// first, those of callers without a role last.
  /// - Parameter boottimeMicroseconds: now, on `CLOCK_BOOTTIME`.
  public func serve(
    poller: inout Poller, at boottimeMicroseconds: Int64, _ body: (Event) -> Void
  ) {
    expire(at: boottimeMicroseconds, poller: &poller)
    serveWithRole(poller: &poller, at: boottimeMicroseconds, body)
    serveWithoutRole(poller: &poller, at: boottimeMicroseconds, body)
    guard !over.isEmpty else { return }
    let over = over
    self.over = []
    for connection in over { body(.closed(connection)) }
  }

  private func serveWithRole(
    poller: inout Poller, at now: Int64, _ body: (Event) -> Void
  ) {
    guard !queue.isEmpty else { return }
    let turn = queue.compactMap { connections[$0] }
    queue = []
    var lanes = Lanes(bytes: limits.messageBytes)
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
    // Behind those that have waited.
    let (waited, others) = (
      turn.filter { !served.contains($0.id.token) }, turn.filter { served.contains($0.id.token) }
    )
    for connection in waited + others { endTurn(of: connection, poller: &poller) }
  }

  /// One call of each user, a few in all, and then none for a while: however many such callers there are, they take
  /// little of the processor.
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
    // Behind those that have waited.
    for connection in served { endTurn(of: connection, poller: &poller) }
    if !users.isEmpty { nextTurn = now + limits.withoutRole.turnMicroseconds }
  }

  private func endTurn(of connection: Connection, poller: inout Poller) {
    connection.isQueued = false
    flush(connection)
    if connection.hasNext { enqueue(connection) }
    settle(connection, poller: &poller)
  }

  /// Writes what is queued, and makes no call: for what the owner has sent since it called `serve`.
  public func flush(poller: inout Poller) {
    let turn = queue.compactMap { connections[$0] }
    queue = []
    for connection in turn { endTurn(of: connection, poller: &poller) }
  }

  /// Takes a message off what a client has sent, if its turn has come, and finds out which method it calls.
  private func takeNext(_ connection: Connection) {
    guard connection.next == nil, connection.canTakeCall else { return }
    switch connection.input.next() {
    case .nothing:
      // What is there may become a message, unless nothing more can come.
      guard !connection.isOpen, !connection.input.isEmpty else { return }
      if connection.isDeaf {
        connection.input.removeAll()
      } else {
        refuse(connection, "it ends without a NUL")
      }
    case .tooLong: refuse(connection, "it is longer than \(connection.input.limit) bytes")
    case .message(let bytes):
      do throws(MalformedMessage) {
        let envelope = try CallEnvelope(bytes)
        let isUrgent = connection.standing >= .urgent && policy.isUrgent(envelope.method)
        connection.next = (envelope, isUrgent)
      } catch {
        refuse(connection, error.reason)
      }
    }
  }

  /// Makes the next call of a connection, if it may.
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
    connection.hasCalled = true
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
