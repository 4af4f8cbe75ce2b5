import LinuxIO
import Reports
import TouchModel

extension PanelReader: PanelTouches {
  /// The longest wait for a touch-down or a touch-up, in µs.
  private static let longestWait: Int64 = 120_000_000
  /// The longest time of a step, in µs. It ends a step in which a contact does not end, or new ones
  /// begin all the time.
  private static let longestStep: Int64 = 30_000_000
  /// The time without fingers, in µs, after which the step ends. It is longer than the gaps of a
  /// panel that loses a finger on a line.
  private static let silence: Int64 = 500_000

  func strokes(pausing pause: RecordingPause?) throws(Failure) -> [PanelStroke]? {
    var recorder = PanelStrokeRecorder()
    var (end, last) = (Clocks.monotonic + Self.longestWait, Int64.max)
    while true {
      switch try next(until: min(end, last), other: pause?.descriptor) {
      case .frame(let updates, let time):
        // Contacts from before the step neither count nor prolong it.
        guard recorder.add(updates, at: time) else { continue }
        let now = Clocks.monotonic
        last = min(last, now + Self.longestStep)
        end = now + (recorder.touchesDown == 0 ? Self.silence : Self.longestWait)
      case .line: return nil
      case .other: try pause?.check()
      case .unplugged: throw Failure("the touchscreen was unplugged; nothing was changed")
      case .timeout: return recorder.strokes.isEmpty ? nil : recorder.strokes
      }
    }
  }
}
