import Glibc
import LinuxIO
import Reports
import Text
import TouchInput
import TouchModel

/// Reads the touches that a person is asked for.
protocol PanelTouches: AnyObject {
  /// Makes Ctrl-C an error of `strokes` until `end` is called, so that the terminal can be
  /// restored. Call this before a second thread exists.
  func begin() throws(Failure)
  func end()
  /// Discards the touches and lines of input from before the request.
  func discard()
  /// Whether the kernel has dropped events since `discard`, because this program was slow.
  var hasLostEvents: Bool { get }
  /// Waits until fingers were put down and lifted. Call `discard` before the request, so that no
  /// touch is lost.
  /// - Parameter pause: the pause of the daemon's recording, which must not end meanwhile.
  /// - Returns: the touches; nil if there were none, or if the person has pressed Enter.
  func strokes(pausing pause: RecordingPause?) throws(Failure) -> [PanelStroke]?
}

/// Reads one touchscreen directly, without the daemon, because only the device has raw positions
/// and the times of reports. Like the daemon, it does not grab the device or write to it.
final class PanelReader {
  enum Event {
    case frame([TouchUpdate], Timestamp)
    /// The user has pressed Enter.
    case line
    /// The other descriptor is readable.
    case other
    case unplugged
    case timeout
  }

  let touchscreen: Touchscreen
  private let input: Int32
  private var isInputOpen = true
  private var interrupts: Interrupts?
  private(set) var hasLostEvents = false
  private var mint = TouchIDGenerator()
  /// The frames that were read, and how many of them were returned.
  private var frames: [([TouchUpdate], Timestamp)] = []
  private var returned = 0

  /// - Parameter input: the descriptor of the user's terminal.
  init(_ touchscreen: Touchscreen, input: Int32 = STDIN_FILENO) {
    self.touchscreen = touchscreen
    self.input = input
  }

  /// Opens the touchscreens of this machine.
  static func touchscreens() throws(Failure) -> [Touchscreen] {
    do throws(SystemError) {
      try CoreDumps.forbid()
      let discovery = try Discovery { _, _ in false }
      _ = try discovery.enumerate()
      return discovery.touchscreens.values.sorted { $0.number < $1.number }
    } catch {
      throw Failure("the touchscreens cannot be read: \(error)")
    }
  }

  func begin() throws(Failure) {
    do throws(SystemError) { interrupts = try Interrupts() } catch { throw Failure("\(error)") }
  }

  func end() { interrupts = nil }

  /// Waits for the next frame, for a line of input, or for another descriptor.
  /// - Parameters:
  ///   - end: the time on `CLOCK_MONOTONIC`, in µs.
  ///   - other: a descriptor to watch as well.
  func next(until end: Int64, other: Int32?) throws(Failure) -> Event {
    while true {
      if returned < frames.count {
        defer { returned += 1 }
        return .frame(frames[returned].0, frames[returned].1)
      }
      forgetFrames()
      let rest = (end - Clocks.monotonic + 999) / 1000
      guard rest > 0 else { return .timeout }
      // poll(2) ignores negative descriptors.
      var waits = [
        touchscreen.descriptor, isInputOpen ? input : -1, other ?? -1, interrupts?.descriptor ?? -1,
      ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let count = unsafe poll(&waits, nfds_t(waits.count), Int32(clamping: rest))
      if count < 0, errno != EINTR { throw Failure("waiting failed: \(errorText(errno))") }
      guard count > 0 else { continue }
      if waits[3].revents != 0 { throw Failure("interrupted, and nothing was changed") }
      if waits[2].revents != 0 { return .other }
      if waits[1].revents != 0, takeLine() { return .line }
      if waits[0].revents != 0, !read() { return .unplugged }
    }
  }

  func discard() {
    var wait = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    // Bound the loop: a program may write lines endlessly.
    for _ in 0..<64 {
      guard isInputOpen, unsafe poll(&wait, 1, 0) > 0 else { break }
      _ = takeLine()
    }
    _ = read()
    forgetFrames()
    hasLostEvents = false
  }

  private func forgetFrames() {
    frames.removeAll(keepingCapacity: true)
    returned = 0
  }

  /// Reads the user's input.
  /// - Returns: whether a line has ended. At the end of input, there are no more lines.
  private func takeLine() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe Glibc.read(input, &bytes, bytes.count)
    if count <= 0 { isInputOpen = false }
    return bytes.prefix(max(0, count)).contains(UInt8(ascii: "\n"))
  }

  /// - Returns: whether the touchscreen is still connected.
  private func read() -> Bool {
    do throws(SystemError) {
      _ = try touchscreen.read(afterSilence: false, mint: &mint) { reading, time in
        switch reading {
        case .frame(let updates): frames.append((updates, time))
        case .drop: hasLostEvents = true
        }
      }
      return true
    } catch {
      return false
    }
  }
}

/// Ctrl-C and other signals that end the program. While this exists, they only make a descriptor
/// readable. When it is released, a signal that arrived ends the program.
private final class Interrupts {
  private let signals: Signals

  init() throws(SystemError) { signals = try Signals([SIGINT, SIGTERM, SIGHUP]) }

  deinit { signals.release() }

  var descriptor: Int32 { signals.descriptor }
}
