internal import LinuxIO

/// The state of one client connection.
final class Connection {
  enum State {
    /// The client may make calls.
    case open
    /// The client has ended its sending side. Its earlier calls are still answered.
    case ending
    /// The last reply has been queued. Further input is read and discarded, because closing the
    /// socket while the client is sending could lose the reply.
    case lingering(until: Int64)
    case closed
  }

  /// A call whose final reply has not been queued yet.
  struct Running {
    let id: CallID
    let wantsMore: Bool
    let isOneway: Bool
  }

  /// The time, in µs, after which a client is cut off if it reads none of its waiting replies.
  private static let stallMicroseconds: Int64 = 30_000_000

  let id: ConnectionID
  let peer: PeerCredentials
  var privilege: CallerPrivilege
  let stream: UnixStream
  var state = State.open
  var input: InputBuffer
  var output = OutputQueue()
  /// The call to make at the connection's next turn. Its parameters have not been checked yet.
  var next: (envelope: CallEnvelope, isUrgent: Bool)?
  /// The call in progress; nil if there is none.
  var running: Running?
  /// The time at which the client connected or made its last call, on `CLOCK_BOOTTIME` in µs.
  var lastCallAt = Clocks.boottime
  /// Whether a call was passed to the owner of the server, so that the owner must be told when the
  /// connection ends.
  var isKnownToOwner = false
  /// Whether the client can no longer receive replies. Its replies are then dropped.
  var cannotReceive = false
  /// Whether the poller has reported that both directions are closed. The poller must then no
  /// longer watch the connection, because it would report this again and again.
  var hasHungUp = false
  /// The number of bytes that were discarded while the connection lingered.
  var discarded = 0
  /// The time, on `CLOCK_BOOTTIME` in µs, since which the client has read none of its waiting
  /// replies; nil if none are waiting.
  var unreadSince: Int64?
  /// Whether the server has ended its sending side.
  var hasEndedSending = false
  /// Whether the connection is in a queue of connections with work to do.
  var isQueued = false
  /// The events that the poller watches for; nil if it does not watch the connection.
  var interest: Poller.Interest?

  init(
    id: ConnectionID, peer: PeerCredentials, privilege: CallerPrivilege,
    stream: consuming UnixStream,
    limits: ServerLimits
  ) {
    self.id = id
    self.peer = peer
    self.privilege = privilege
    self.stream = stream
    input = InputBuffer(limit: limits.messageBytes(privilege))
  }

  var isLingering: Bool {
    if case .lingering = state { true } else { false }
  }

  /// Whether replies may be queued.
  var isServed: Bool {
    switch state {
    case .open, .ending: true
    case .lingering, .closed: false
    }
  }

  /// Whether the next call may be taken from the input: the previous one has been answered, and the
  /// answer has been written to the socket.
  var canTakeCall: Bool { isServed && running == nil && output.isEmpty }

  /// Whether a call may be taken (`canTakeCall`) and there is something to take: the call in
  /// `next`, a whole message in the input, one that is too long, or an incomplete one whose rest
  /// can no longer arrive.
  var hasNext: Bool {
    canTakeCall && (next != nil || input.hasNext() || (!isOpen && !input.isEmpty))
  }

  /// The maximum number of bytes that are discarded after the last reply. If the client sends more,
  /// the connection is closed.
  var discardLimit: Int { privilege == .withoutRole ? 1 << 17 : 1 << 20 }

  /// The time at which the client is cut off unless it reads a waiting reply, on `CLOCK_BOOTTIME`
  /// in µs; nil if no reply is waiting.
  var stallDeadline: Int64? { isServed ? unreadSince.map { $0 + Self.stallMicroseconds } : nil }

  /// Returns the time at which the client is cut off unless it reads a waiting reply or, without a
  /// role, makes a call, on `CLOCK_BOOTTIME` in µs; nil if there is no such limit now.
  func expiry(_ limits: ServerLimits) -> Int64? {
    guard privilege == .withoutRole, isServed, running == nil else { return stallDeadline }
    return min(lastCallAt + limits.withoutRole.idleMicroseconds, stallDeadline ?? .max)
  }

  /// The events that the poller should watch for; nil to remove the connection from the poller.
  var wantedInterest: Poller.Interest? {
    let output: Poller.Interest = output.isEmpty ? [] : .output
    switch state {
    case .open:
      if input.room > 0 { return output.union(.input) }
      return hasHungUp ? nil : output
    case .ending: return hasHungUp ? nil : output
    case .lingering: return output.union(.input)
    case .closed: return nil
    }
  }
}

extension Connection {
  var isOpen: Bool {
    if case .open = state { true } else { false }
  }

  func hangUp() {
    hasHungUp = true
    cannotReceive = true
  }

  /// Whether the connection can be closed now.
  var isOver: Bool {
    switch state {
    case .closed: true
    // If the client cannot receive the last reply, there is nothing to wait for.
    case .lingering: cannotReceive
    // If the client cannot receive replies, a call with "more" is useless and is abandoned. A call
    // without "more" is still completed.
    case .open: cannotReceive && running?.wantsMore == true
    case .ending:
      if let running {
        cannotReceive && running.wantsMore
      } else {
        output.isEmpty && input.isEmpty && next == nil
      }
    }
  }
}
