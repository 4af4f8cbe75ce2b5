internal import Recordings
internal import TouchModel

/// The steps of a recording in chronological order. Each device's events keep their order. A change
/// of screen comes before events with the same timestamp. If a timestamp is earlier than that of
/// the device's previous event, the previous timestamp is used instead.
struct ReplayTimeline {
  struct Step {
    enum What {
      case screen(String)
      case response(ResponseCue, screen: String)
      case event(InputEvent, device: Int)
    }
    /// The time since the first step, in µs. Never less than the offset of the previous step.
    var offset: Int64
    var what: What
  }

  /// The maximum offset, in µs: a hundred years. A file may contain any timestamps. Limiting the
  /// offsets prevents an overflow of the clocks.
  private static let maxOffset: Int64 = 36_525 * 86_400_000_000

  let steps: [Step]

  /// - Parameter devices: the recordings in one file, one for each device. Each contains all
  ///   screens of the file.
  init(_ devices: [Recording]) {
    let screens = devices.first?.screens ?? []
    var whats = screens.map { ($0.time, Step.What.screen($0.screen)) }
    for cue in devices.first?.responses ?? [] {
      // A control belongs to a named screen.
      guard let screen = screens.last(where: { $0.time <= cue.ended })?.screen else { continue }
      whats.append((cue.ended + cue.delay, .response(cue, screen: screen)))
    }
    for (number, recording) in devices.enumerated() {
      // Timestamps must not decrease, so that sorting keeps the order of the device's events.
      var latest = Timestamp(microseconds: .min)
      for event in recording.events {
        latest = max(latest, event.time)
        whats.append((latest, .event(event, device: number)))
      }
    }
    let sorted = whats.enumerated()
      .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
    let origin = sorted.first?.0 ?? .zero
    steps = sorted.map { time, what in Step(offset: min(time - origin, Self.maxOffset), what: what)
    }
  }

  /// The time from the first step to the last, in µs.
  var duration: Int64 { steps.last?.offset ?? 0 }
}

extension ResponseCue {
  /// - Parameter moment: when the response is known.
  func response(on screen: String, at moment: Moment) -> TouchResponse {
    TouchResponse(
      screen: screen, display: nil, control: control, ended: moment.monotonic + -delay,
      milliseconds: milliseconds)
  }
}

/// The clocks during a replay. All three advance together, as there is no suspend.
extension Moment {
  func later(_ microseconds: Int64) -> Moment {
    Moment(
      monotonic: monotonic + microseconds, boottime: boottime + microseconds,
      wall: WallTime(milliseconds: wall.milliseconds + microseconds / 1000))
  }

  /// Returns the moment at which `CLOCK_BOOTTIME` shows the given time.
  func at(boottime time: Timestamp) -> Moment { later(time - boottime) }
}
