import Glibc
import LinuxIO
import Recordings
import Storage
import TestSupport
import Testing
import TouchModel

@testable import TouchInput
@testable import TouchgridDaemon

/// Panels whose events have waited in the kernel for some time. Pipes replace the device nodes. The
/// kernel's state of contacts cannot be read from a pipe, so the panels use protocol A, which does
/// not need it.
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
    let duplicate = try Pipe(isVirtual: true, saysMore: virtualSaysMore, now: now)
    let panel = try Pipe(isVirtual: false, saysMore: !virtualSaysMore, now: now)
    panels.apply(
      [.added(duplicate.touchscreen), .added(panel.touchscreen)], poller: &poller, at: .now)
    // The virtual duplicate becomes readable first.
    duplicate.write()
    panel.write()

    var ready: [Poller.Ready] = []
    try poller.wait(into: &ready, atMost: 0)
    #expect(ready.map(\.token) == [duplicate.touchscreen.number, panel.touchscreen.number])
    while !ready.isEmpty {
      let moment = Moment.now
      panels.read(ready, poller: &poller, at: moment)
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
}

/// A panel that reports through a pipe: five fingers have tapped six times within the last second.
private final class Pipe {
  let touchscreen: Touchscreen
  private let end: FileDescriptor
  private let events: [InputEvent]

  init(isVirtual: Bool, saysMore: Bool, now: Int64) throws {
    let description = DeviceDescription.anonymous(hasTrackingID: saysMore)
    // The virtual duplicate repeats the panel's events 2 ms later.
    let start = now - 1_000_000 + (isVirtual ? 2000 : 0)
    var gestures = Gestures(
      on: description, start: Timestamp(microseconds: start), beat: 8000)
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
    events = gestures.recording.events
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    end = FileDescriptor(owning: ends[1])
    let place = isVirtual ? "/sys/devices/virtual/input" : "/sys/devices/pci0000:00/input"
    touchscreen = Touchscreen(
      number: isVirtual ? 2 : 1, key: isVirtual ? "duplicate" : "panel",
      properties: NodeProperties(
        sysPath: place + "/input5/event5", node: "/dev/input/event5", properties: [:]),
      node: FileDescriptor(owning: ends[0]), description: description,
      decoder: try DeviceDecoder(description))
  }

  func write() {
    var bytes: [UInt8] = []
    func append(_ value: some FixedWidthInteger) {
      unsafe withUnsafeBytes(of: value) { unsafe bytes += $0 }
    }
    for event in events {
      append(event.time.microseconds / 1_000_000)
      append(event.time.microseconds % 1_000_000)
      append(event.type)
      append(event.code)
      append(event.value)
    }
    let written = unsafe Glibc.write(end.number, bytes, bytes.count)
    #expect(written == bytes.count)
  }
}
