internal import Glibc
public import LinuxIO

/// Accepts and refuses connections.
extension Server {
  /// The maximum number of connections accepted or refused in one round. Callers without a
  /// role may reconnect all the time. A caller with a role then waits behind them in the kernel's
  /// queue, so this number must not be small.
  private static let acceptsPerRound = 32

  func accept(poller: inout Poller) {
    for _ in 0..<Self.acceptsPerRound where isListening {
      do throws(SystemError) {
        guard let descriptor = try listener.accept() else { return }
        adopt(UnixStream(owning: descriptor), poller: &poller)
      } catch {
        // The client disconnected before it was accepted.
        if error.code == ECONNABORTED || error.code == EPROTO { continue }
        // Descriptors or memory have run out. The listener would stay ready, so it is not watched
        // for a while.
        poller.remove(listener.descriptor)
        isListening = false
        acceptsAgainAt = Clocks.boottime + Self.retryMicroseconds
      }
    }
  }

  private func adopt(_ stream: consuming UnixStream, poller: inout Poller) {
    guard let peer = try? PeerCredentials(of: stream.descriptor) else { return }
    let privilege = policy.privilege(of: peer)
    let refusal = refusal(of: peer, privilege)
    if let refusal, privilege == .withoutRole {
      // Such a caller may reconnect all the time, so the server only sends the error. It does not
      // wait until the caller has read it.
      _ = try? stream.send(EncodedReply(refusal).bytes[...])
      return
    }
    let connection = Connection(
      id: ConnectionID(token: nextToken), peer: peer, privilege: privilege, stream: stream,
      limits: limits)
    nextToken += 1
    connections[connection.id.token] = connection
    if let refusal { cutOff(connection, refusal) }
    closeOrUpdateInterest(connection, poller: &poller)
  }

  /// Returns the error for a client that exceeds a limit; nil if it may stay.
  private func refusal(of peer: PeerCredentials, _ privilege: CallerPrivilege) -> VarlinkError? {
    let others = connections.values.filter {
      !$0.isLingering && ($0.privilege == .withoutRole) == (privilege == .withoutRole)
    }
    if others.count >= limits.clients(privilege) {
      let limit = privilege == .withoutRole ? limits.withoutRole.clients : limits.clients
      let clients = privilege == .withoutRole ? "clients without a role" : "clients with a role"
      return errors.tooManyClients(
        limit,
        "too many clients: \(others.count) \(clients) are connected; close one, then try again")
    }
    guard let limit = limits.clientsPerUser(privilege),
      others.count(where: { $0.peer.user == peer.user }) >= limit
    else { return nil }
    return errors.tooManyClients(
      limit,
      "too many clients: user \(peer.user) has \(limit) connections already (the limit); close "
        + "one, then try again")
  }

  /// Applies a changed policy to the existing connections.
  func reconsiderPrivileges() {
    for connection in connections.values {
      let privilege = policy.privilege(of: connection.peer)
      guard privilege != connection.privilege else { continue }
      connection.privilege = privilege
      connection.input.limit = limits.messageBytes(privilege)
      connection.lastCallAt = Clocks.boottime
    }
    let queued = queue + waiting
    queue = []
    waiting = []
    for connection in queued.compactMap({ connections[$0] }) {
      connection.isQueued = false
      enqueue(connection)
    }
  }
}

extension Server {
  /// The maximum number of connections that linger after they were cut off. If there are more, the
  /// oldest are closed in the next round. Connections of callers without a role have a limit of
  /// their own.
  private static let lingeringLimit = 16
  private static let lingeringLimitWithoutRole = 8

  /// Closes lingering connections that are due, cuts off clients that have timed out, and listens
  /// again if that is due.
  func expire(at now: Int64, poller: inout Poller) {
    closeLingering(at: now, poller: &poller)
    for connection in connections.values {
      guard let expiry = connection.expiry(limits), expiry <= now else { continue }
      if connection.stallDeadline.map({ $0 <= now }) ?? false {
        cutOff(
          connection,
          errors.tooSlow("no reply was read for 30 s; read replies as they arrive"))
      } else {
        let seconds = limits.withoutRole.idleMicroseconds / 1_000_000
        cutOff(
          connection,
          errors.tooSlow(
            "no call for \(seconds) s; a client without a role must connect again for its next call"
          ))
      }
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

  private func closeLingering(at now: Int64, poller: inout Poller) {
    guard !lingering.isEmpty else { return }
    let all = lingering.compactMap { entry in connections[entry.token].map { ($0, entry.until) } }
    let withRole = all.filter { $0.0.privilege != .withoutRole }
    let others = all.filter { $0.0.privilege == .withoutRole }
    let due =
      all.filter { $0.1 <= now } + withRole.dropLast(Self.lingeringLimit)
      + others.dropLast(Self.lingeringLimitWithoutRole)
    // A connection may occur twice in the list.
    for (connection, _) in due where connections[connection.id.token] != nil {
      close(connection, poller: &poller)
    }
  }

  /// Sends a last error to a client. The connection is closed when the client has read it, or after
  /// `lingerMicroseconds`.
  func cutOff(_ connection: Connection, _ error: VarlinkError) {
    let until = Clocks.boottime + Self.lingerMicroseconds
    connection.state = .lingering(until: until)
    lingering.append((connection.id.token, until))
    connection.running = nil
    connection.next = nil
    connection.input.removeAll()
    connection.output.removeUnstarted()
    connection.output.append(EncodedReply(error))
    enqueueClosed(connection)
    enqueue(connection)
  }

  func enqueueClosed(_ connection: Connection) {
    guard connection.isKnownToOwner else { return }
    connection.isKnownToOwner = false
    endedConnections.append(connection.id)
  }

  /// Closes the connection if `isOver`; otherwise updates the events that the poller watches for.
  func closeOrUpdateInterest(_ connection: Connection, poller: inout Poller) {
    if connection.isOver { return close(connection, poller: &poller) }
    if connection.isLingering, connection.output.isEmpty, !connection.hasEndedSending {
      connection.stream.endSending()
      connection.hasEndedSending = true
    }
    let wanted = connection.wantedInterest
    guard wanted != connection.interest else { return }
    let descriptor = connection.stream.descriptor
    let token = connection.id.token
    do throws(SystemError) {
      switch (connection.interest, wanted) {
      case (nil, let wanted?):
        try poller.add(descriptor, token: token)
        if wanted != .input { try poller.setInterest(wanted, of: descriptor, token: token) }
      case (_?, let wanted?): try poller.setInterest(wanted, of: descriptor, token: token)
      case (_, nil): poller.remove(descriptor)
      }
      connection.interest = wanted
    } catch {
      // Without the poller, nothing would be read from or written to this connection any more.
      close(connection, poller: &poller)
    }
  }

  func close(_ connection: Connection, poller: inout Poller) {
    if connection.interest != nil { poller.remove(connection.stream.descriptor) }
    connection.interest = nil
    connection.state = .closed
    connections[connection.id.token] = nil
    lingering.removeAll { $0.token == connection.id.token }
    enqueueClosed(connection)
    // A descriptor has become free, so the server can try to accept again.
    if acceptsAgainAt != nil { acceptsAgainAt = 0 }
  }

  /// Writes as many bytes of the replies as possible without waiting, and closes all connections.
  public func stop(poller: inout Poller) {
    if isListening { poller.remove(listener.descriptor) }
    isListening = false
    acceptsAgainAt = nil
    listener.remove()
    for connection in Array(connections.values) {
      flush(connection)
      close(connection, poller: &poller)
    }
    acceptsAgainAt = nil
    endedConnections = []
    queue = []
    waiting = []
  }
}
