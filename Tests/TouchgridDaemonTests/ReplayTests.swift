import Foundation
import Recordings
import Storage
import TestSupport
import Testing
import TouchModel

@testable import TouchgridDaemon

/// Replays of recordings, from a file to the store.
@Suite final class ReplayTests: FolderSuite {
  private static let demo = Project.path("Recordings/kiosk-demo.evemu")

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.store.path = folder.path("touchgrid.db")
    return configuration
  }

  private func write(_ recording: Recording, _ name: String = "a.evemu") throws -> String {
    try folder.write(recording.evemuText, to: name)
  }

  private func replay(
    _ paths: [String], _ configuration: Configuration? = nil
  ) throws -> Store {
    let configuration = configuration ?? self.configuration
    try Replay(paths, pace: .fast, configuration: configuration, log: Log(level: .error)).run()
    return try Store(reading: configuration.store.path)
  }

  @Test func `All touches of the demo are counted on the screens that were shown`() throws {
    let store = try replay([Self.demo])
    let sessions = try store.sessions(in: .always)
    let totals = try #require(sessions.first).record.totals
    #expect(sessions.count == 1)
    #expect(totals.begun == 69)
    #expect(totals.counted == 69)
    #expect(totals.isBalanced)

    // The expected count of a screen is the number of touch-downs while it was shown.
    let recording = try Recording.read(path: Self.demo)
    var expected: [String: UInt64] = [:]
    for event in recording.events
    where event.type == EventType.abs && event.code == AbsCode.mtTrackingID && event.value >= 0 {
      let cue = recording.screens.last { $0.time <= event.time }
      expected[cue?.screen ?? "default", default: 0] += 1
    }
    let screens = try store.screens(in: .always)
    #expect(
      Dictionary(uniqueKeysWithValues: screens.map { ($0.key.screen, $0.touches) }) == expected)
    for summary in try store.grids(screen: nil, layer: .taps, in: .always) {
      #expect(summary.sum.sum == expected[summary.key.screen])
    }
    // The durations for which the screens were shown add up to that of the session.
    let record = try #require(sessions.first).record
    let duration = record.lastActive.milliseconds - record.began.milliseconds
    let shown = screens.reduce(0) { $0 + Int64($1.shownMilliseconds) }
    #expect(abs(shown - duration) <= Int64(screens.count))
  }

  @Test func `Responses in a recording count for the touches that they name`() throws {
    var gestures = Gestures(on: .panel(width: 1024, height: 768))
    var configured = configuration
    let photo = try #require(Rectangle(x: 0, y: 0, width: 200, height: 200))
    configured.controls = [
      ScreenControls(screen: "menu", controls: [Control(name: "photo", rectangle: photo)])
    ]
    var cues = "# touchgrid-screen 0 menu\n"
    for response in ["- photo", "40 photo", "40 pay"] {
      gestures.tap(at: (20, 20))
      let ended = String(gestures.now.microseconds)
      cues += "# touchgrid-response \(ended.dropLast(6)).\(ended.suffix(6)) \(response)\n"
      gestures.wait(4_000_000)
    }
    let path = try folder.write(gestures.recording.evemuText + cues, to: "a.evemu")
    let store = try replay([path], configured)
    let counts = try store.counts(of: CountQuery(GestureKind.name, .span(.always))).counts
    let found = try #require(
      counts.compactMap { SummedGestures($0) }.first { $0.control == "photo" })
    #expect(found.times(.tap) == 3 && found.observed(.tap) == 2 && found.unanswered(.tap) == 1)
  }

  @Test func `A recorded calibration places touches, unless the configuration has another`() throws
  {
    var gestures = Gestures(on: .panel(width: 1024, height: 768))
    gestures.tap(at: (20, 20))
    var recording = gestures.recording
    recording.calibration = "-1 0 1 0 -1 1"
    var configured = configuration
    configured.store.path = folder.path("configured.db")
    var rule = Configuration.DeviceRule(match: "*")
    rule.calibration = .identity
    configured.deviceRules = [rule]
    let path = try write(recording)
    for (configuration, block) in [(configuration, 62 + 46 * 64), (configured, 1 + 1 * 64)] {
      let grid = try #require(
        try replay([path], configuration).grids(screen: nil, layer: .taps, in: .always).first)
      #expect(grid.sum[block] == 1 && grid.sum.sum == 1)
    }
  }

  @Test func `A panel that bounces in each frame keeps no session open`() throws {
    var gestures = Gestures(on: .singleTouch(x: 0...1023, y: 0...767))
    for pause in [0, 7_000, 70_000_000] as [Int64] {
      gestures.wait(pause)
      for value in [1, 0] as [Int32] { gestures.raw(EventType.key, KeyCode.buttonTouch, value) }
      gestures.frame()
    }
    let sessions = try replay([try write(gestures.recording)]).sessions(in: .always)
      .sorted { $0.record.id < $1.record.id }
    #expect(sessions.map(\.record.totals.counted) == [1, 1])
    #expect(sessions.allSatisfy { $0.record.totals.cancelled == 0 })
    #expect(sessions.map(\.record.end) == [.idle, .stopped])
    let first = try #require(sessions.first).record
    #expect(first.lastActive.milliseconds - first.began.milliseconds == 17)
  }

  @Test func `Ghosts outside of sessions are stored by day`() throws {
    var gestures = Gestures(on: .panel(width: 1200, height: 1920))
    for _ in 0..<40 {
      gestures.down(0, 1140, 46)
      gestures.frame()
      gestures.up(0)
      gestures.frame(after: 0)
      gestures.wait(12_864_000 - 10_000)
    }
    let store = try replay([try write(gestures.recording)])
    let sessions = try store.sessions(in: .always)
    let totals = try #require(sessions.first).record.totals
    #expect(sessions.count == 1 && totals.ghosts == totals.begun)
    // The nine minutes up to now may be on two days.
    let tallied = try store.days(in: .always).flatMap { try store.ghosts(on: $0.day) }
      .reduce(0) { $0 + $1.touches }
    #expect(tallied + totals.ghosts == 40)
  }

  @Test func `If one of several recordings has no touchscreen, none is played`() throws {
    var gestures = Gestures(on: .panel())
    gestures.tap(at: (1, 1))
    let good = try write(gestures.recording, "good.evemu")
    let bad = try write(Recording(description: DeviceDescription(name: "Keys")), "bad.evemu")
    #expect {
      _ = try replay([good, bad])
    } throws: {
      "\($0)".contains("bad.evemu") && "\($0)".contains("it announces no position axes")
    }
    #expect(!FileManager.default.fileExists(atPath: configuration.store.path))
  }

  @Test(.timeLimit(.minutes(1)))
  func `A replay with extreme times ends and counts every touch`() throws {
    var gestures = Gestures(on: .panel(width: 1024, height: 768))
    gestures.tap(at: (20, 20))
    let first = gestures.recording.events.count
    gestures.tap(at: (40, 40))
    var recording = gestures.recording
    for index in recording.events.indices.dropFirst(first) {
      recording.events[index].time = Timestamp(microseconds: 9_223_372_036_854_000_000)
    }
    let path = try write(recording)
    let store = try replay([path, path, path])
    let taps = try store.grids(screen: nil, layer: .taps, in: .always)
    #expect(taps.reduce(0) { $0 + $1.sum.sum } == 6)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `A signal ends a replay at the recorded pace, and its touches are in the store`(
    number: Int32
  ) throws {
    var gestures = Gestures(on: .panel())
    gestures.tap(at: (100, 100))
    gestures.down(0, 200, 200)
    gestures.frame()
    gestures.wait(3_600_000_000)
    gestures.up(0)
    gestures.frame()
    let daemon = try RunningDaemon(playing: gestures.recording)
    try daemon.pass(seconds: 30)
    try daemon.stop(number)
    #expect(daemon.process.terminationReason == .exit && daemon.process.terminationStatus == 0)
    let session = try #require(try Store(reading: daemon.store).sessions(in: .always).first)
    #expect(session.record.end == .stopped)
    #expect(session.record.totals.counted == 2 && session.record.totals.cancelled == 1)
    // The session ends at the time of the signal, and not at the recording's end.
    let length = session.record.lastActive.milliseconds - session.record.began.milliseconds
    #expect(length == 30_000)
  }

  @Test func `A signal ends a replay at full pace`() throws {
    var gestures = Gestures(on: .panel())
    gestures.tap(at: (100, 100))
    let replay = try Replay(
      [try write(gestures.recording)], pace: .fast, configuration: configuration,
      log: Log(level: .error))
    // The signal is blocked and stays pending until the replay reads it.
    pthread_kill(pthread_self(), SIGTERM)
    try replay.run()
    #expect(try Store(reading: configuration.store.path).sessions(in: .always).isEmpty)
  }
}
