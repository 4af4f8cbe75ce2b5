internal import Glibc
internal import LinuxIO

/// The event loop: waits for descriptors and timers and calls their closures, all on one thread.
final class Loop {
  private var poller: Poller
  private var watches: [UInt64: () -> Void] = [:]
  private var timers: [UInt64: (due: Int64, body: () -> Void)] = [:]
  private var lastToken: UInt64 = 0
  private var isOver = false

  init() throws(SystemError) { poller = try Poller() }

  /// A watch on a descriptor, which ends when it is released. Release it before the descriptor is
  /// closed.
  final class Watch {
    private let loop: Loop
    private let descriptor: Int32
    private let token: UInt64
    private var waitsForOutput = false

    fileprivate init(_ loop: Loop, _ descriptor: Int32, _ token: UInt64) {
      self.loop = loop
      self.descriptor = descriptor
      self.token = token
    }

    /// Sets whether the closure is also called while there is room for output.
    func waitForOutput(_ waits: Bool) throws(SystemError) {
      guard waits != waitsForOutput else { return }
      try loop.poller.setInterest(
        waits ? [.input, .output] : [.input], of: descriptor, token: token)
      waitsForOutput = waits
    }

    deinit {
      loop.poller.remove(descriptor)
      loop.watches[token] = nil
    }
  }

  /// A timer that is cancelled when it is released.
  final class Timer {
    private let loop: Loop
    private let token: UInt64

    fileprivate init(_ loop: Loop, _ token: UInt64) {
      self.loop = loop
      self.token = token
    }

    deinit { loop.timers[token] = nil }
  }

  /// Calls `body` whenever a descriptor is readable or has failed.
  func watch(_ descriptor: Int32, _ body: @escaping () -> Void) throws(SystemError) -> Watch {
    lastToken += 1
    try poller.add(descriptor, token: lastToken)
    watches[lastToken] = body
    return Watch(self, descriptor, lastToken)
  }

  /// Calls `body` once, after the given time.
  func after(milliseconds: Int, _ body: @escaping () -> Void) -> Timer {
    lastToken += 1
    timers[lastToken] = (Clocks.monotonic + Int64(milliseconds) * 1000, body)
    return Timer(self, lastToken)
  }

  /// Runs until `end` is called.
  func run() throws(SystemError) {
    var ready: [Poller.Ready] = []
    while !isOver {
      try poller.wait(into: &ready, atMost: untilNextTimer)
      // An earlier closure of this round may have removed the watch.
      for event in ready where !isOver { watches[event.token]?() }
      ring()
    }
  }

  func end() { isOver = true }

  /// The time until the next timer, in ms, rounded up; nil if there is no timer.
  private var untilNextTimer: Int32? {
    timers.values.map(\.due).min().map { due in
      Int32(clamping: max(0, (due - Clocks.monotonic + 999) / 1000))
    }
  }

  private func ring() {
    let now = Clocks.monotonic
    let due = timers.filter { $0.value.due <= now }.sorted { $0.value.due < $1.value.due }
    for (token, _) in due where !isOver { timers.removeValue(forKey: token)?.body() }
  }
}
