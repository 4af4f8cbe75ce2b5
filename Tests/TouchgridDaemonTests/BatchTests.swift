import Foundation
import LinuxIO
import Recordings
import Storage
import TestSupport
import Testing
import TouchModel

@testable import TouchInput
@testable import TouchgridDaemon

final class BatchTests: FolderSuite {
  @Test(arguments: 0..<12 as Range<UInt64>)
  func `However events are cut into batches, the same is recorded`(seed: UInt64) throws {
    let day = SimulatedDay(seed: seed)
    let expected = try record(day, cut: nil, "each.db")
    #expect(expected.touches > 40 && expected.sessions.count > 2)
    for cut in 0..<4 as Range<UInt64> {
      let found = try record(day, cut: cut, "\(cut).db")
      #expect(found.touches == expected.touches)
      #expect(found.sessions == expected.sessions)
      #expect(found.ghosts == expected.ghosts)
      #expect(found.store == expected.store)
    }
  }

  private struct Result {
    var sessions: [Int64: SessionTotals] = [:]
    var ghosts: [GhostTally: UInt64] = [:]
    var touches: UInt64 = 0
    var store = Data()
  }

  /// Plays a day as the daemon would read it.
  /// - Parameter cut: the seed of the times when the panel is read, at most 250 ms after an event;
  ///   nil: after each frame.
  private func record(_ day: SimulatedDay, cut: UInt64?, _ name: String) throws -> Result {
    let sink = Sink()
    let capture = Capture(
      rules: day.rules, assignment: DisplayAssignment(configuration: Configuration()),
      connectors: { [] }, firstSession: 1, mint: TouchIDGenerator(), storage: sink,
      log: Log(level: .error))
    let panels = AttachedTouchscreens(
      discovery: try Discovery { _, _ in false }, capture: capture, log: Log(level: .error))
    var poller = try Poller()
    let panel = try PipedPanel()
    panels.apply([.added(panel.touchscreen)], poller: &poller, at: day.moment(.zero))

    var events = day.events[...]
    var ready: [Poller.Ready] = []
    /// Reads the events until a time, and does what is due then.
    func pass(to time: Timestamp) throws {
      // A deadline wakes the daemon, which reads the panel before it does what is due.
      while true {
        let due = capture.nextDeadline.map { day.monotonic(ofBoottime: $0) }
        let now = min(due ?? time, time)
        let count = events.prefix { $0.time <= now }.count
        try panel.write(events.prefix(count))
        events = events.dropFirst(count)
        try poller.wait(into: &ready, atMost: 0)
        panels.read(ready, ending: .none, at: day.moment(now))
        capture.advance(to: day.moment(now))
        if now == time { return }
      }
    }
    var cuts = SeededGenerator(seed: cut ?? 0)
    for step in day.steps {
      // Before a call takes effect, the panel is read.
      while let next = events.first?.time, next < step.time {
        let rest = cut == nil ? 0 : 1000 * Int64.random(in: 0...250, using: &cuts)
        try pass(to: min(next + rest, step.time))
      }
      try pass(to: step.time)
      try step.act(capture, day.moment(step.time))
    }
    panels.stop(at: day.moment(day.end))
    capture.stop(at: day.moment(day.end))

    var result = Result()
    result.touches = capture.recorder.tally.touches
    let ended = sink.records.filter { $0.end != nil }.sorted { $0.id < $1.id }
    for record in ended { result.sessions[record.id] = record.totals }
    result.store = try store(of: ended, name)
    for var tally in sink.ghosts {
      let count = tally.touches
      tally.touches = 0
      result.ghosts[tally, default: 0] += count
    }
    return result
  }

  /// The file of a store with these sessions.
  private func store(of records: [SessionRecord], _ name: String) throws -> Data {
    try {
      let store = try Store(path: folder.path(name))
      for record in records { try store.write(record) }
    }()
    return try Data(contentsOf: URL(filePath: folder.path(name)))
  }
}

/// What a random person does at a panel, and what its app tells the daemon meanwhile. All times are
/// whole ms, as those of the wall clock, which a session's beginning is calculated from.
private struct SimulatedDay {
  struct Step {
    var time: Timestamp
    var act: (Capture, Moment) throws -> Void
  }

  var events: [InputEvent] = []
  var steps: [Step] = []
  var end = Timestamp.zero
  /// Short times, so that much becomes due.
  private(set) var rules = SessionRules(idleTimeout: 4_000_000, maxDuration: 20_000_000)

  init(seed: UInt64) {
    // A checkpoint between the taps of a faulty panel adds up for how long a screen was shown until
    // a tap that later proves to be none of a person's. So no day has both.
    let hasGhosts = seed.isMultiple(of: 2)
    rules.checkpoint = hasGhosts ? 600_000_000 : 1_500_000
    var random = SeededGenerator(seed: seed)
    var gestures = Gestures(on: .anonymous(), start: .zero, beat: 8000)
    func place() -> (x: Int32, y: Int32) {
      (.random(in: 0...4095, using: &random), .random(in: 0...4095, using: &random))
    }
    for _ in 0..<60 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: gestures.tap(at: place(), duration: 1000 * .random(in: 8...300, using: &random))
      case 4..<6:
        gestures.drag(
          from: place(), to: place(), duration: 1000 * .random(in: 50...900, using: &random))
      case 6:
        for finger in 0..<5 { gestures.down(finger, place().x, place().y) }
        gestures.frame()
        for _ in 0..<30 {
          gestures.move(.random(in: 0..<5, using: &random), place().x, place().y)
          gestures.frame()
        }
        gestures.upAll()
        gestures.frame()
      case 7 where hasGhosts:
        // As a panel does that is faulty.
        for _ in 0..<6 {
          gestures.tap(at: (77, 99), duration: 16_000)
          gestures.wait(1_500_000 - 24_000)
        }
      default:
        let screen = ["menu", "pay", "pin", "end"].randomElement(using: &random) ?? "menu"
        let late = 1000 * Int64.random(in: 0...240, using: &random)
        let mask = Bool.random(using: &random)
        steps.append(
          Step(time: gestures.now) { capture, moment in
            let changed = moment.monotonic + -late
            try capture.recorder.setScreen(screen, changed: changed, at: moment)
            if mask { capture.setMasks([Mask(screen: "pin")], at: moment) }
          })
      }
      let pauses: [Int64] = [10_000, 100_000, 700_000, 2_000_000, 5_000_000]
      gestures.wait(pauses.randomElement(using: &random) ?? 0)
    }
    events = gestures.recording.events
    end = gestures.now + 30_000_000
    steps.append(Step(time: end) { _, _ in })
  }

  /// The clocks at a time of the panel's clock. The machine has slept before.
  func moment(_ time: Timestamp) -> Moment {
    Moment(
      monotonic: time, boottime: time + Self.slept,
      wall: WallTime(milliseconds: 1_767_614_400_000 + time.microseconds / 1000))
  }

  func monotonic(ofBoottime time: Timestamp) -> Timestamp { time + -Self.slept }

  private static let slept: Int64 = 3_600_000_000
}

private final class Sink: RecordSink {
  private(set) var records: [SessionRecord] = []
  private(set) var ghosts: [GhostTally] = []
  func store(_ record: SessionRecord) { records.append(record) }
  func store(_ ghosts: [GhostTally], at time: WallTime) { self.ghosts += ghosts }
}
