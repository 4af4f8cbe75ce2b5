import Foundation
import LinuxIO
import Recordings
import Synchronization
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

@testable import Storage

/// Two people who differ only in what they type at a masked keypad leave the same data, byte for
/// byte. A failure reports its seed. To repeat it, set the environment variable `TOUCHGRID_SEED`.
@Suite final class PrivacyTests: Sendable {
  private static let pairs = 100
  private let folder: URL
  private let environment: [String: String]
  private let seed: UInt64

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "touchgrid-privacy-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    environment = try FrozenClock.environment(in: folder)
    seed =
      ProcessInfo.processInfo.environment["TOUCHGRID_SEED"].flatMap(UInt64.init)
      ?? .random(in: 0..<1_000_000)
    print("PrivacyTests: TOUCHGRID_SEED=\(seed)")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The data that one person leaves.
  private struct Trace: Equatable {
    /// The whole database file.
    var store: Data
    var log: String
    /// The database file after the days have been rolled up.
    var daily: Data
    var totals: [SessionTotals]
    /// The touches that were counted for controls.
    var controlTouches: Int64 = 0
    /// The replies with touches that a watcher received.
    var stream: [API.WatchTouches.Reply] = []
    /// The replies with displays or masks that a watcher received.
    var layouts: [API.WatchTouches.Reply] = []
    var status: API.GetStatus.Reply?
    /// Whether the status during the typing reported more fingers than those beside the keypad.
    var isMoreDown = false
  }

  private func configuration(masking keypad: Keypad?) -> String {
    // The checkpoint interval is long, so that there are no checkpoints. Their grouping into
    // transactions would depend on the timing of the storage thread, and the layout of the
    // database's pages would depend on the grouping.
    let rules =
      "store.checkpoint = '10m'\nlog.level = 'debug'\nsession.late_names = '500ms'\n"
      + Keypad.display + Self.controls
    guard let keypad else { return rules }
    let area = Keypad.area
    let rectangle =
      keypad.isWhole
      ? "" : "x = \(area.x)\ny = \(area.y)\nwidth = \(area.width)\nheight = \(area.height)\n"
    return rules + "[[mask]]\nscreen = '\(keypad.screen)'\n" + rectangle
  }

  /// Keys of the keypad, and controls that overlap it, touch it, and lie beside it.
  private static let controls = ["pay", "pin", "menu"].map { screen in
    let area = Keypad.area
    let rectangles = [
      (area.x, area.y, 128, 100), (area.x + 128, area.y + 100, 128, 100),
      (area.x - 60, area.y - 60, 120, 120), (area.x + area.width, area.y, 80, area.height),
      (area.x, area.y + area.height + 8, area.width, 40), (20, 20, 100, 100), (800, 20, 200, 700),
    ]
    return rectangles.enumerated().map { number, area in
      "[[control]]\nscreen = '\(screen)'\nname = '\(number)'\nx = \(area.0)\ny = \(area.1)\n"
        + "width = \(area.2)\nheight = \(area.3)\n"
    }.joined()
  }.joined()

  // MARK: On disk

  @Test func `Pairs that type different PINs leave the same store and log`() throws {
    let runs = Runs(pairs: Self.pairs, atOnce: 4) { [self] pair, person in
      try record(keypad(pair, person), as: "\(pair)-\(person)")
    }
    try compare(runs, isWatched: false)
  }

  /// Returns the keypad for one person of a pair. In every second pair, both people type at the
  /// same times.
  private func keypad(_ pair: Int, _ person: Int) -> Keypad {
    let own = seed &+ UInt64(1_000_000 * (person + 1) + pair)
    let keepsTime = pair.isMultiple(of: 2)
    return Keypad(
      plan: seed &+ UInt64(pair), pin: own, pace: keepsTime ? seed : own, keepsTime: keepsTime)
  }

