internal import LinuxIO

/// What a server knows of one client.
final class Connection {
  enum State {
    /// It may call.
    case open
    /// It sends no more; what it has called is answered.
    case ending
    /// Its last reply is said. What it still sends is read and thrown away, as the kernel would take the reply
    /// back from a client that is sending.
    case lingering(until: Int64)
    case closed
  }

  /// The call that is being answered.
  struct Running {
    let id: CallID
    let wantsMore: Bool
    let isOneway: Bool
  }

  /// A client that reads nothing for so long of what waits for it is cut off.
  private static let stallMicroseconds: Int64 = 30_000_000

  let id: ConnectionID
  let peer: PeerCredentials
  var standing: Standing
  let stream: UnixStream
  var state = State.open
  var input: InputBuffer
  var output = OutputQueue()
  /// The call that is made when its turn comes. Its parameters are not looked at yet.
  var next: (envelope: CallEnvelope, isUrgent: Bool)?
  var running: Running?
  /// When it connected, or made its last call, in microseconds of `CLOCK_BOOTTIME`.
  var lastCallAt = Clocks.boottime
  /// The owner knows of it.
  var hasCalled = false
  /// Nobody is there to read: replies go nowhere.
  var isDeaf = false
  /// The poller says that both directions are closed, and would say so for ever.
  var hasHungUp = false
  var discarded = 0
  /// Since when nothing was read of what waits, in microseconds of `CLOCK_BOOTTIME`; nil: nothing waits.
  var waitsSince: Int64?
  var hasEndedSending = false
  /// It is in the queue of those that have something to do.
  var isQueued = false
  /// What the poller watches it for; nil: it is not watched.
  var interest: Poller.Interest?

  init(
    id: ConnectionID, peer: PeerCredentials, standing: Standing, stream: consuming UnixStream,
    limits: ServerLimits
  ) {
    self.id = id
    self.peer = peer
    self.standing = standing
    self.stream = stream
    input = InputBuffer(limit: limits.messageBytes(standing))
  }

  var isLingering: Bool {
    if case .lingering = state { true } else { false }
  }

  /// Replies may be queued.
  var isServed: Bool {
    switch state {
    case .open, .ending: true
    case .lingering, .closed: false
    }
  }

  /// The next call may be taken: the one before is answered, and the answer is with the kernel.
  var canTakeCall: Bool { isServed && running == nil && output.isEmpty }

  /// There is a call to take: a message, or the end of one that will never be whole.
  var hasNext: Bool {
    canTakeCall && (next != nil || input.hasNext() || (!isOpen && !input.isEmpty))
  }

  /// How much of what a client sends after its last reply is thrown away before it is closed all the same, in bytes.
  var discardLimit: Int { standing == .withoutRole ? 1 << 17 : 1 << 20 }

  /// When it is cut off if nothing of what waits is read, in microseconds of `CLOCK_BOOTTIME`.
  var stallsUntil: Int64? { isServed ? waitsSince.map { $0 + Self.stallMicroseconds } : nil }

  /// When it is cut off if its client does nothing, in microseconds of `CLOCK_BOOTTIME`.
  func expiry(_ limits: ServerLimits) -> Int64? {
    guard standing == .withoutRole, isServed, running == nil else { return stallsUntil }
    return min(lastCallAt + limits.withoutRole.idleMicroseconds, stallsUntil ?? .max)
  }

  /// What it ought to be watched for.
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
    isDeaf = true
  }

  /// There is nothing more to do for it.
  var isOver: Bool {
    switch state {
    case .closed: true
    // Who cannot be told why will not be waited for.
    case .lingering: isDeaf
    // Nobody is left to receive more; what was called without is done in peace.
    case .open: isDeaf && running?.wantsMore == true
    case .ending:
      if let running {
        isDeaf && running.wantsMore
      } else {
        output.isEmpty && input.isEmpty && next == nil
      }
    }
  }
}
