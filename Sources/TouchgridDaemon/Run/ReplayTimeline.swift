internal import Recordings
internal import TouchModel

/// Everything that a recording says, in the order in which it happens: events in that of each device's
/// recording, a screen before the touches of its moment. However often a recording steps back in time, time
/// goes on.
struct ReplayTimeline {
  struct Step {
    enum What {
      case screen(String)
      case event(InputEvent, device: Int)
    }
    /// Microseconds since the first step; never less than that of the step before.
    var offset: Int64
    var what: What
  }

  /// A hundred years, in microseconds. Times in a file may be anything, and the clocks must not come to
  /// their end: what is later comes then.
  private static let longest: Int64 = 36_525 * 86_400_000_000

  let steps: [Step]

  /// - Parameter devices: the recordings of one file.
  init(_ devices: [Recording]) {
    var whats = (devices.first?.screens ?? []).map { ($0.time, Step.What.screen($0.screen)) }
    for (number, recording) in devices.enumerated() {
      // Its events do not change places where the recording steps back.
      var latest = Timestamp(microseconds: .min)
      for event in recording.events {
        latest = max(latest, event.time)
        whats.append((latest, .event(event, device: number)))
      }
    }
    let sorted = whats.enumerated()
      .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
    let origin = sorted.first?.0 ?? .zero
    steps = sorted.map { time, what in Step(offset: min(time - origin, Self.longest), what: what) }
  }

  /// Microseconds from the first step to the last.
  var duration: Int64 { steps.last?.offset ?? 0 }
}

/// The three clocks while recordings play: no suspend lies between two moments.
extension Moment {
  func later(_ microseconds: Int64) -> Moment {
    Moment(
      monotonic: monotonic + microseconds, boottime: boottime + microseconds,
      wall: WallTime(milliseconds: wall.milliseconds + microseconds / 1000))
  }

  /// The moment at which `CLOCK_BOOTTIME` shows a time.
  func at(boottime time: Timestamp) -> Moment { later(time - boottime) }
}