  private func record(_ keypad: Keypad, as name: String, isMasked: Bool = true) throws -> Trace {
    let folder = folder.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var keypad = keypad
    let files = ["a.evemu", "touchgridd.toml", "log"].map { folder.appending(path: $0) }
    try keypad.visits().evemuText.write(to: files[0], atomically: true, encoding: .utf8)
    try configuration(masking: isMasked ? keypad : nil)
      .write(to: files[1], atomically: true, encoding: .utf8)
    try Data().write(to: files[2])
    let store = folder.appending(path: "touchgrid.db").path
    let daemon = Process()
    daemon.executableURL = try program("touchgridd", preferring: "TOUCHGRID_BINARIES")
    daemon.arguments = [
      "--config", files[1].path, "--store", store, "--replay", files[0].path, "--pace", "fast",
    ]
    daemon.environment = environment
    daemon.standardError = try FileHandle(forWritingTo: files[2])
    try daemon.run()
    daemon.waitUntilExit()
    guard daemon.terminationStatus == 0 else { throw Failure.ended(daemon.terminationStatus) }
    return try trace(store: store, log: files[2])
  }

  /// Reads the data that one person has left.
  /// - Parameter isOrdered: Whether to read copies of the database in which each table is rewritten
  ///   in order, as if all its rows had been written in one transaction.
  private func trace(store path: String, log: URL, isOrdered: Bool = false) throws -> Trace {
    let written = try Self.file(path, isOrdered: isOrdered)
    let totals = try Self.rollUp(path)
    let text = try String(contentsOf: log, encoding: .utf8)
      .replacing(log.deletingLastPathComponent().path, with: "FOLDER")
    let controls = try Store(path: path).controls(
      of: GridQuery(.span(.always), layer: .taps))
    return Trace(
      store: written, log: text, daily: try Self.file(path, isOrdered: isOrdered), totals: totals,
      controlTouches: controls.reduce(0) { $0 + $1.counts.touches })
  }

  /// Returns how long a screen was shown, in ms; nil if it was not. A wrong duration means that the
  /// replay was late when the screen was named, so that the name has a later time.
  private static func shown(_ screen: String, in path: String) throws -> Int64? {
    try Store(path: path).database.first(
      "SELECT shown_ms FROM screen_view WHERE screen = ?1", [.text(screen)]
    ) { row in row.integer(0) }
  }

  private static func file(_ path: String, isOrdered: Bool) throws -> Data {
    guard isOrdered else { return try Data(contentsOf: URL(filePath: path)) }
    let copy = path + ".ordered"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try Store(path: path).database.run("VACUUM INTO ?1", [.text(copy)])
    return try Data(contentsOf: URL(filePath: copy))
  }

  private static func rollUp(_ path: String) throws -> [SessionTotals] {
    let store = try Store(path: path)
    let totals = try store.sessions(in: .always).map(\.record.totals)
    guard let later = Day("2026-06-01"), try store.rollUp(today: later).count == 1 else {
      throw Failure.noDay
    }
    return totals
  }

  /// Not all pairs differ: if both people hit the exact middle of keys at regular intervals, their
  /// taps may count as suspected ghosts, of which only the number is stored.
  @Test func `Without the mask, the stores of most pairs differ`() throws {
    let pairs = 0..<8
    let differing = try pairs.count { pair in
      let traces = try [0, 1].map { person in
        try record(keypad(pair, person), as: "bare-\(pair)-\(person)", isMasked: false)
      }
      #expect(traces.flatMap(\.totals).allSatisfy { $0.masked == 0 })
      return traces[0].store != traces[1].store && traces[0].daily != traces[1].daily
    }
    #expect(differing > pairs.count / 2)
  }

  // MARK: On the socket

  /// In half of the pairs, a client adds the mask; in the others, it is in the configuration. The
  /// app names the keypad's screen late, while the PIN is being typed.
  @Test func `Clients that watch or read the status cannot tell different PINs apart`() throws {
    let runs = Runs(pairs: Self.pairs, atOnce: 20) { [self] pair, person in
      try watch(keypad(pair, person), masking: pair % 4 < 2 ? .byClient : .byConfiguration)
    }
    try compare(runs, isWatched: true)
  }

