internal import Glibc
internal import LinuxIO

/// Accepts and refuses connections.
extension Server {
  /// The maximum number of connections accepted or refused in one round. If callers without a role
  /// reconnect all the time, a caller with a role waits in the kernel's queue behind that many.
  private static let acceptsPerRound = 32

  func accept(poller: inout Poller) {
    for _ in 0..<Self.acceptsPerRound where isListening {
      do throws(SystemError) {
        guard let descriptor = try listener.accept() else { return }
        adopt(UnixStream(owning: descriptor), poller: &poller)
      } catch {
        // The client disconnected before it was accepted.
        if error.code == ECONNABORTED || error.code == EPROTO { continue }
        // Descriptors or memory are short. The listener is not watched for a while, because it
        // would stay ready.
        poller.remove(listener.descriptor)
        isListening = false
        acceptsAgainAt = Clocks.boottime + Self.retryMicroseconds
      }
    }
  }

  private func adopt(_ stream: consuming UnixStream, poller: inout Poller) {
    guard let peer = try? PeerCredentials(of: stream.descriptor) else { return }
    let standing = policy.standing(of: peer)
    let refusal = refusal(of: peer, standing)
    if let refusal, standing == .withoutRole {
      // Such a caller may connect as often as it likes, so the server sends it this message and
      // does no further work for it.
      _ = try? stream.send(EncodedReply(refusal).bytes[...])
      return
    }
    let connection = Connection(
      id: ConnectionID(token: nextToken), peer: peer, standing: standing, stream: stream,
      limits: limits)
    nextToken += 1
    connections[connection.id.token] = connection
    if let refusal { cutOff(connection, refusal) }
    settle(connection, poller: &poller)
  }

  /// Returns the error for a client that exceeds a limit; nil if it may stay.
  private func refusal(of peer: PeerCredentials, _ standing: Standing) -> VarlinkError? {
    let others = connections.values.filter {
      !$0.isLingering && ($0.standing == .withoutRole) == (standing == .withoutRole)
    }
    if others.count >= limits.clients(standing) {
      let limit = standing == .withoutRole ? limits.withoutRole.clients : limits.clients
      let clients = standing == .withoutRole ? "clients without a role" : "clients"
      return errors.tooManyClients(
        limit,
        "too many clients: \(limit) \(clients) are connected (the limit); close one, then try again"
      )
    }
    guard let limit = limits.clientsPerUser(standing),
      others.count(where: { $0.peer.user == peer.user }) >= limit
    else { return nil }
    return errors.tooManyClients(
      limit,
      "too many clients: \(limit) of user \(peer.user) are connected (the limit); close one, then try again"
    )
  }

  /// Applies a changed policy to the existing connections.
  func reconsiderStandings() {
    for connection in connections.values {
      let standing = policy.standing(of: connection.peer)
      guard standing != connection.standing else { continue }
      connection.standing = standing
      connection.input.limit = limits.messageBytes(standing)
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
