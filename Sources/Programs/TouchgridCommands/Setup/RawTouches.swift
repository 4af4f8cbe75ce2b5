import Glibc
import LinuxIO
import Text
import TouchInput
import TouchModel

/// Reads touchscreens directly, because the daemon masks every touch until the setup is complete.
/// Like the daemon, it does not grab devices or write to them.
final class RawTouches {
  struct TouchDown: Equatable {
    /// The key of the touchscreen.
    var device: String
    /// The raw position.
    var x: Int32
    var y: Int32
  }

  enum Event: Equatable {
    case touch(TouchDown)
    /// The user has pressed Enter.
    case line
    case timeout
  }

  private var touchscreens: [Touchscreen]
  private var mint = TouchIDGenerator()

  /// - Parameter keys: the keys of the touchscreens that the daemon reads.
  init(_ keys: [String]) throws(Failure) {
    touchscreens = try PanelReader.touchscreens().filter { keys.contains($0.key) }
  }

  /// Waits for the next touch-down, or for a line of input.
  /// - Parameters:
  ///   - seconds: the longest wait.
  ///   - input: the descriptor of the user's terminal.
  func next(within seconds: Int, input: Int32 = STDIN_FILENO) throws(Failure) -> Event {
    discard()
    let end = Clocks.monotonic + Int64(seconds) * 1_000_000
    while true {
      let rest = (end - Clocks.monotonic) / 1000
      guard rest > 0 else { return .timeout }
      var waits = (touchscreens.map(\.descriptor) + [input]).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let count = unsafe poll(&waits, nfds_t(waits.count), Int32(clamping: rest))
      if count < 0, errno != EINTR { throw Failure("waiting failed: \(errorText(errno))") }
      if waits.last?.revents != 0 { return .line }
      for (touchscreen, wait) in zip(touchscreens, waits) where wait.revents != 0 {
        if let touch = read(touchscreen) { return .touch(touch) }
        // Stop watching an unplugged touchscreen: it would be reported again and again.
        if wait.revents & Int16(POLLHUP | POLLERR) != 0 {
          touchscreens.removeAll { $0 === touchscreen }
        }
      }
    }
  }

  /// Discards touches from before the question.
  private func discard() {
    for touchscreen in touchscreens { _ = read(touchscreen) }
  }

  /// Reads the events of a touchscreen.
  /// - Returns: the first touch-down.
  private func read(_ touchscreen: Touchscreen) -> TouchDown? {
    var first: TouchDown?
    // An unplugged touchscreen sends nothing more.
    _ = try? touchscreen.read(afterSilence: false, mint: &mint) { reading, _ in
      guard case .frame(let updates) = reading, first == nil,
        let begun = updates.first(where: { $0.phase == .began && !$0.preexisting })
      else { return }
      first = TouchDown(device: touchscreen.key, x: begun.x, y: begun.y)
    }
    return first
  }
}