  @Test func `Without the mask, watching clients see different PINs`() throws {
    let traces = try [0, 1].map { try watch(keypad(0, $0), masking: .none) }
    #expect(traces[0].stream != traces[1].stream)
    #expect(traces.flatMap(\.totals).allSatisfy { $0.masked == 0 })
  }

  private enum Masking {
    case none, byClient, byConfiguration
  }

  private func watch(_ keypad: Keypad, masking: Masking) throws -> Trace {
    for _ in 0..<20 {
      // If the machine was too slow, a difference proves nothing, so try again.
      do { return try watchOnce(keypad, masking: masking) } catch Failure.late {}
    }
    throw Failure.late
  }

  private func watchOnce(_ keypad: Keypad, masking: Masking) throws -> Trace {
    var keypad = keypad
    let visit = keypad.shortVisit()
    let daemon = try RunningDaemon(
      configuration(masking: masking == .byConfiguration ? keypad : nil), playing: visit.recording,
      environment: environment)
    do {
      return try watch(daemon, keypad, visit, addsMask: masking == .byClient)
    } catch is TouchgridError {
      // The recording ended before all calls were answered.
      try Self.waitForTheEnd(of: daemon)
      throw Failure.late
    }
  }

  private static func waitForTheEnd(of daemon: RunningDaemon) throws {
    daemon.process.waitUntilExit()
    let status = daemon.process.terminationStatus
    guard daemon.process.terminationReason == .exit, status == 0 else {
      throw Failure.ended(status)
    }
  }

  private func watch(
    _ daemon: RunningDaemon, _ keypad: Keypad,
    _ visit: (recording: Recording, typed: Range<Int64>, end: Int64), addsMask: Bool
  ) throws -> Trace {
    var watcher = try daemon.client()
    var app = try daemon.client()
    try watcher.start(API.WatchTouches())
    var frames: [API.WatchTouches.Reply] = []
    var layouts: [API.WatchTouches.Reply] = []
    /// Receives replies until a touch begins, or until the daemon ends.
    /// - Returns: The time of the touch, in µs; nil at the end.
    func receive(untilTouch: Bool) throws -> Int64? {
      while let next = try watcher.receive(API.WatchTouches.self, within: .seconds(200)) {
        if next.reply.displays != nil || next.reply.masks != nil { layouts.append(next.reply) }
        guard !next.reply.touches.isEmpty else { continue }
        frames.append(next.reply)
        if untilTouch, next.reply.touches[0].phase == .began { return next.reply.atUs }
      }
      return nil
    }
    guard let mark = try? receive(untilTouch: true), frames[0].touches[0].point.x == 40 else {
      throw Failure.late
    }
    if addsMask { _ = try app.call(API.AddMask(mask: keypad.mask)) }
    guard !addsMask || Clocks.monotonic < mark + visit.typed.lowerBound else { throw Failure.late }
    let lag = try lag(&app)
    try name(keypad.screen, at: mark + visit.typed.lowerBound - 50_000, &app, usualLag: lag)
    var polls: [Int] = []
    while Clocks.monotonic < mark + visit.typed.upperBound {
      polls.append(try app.call(API.GetStatus()).touchesDown)
      // The app responds to keys, which are controls below the mask.
      for key in ["0", "1", "2"] {
        _ = try app.call(API.AddResponse(screen: keypad.screen, control: key, responseMs: 0))
      }
      usleep(30_000)
    }
    guard polls.count >= 3 else { throw Failure.late }
    try name("menu", at: mark + visit.typed.upperBound, &app, usualLag: lag)
    while Clocks.monotonic < mark + visit.end + 600_000 { usleep(20_000) }
    guard try self.lag(&app) - lag < 150_000 else { throw Failure.late }
    let status = try app.call(API.GetStatus())
    _ = try? receive(untilTouch: false)
    try Self.waitForTheEnd(of: daemon)
    let named = visit.typed.upperBound - (visit.typed.lowerBound - 50_000)
    guard try Self.shown(keypad.screen, in: daemon.store) == named / 1000 else {
      throw Failure.late
    }
    // How many records the storage thread writes in one transaction depends on the machine's load,
    // so ordered copies of the tables are compared.
    var trace = try trace(
      store: daemon.store, log: daemon.folder.appending(path: "log"), isOrdered: true)
    trace.stream = frames.filter { $0.atUs <= mark + visit.end }.map { $0.since(mark) }
    trace.layouts = layouts.map { $0.since($0.atUs) }
    trace.status = status.timeless
    trace.isMoreDown = polls.contains { $0 > keypad.fingersBeside }
    return trace
  }

