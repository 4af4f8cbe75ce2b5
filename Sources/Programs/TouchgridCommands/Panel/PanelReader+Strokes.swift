import LinuxIO
import Reports
import TouchModel

extension PanelReader: PanelTouches {
  /// The longest wait for a touch-down or a touch-up, in µs.
  private static let longestWait: Int64 = 120_000_000
  /// The longest time of one step, in µs: a contact that does not end, or new ones all the time, must
  /// not make it endless.
  private static let longestStep: Int64 = 30_000_000
  /// The touches are over when no finger was down for this time, in µs. A panel that loses a finger
  /// on a line finds it again sooner.
  private static let silence: Int64 = 500_000

  func strokes(pausing pause: RecordingPause?) throws(Failure) -> [PanelStroke]? {
    var recorder = PanelStrokeRecorder()
    var (end, last) = (Clocks.monotonic + Self.longestWait, Int64.max)
    while true {
      switch try next(until: min(end, last), other: pause?.descriptor) {
      case .frame(let updates, let time):
        // Contacts that were down before do not count, and do not prolong the step.
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
