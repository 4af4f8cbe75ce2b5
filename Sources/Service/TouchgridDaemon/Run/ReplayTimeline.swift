internal import Recordings
internal import TouchModel

/// The steps of a recording in order of time. Each device's events keep their order. A screen comes
/// before the touches of the same moment. If timestamps in a recording go backwards, time stands
/// still instead.
struct ReplayTimeline {
  struct Step {
    enum What {
      case screen(String)
      case event(InputEvent, device: Int)
    }
    /// The time since the first step, in µs. Never less than that of the previous step.
    var offset: Int64
    var what: What
  }

  /// A hundred years, in µs, the limit for offsets. A file may contain any times; larger ones are
  /// clamped, so that the clocks do not overflow.
  private static let maxOffset: Int64 = 36_525 * 86_400_000_000

  let steps: [Step]

  /// - Parameter devices: the recordings in one file.
  init(_ devices: [Recording]) {
    var whats = (devices.first?.screens ?? []).map { ($0.time, Step.What.screen($0.screen)) }
    for (number, recording) in devices.enumerated() {
      // Timestamps never decrease, so that sorting keeps the order of the events.
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

/// The clocks during a replay. All three advance alike: there is no suspend.
extension Moment {
  func later(_ microseconds: Int64) -> Moment {
    Moment(
      monotonic: monotonic + microseconds, boottime: boottime + microseconds,
      wall: WallTime(milliseconds: wall.milliseconds + microseconds / 1000))
  }

  /// Returns the moment at which `CLOCK_BOOTTIME` shows the given time.
  func at(boottime time: Timestamp) -> Moment { later(time - boottime) }
}