  /// Names a screen late: 100 ms after `time`, from which the name applies.
  /// - Parameter usualLag: The result of `lag` before.
  /// - Throws: `.late` if the name was rejected as too late, or if the replay has fallen so far
  ///   behind that the name arrived too early.
  private func name(
    _ screen: String, at time: Int64, _ app: inout TouchgridClient, usualLag: Int64
  ) throws {
    while Clocks.monotonic < time + 100_000 { usleep(5_000) }
    do throws(TouchgridError) {
      _ = try app.call(API.SetScreen(name: screen, changedAtUs: time))
    } catch { throw Failure.late }
    guard try lag(&app) - usualLag < 80_000 else { throw Failure.late }
  }

  /// Returns how far the time of the replay is behind the clock, in µs, plus a constant. The
  /// replay's time does not advance while the replay is late.
  private func lag(_ app: inout TouchgridClient) throws -> Int64 {
    Clocks.monotonic - 1000 * (try app.call(API.GetStatus()).uptimeMs)
  }

  private func compare(_ runs: Runs<Trace>, isWatched: Bool) throws {
    var masked: UInt64 = 0
    var counted: UInt64 = 0
    var controlTouches: Int64 = 0
    for pair in 0..<Self.pairs {
      let one = try #require(try runs.result(pair, 0))
      let other = try #require(try runs.result(pair, 1))
      let name: Comment = "pair \(pair), TOUCHGRID_SEED=\(seed)"
      #expect(one.store == other.store, name)
      #expect(one.daily == other.daily, name)
      #expect(one.log == other.log, name)
      #expect(one.totals == other.totals, name)
      #expect(one.controlTouches == other.controlTouches, name)
      controlTouches += one.controlTouches
      #expect(one.stream == other.stream, name)
      #expect(one.layouts == other.layouts, name)
      #expect(one.status == other.status, name)
      #expect(!one.isMoreDown && !other.isMoreDown, name)
      // At least the touch that marks the time and the one after the keypad were received.
      let shown = Set(one.stream.flatMap(\.touches).map(\.id)).count
      #expect(shown >= (isWatched ? 2 : 0), name)
      for totals in one.totals {
        #expect(totals.isBalanced && totals.masked >= 4, name)
        masked += totals.masked
        counted += totals.counted
      }
    }
    // Without masked and counted touches, the test would prove nothing.
    #expect(masked > 0 && counted > 0 && controlTouches > 0)
  }

  private enum Failure: Error {
    case ended(Int32)
    case late, noDay
  }
}

extension API.WatchTouches.Reply {
  fileprivate func since(_ start: Int64) -> Self {
    var reply = self
    reply.atUs -= start
    return reply
  }
}

extension API.GetStatus.Reply {
  /// The status without the uptime and without the path and the size of the store.
  fileprivate var timeless: Self {
    var reply = self
    reply.uptimeMs = 0
    reply.store.path = ""
    reply.store.bytes = 0
    return reply
  }
}
