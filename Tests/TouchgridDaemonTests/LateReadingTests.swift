import LinuxIO
import Recordings
import TestSupport
import Testing
import TouchModel

@testable import TouchInput
@testable import TouchgridDaemon

/// Panels whose events have waited in the kernel for some time.
@Suite struct LateReadingTests {
  @Test(arguments: [true, false], [0, 250_000] as [Int64])
  func `Late touches of a panel and its virtual duplicate count once`(
    virtualSaysMore: Bool, lateNames: Int64
  ) throws {
    let log = Log(level: .error)
    var configuration = Configuration()
    configuration.session.lateNames = lateNames
    let capture = Capture(
      rules: configuration.sessionRules,
      assignment: DisplayAssignment(configuration: configuration), connectors: { [] },
      firstSession: 1, mint: TouchIDGenerator(), storage: NoStore(), log: log)
    let panels = AttachedTouchscreens(
      discovery: try Discovery { _, _ in false }, capture: capture, log: log)
    var poller = try Poller()
    let now = Clocks.monotonic
    let duplicate = try PipedPanel(isVirtual: true, saysMore: virtualSaysMore)
    let panel = try PipedPanel(isVirtual: false, saysMore: !virtualSaysMore)
    panels.apply(
      [.added(duplicate.touchscreen), .added(panel.touchscreen)], poller: &poller, at: .now)
    // The virtual duplicate becomes readable first.
    // The virtual duplicate repeats the panel's events 2 ms later.
    try duplicate.write(taps(on: duplicate, from: now - 998_000))
    try panel.write(taps(on: panel, from: now - 1_000_000))

    var ready: [Poller.Ready] = []
    try poller.wait(into: &ready, atMost: 0)
    #expect(ready.map(\.token) == [duplicate.touchscreen.number, panel.touchscreen.number])
    while !ready.isEmpty {
      let moment = Moment.now
      panels.read(ready, ending: .none, at: moment)
      capture.advance(to: moment)
      try poller.wait(into: &ready, atMost: 0)
    }
    let tallies = Dictionary(
      uniqueKeysWithValues: panels.panels.map { panel in
        (panel.touchscreen.number, capture.tally(of: panel.device))
      })
    #expect(tallies[panel.touchscreen.number]?.touches == 30)
    #expect(tallies[duplicate.touchscreen.number]?.echoes == 30)
    #expect(tallies[duplicate.touchscreen.number]?.touches == 0)
    panels.stop(at: .now)
    capture.stop(at: .now)
  }

  /// Five fingers tap six times within a second.
  private func taps(on panel: PipedPanel, from start: Int64) -> [InputEvent] {
    var gestures = Gestures(
      on: panel.touchscreen.description, start: Timestamp(microseconds: start), beat: 8000)
    for _ in 0..<6 {
      for finger in 0..<5 { gestures.down(finger, Int32(finger) * 500, 500) }
      gestures.frame()
      for step in 1...5 {
        for finger in 0..<5 { gestures.move(finger, Int32(finger) * 500, 500 + Int32(step)) }
        gestures.frame()
      }
      gestures.upAll()
      gestures.frame()
      gestures.wait(100_000)
    }
    return gestures.recording.events
  }
}
