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

  /// How much of what a client sends after its last reply is thrown away before it is closed all the same.
  static let discardLimit = 1 << 20

  let id: ConnectionID
  let peer: PeerCredentials
  let stream: UnixStream
  var state = State.open
  var input: InputBuffer
  var output = OutputQueue()
  var running: Running?
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

  init(id: ConnectionID, peer: PeerCredentials, stream: consuming UnixStream, messageBytes: Int) {
    self.id = id
    self.peer = peer
    self.stream = stream
    input = InputBuffer(limit: messageBytes)
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
      if let running { isDeaf && running.wantsMore } else { output.isEmpty && input.isEmpty }
    }
  }
}
