internal import Glibc
internal import LinuxIO

/// Waits for descriptors and times, and calls whoever wants to know: all on one thread.
final class Loop {
  private var poller: Poller
  private var watches: [UInt64: () -> Void] = [:]
  private var timers: [UInt64: (due: Int64, body: () -> Void)] = [:]
  private var lastToken: UInt64 = 0
  private var isOver = false

  init() throws(SystemError) { poller = try Poller() }

  /// A descriptor that is watched for as long as this lives, which must be less long than the descriptor.
  final class Watch {
    private let loop: Loop
    private let descriptor: Int32
    private let token: UInt64

    fileprivate init(_ loop: Loop, _ descriptor: Int32, _ token: UInt64) {
      self.loop = loop
      self.descriptor = descriptor
      self.token = token
    }

    deinit {
      loop.poller.remove(descriptor)
      loop.watches[token] = nil
    }
  }

  /// A time that is waited for as long as this lives.
  final class Timer {
    private let loop: Loop
    private let token: UInt64

    fileprivate init(_ loop: Loop, _ token: UInt64) {
      self.loop = loop
      self.token = token
    }

    deinit { loop.timers[token] = nil }
  }

  /// Calls `body` whenever a descriptor is readable or broken.
  func watch(_ descriptor: Int32, _ body: @escaping () -> Void) throws(SystemError) -> Watch {
    lastToken += 1
    try poller.add(descriptor, token: lastToken)
    watches[lastToken] = body
    return Watch(self, descriptor, lastToken)
  }

  /// Calls `body` once.
  func after(milliseconds: Int, _ body: @escaping () -> Void) -> Timer {
    lastToken += 1
    timers[lastToken] = (Clocks.monotonic + Int64(milliseconds) * 1000, body)
    return Timer(self, lastToken)
  }

  /// Until `end` is called.
  func run() throws(SystemError) {
    var ready: [Poller.Ready] = []
    while !isOver {
      try poller.wait(into: &ready, atMost: untilNextTimer)
      // Whoever is called may have made others fall away.
      for event in ready where !isOver { watches[event.token]?() }
      ring()
    }
  }

  func end() { isOver = true }

  /// In milliseconds, rounded up.
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
