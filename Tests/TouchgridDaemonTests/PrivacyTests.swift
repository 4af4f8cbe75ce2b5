import Foundation
import Recordings
import Synchronization
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

@testable import Storage

/// Two people who differ only in what they type at a masked keypad leave the same data, byte for
/// byte. A failure reports its seed. To repeat it, set the environment variable `TOUCHGRID_SEED`.
/// `TOUCHGRID_PAIRS` is the number of pairs of each test.
@Suite struct PrivacyTests {
  private static let pairs =
    ProcessInfo.processInfo.environment["TOUCHGRID_PAIRS"].flatMap(Int.init) ?? 100
  /// The wall clock at the start of each daemon, in ms since 1970.
  private static let start: Int64 = 1_767_614_400_000
  private let seed: UInt64

  init() throws {
    seed =
      ProcessInfo.processInfo.environment["TOUCHGRID_SEED"].flatMap(UInt64.init)
      ?? .random(in: 0..<1_000_000)
    print("PrivacyTests: TOUCHGRID_SEED=\(seed)")
  }

  /// The data that one person leaves.
  private struct Trace: Equatable {
    /// The whole database file.
    var store = Data()
    var log = ""
    /// The database file after the days have been rolled up.
    var daily = Data()
    var totals: [SessionTotals] = []
    /// The touches that were counted for controls, and those of which gestures consist.
    var controlTouches: Int64 = 0
    var gestureTouches: Int64 = 0
    /// The gestures of controls.
    var controlGestures: Set<SummedGestures> = []
    /// The replies with touches that a watcher received.
    var stream: [API.WatchTouches.Reply] = []
    /// The replies with displays or masks that a watcher received.
    var layouts: [API.WatchTouches.Reply] = []
    var status: API.GetStatus.Reply?
    /// Whether the status during the typing reported more fingers than those beside the keypad.
    var isMoreDown = false
  }

  /// - Parameter checkpoint: The checkpoint interval. A long one, so that there are no checkpoints, if
  ///   the bytes of the file are compared: their grouping into transactions depends on the timing of
  ///   the storage thread, and the layout of the database's pages depends on the grouping.
  private func configuration(masking keypad: Keypad?, checkpoint: String = "10m") -> String {
    let rules =
      "store.checkpoint = '\(checkpoint)'\nlog.level = 'debug'\nsession.late_names = '500ms'\n"
      + Keypad.display + Self.controls + Self.covers
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

  private static let covers = Keypad.covers.map {
    "[[cover]]\nx = \($0.x)\ny = \($0.y)\nwidth = \($0.width)\nheight = \($0.height)\n"
  }.joined()

  // MARK: On disk

  @Test func `Pairs that type different PINs leave the same store and log`() throws {
    try compare(try traces { try record(keypad($0, $1)) }, isWatched: false)
  }

  /// Both people touch the same places outside of masks at the same times. Typing takes them up to
  /// some checkpoints longer or shorter.
  @Test func `Pairs that type at other times leave the same store and log, with checkpoints`()
    throws
  {
    let all = try traces { pair, person in
      let own = seed &+ UInt64(1_000_000 * (person + 1) + pair)
      let keypad = Keypad(
        plan: seed &+ UInt64(pair), pin: own, pace: own, keepsTime: false, isSlow: true)
      return try record(keypad, checkpoint: pair.isMultiple(of: 2) ? "5s" : "1s")
    }
    try compare(all, isWatched: false)
  }

  /// Calls `body` for both people of each pair, several at a time.
  private func traces(
    _ body: @Sendable (_ pair: Int, _ person: Int) throws -> Trace
  ) throws -> [Trace] {
    let results = Mutex<[Int: Result<Trace, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: 2 * Self.pairs) { number in
      let result = Result { try body(number / 2, number % 2) }
      results.withLock { $0[number] = result }
    }
    let all = results.withLock { $0 }
    return try (0..<2 * Self.pairs).map { try #require(all[$0]).get() }
  }

  /// Returns the keypad for one person of a pair. In every second pair, both people type at the
  /// same times.
  private func keypad(_ pair: Int, _ person: Int) -> Keypad {
    let own = seed &+ UInt64(1_000_000 * (person + 1) + pair)
    let keepsTime = pair.isMultiple(of: 2)
    return Keypad(
      plan: seed &+ UInt64(pair), pin: own, pace: keepsTime ? seed : own, keepsTime: keepsTime)
  }

  private func record(
    _ keypad: Keypad, isMasked: Bool = true, checkpoint: String? = nil
  ) throws -> Trace {
    let folder = try TemporaryFolder()
    var keypad = keypad
    let visits = try folder.write(keypad.visits().evemuText, to: "a.evemu")
    let area = Keypad.area
    let second =
      "[[mask]]\nscreen = '\(Keypad.second)'\nx = \(area.x - 8)\ny = \(area.y - 8)\n"
      + "width = \(area.width + 16)\nheight = \(area.height + 16)\n"
    let settings = try folder.write(
      configuration(masking: isMasked ? keypad : nil, checkpoint: checkpoint ?? "10m")
        + (checkpoint == nil ? "" : second), to: "touchgridd.toml")
    let log = try folder.write("", to: "log")
    let store = folder.path("touchgrid.db")
    let daemon = Process()
    daemon.executableURL = try program("touchgridd")
    daemon.arguments = [
      "--config", settings, "--store", store, "--replay", visits, "--pace", "fast",
      "--test-clock", "\(Self.start)",
    ]
    daemon.standardInput = Pipe()
    daemon.standardError = FileHandle(forWritingAtPath: log)
    try daemon.run()
    daemon.waitUntilExit()
    guard daemon.terminationStatus == 0 else { throw Failure.ended(daemon.terminationStatus) }
    return try trace(store: store, log: log, isOrdered: checkpoint != nil)
  }

  /// Reads the data that one person has left.
  /// - Parameter isOrdered: Whether to read copies of the database in which each table is rewritten
  ///   in order, as if all its rows had been written in one transaction.
  private func trace(store path: String, log: String, isOrdered: Bool = false) throws -> Trace {
    let written = try Self.file(path, isOrdered: isOrdered)
    let totals = try Self.rollUp(path)
    let text = try String(contentsOfFile: log, encoding: .utf8)
      .replacing(URL(filePath: path).deletingLastPathComponent().path, with: "FOLDER")
    func touches(_ kind: any CountKind) throws -> Int64 {
      try Store(path: path).counts(of: CountQuery(kind.name, .span(.always))).counts.reduce(0) {
        $0 + (kind.shape(of: $1.counts.subject.key)?.view?.touches($1.counts.numbers) ?? 0)
      }
    }
    let gestures = try Store(path: path).counts(of: CountQuery(GestureKind.name, .span(.always)))
    return Trace(
      store: written, log: text, daily: try Self.file(path, isOrdered: isOrdered), totals: totals,
      controlTouches: try touches(ControlKind()), gestureTouches: try touches(GestureKind()),
      controlGestures: Set(
        gestures.counts.compactMap { SummedGestures($0) }.filter { $0.control != nil }))
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
        try record(keypad(pair, person), isMasked: false)
      }
      #expect(traces.flatMap(\.totals).allSatisfy { $0.masked == 0 })
      return traces[0].store != traces[1].store && traces[0].daily != traces[1].daily
    }
    #expect(differing > pairs.count / 2)
  }

  // MARK: On the socket

  /// In half of the pairs, a client adds the mask; in the others, it is in the configuration. In every
  /// second four, there are checkpoints while people type. The
  /// app names the keypad's screen late, while the PIN is being typed.
  @Test func `Clients that watch or read the status cannot tell different PINs apart`() throws {
    let traces = try traces { pair, person in
      try watch(
        keypad(pair, person), masking: pair % 4 < 2 ? .byClient : .byConfiguration,
        checkpoint: pair % 8 < 4 ? "10m" : "1s")
    }
    try compare(traces, isWatched: true)
  }

  @Test func `Without the mask, watching clients see different PINs`() throws {
    let traces = try [0, 1].map { try watch(keypad(0, $0), masking: .none) }
    #expect(traces[0].stream != traces[1].stream)
    #expect(traces.flatMap(\.totals).allSatisfy { $0.masked == 0 })
  }

  private enum Masking {
    case none, byClient, byConfiguration
  }

  private func watch(
    _ keypad: Keypad, masking: Masking, checkpoint: String = "10m"
  ) throws -> Trace {
    var keypad = keypad
    let visit = keypad.shortVisit()
    let daemon = try RunningDaemon(
      configuration(
        masking: masking == .byConfiguration ? keypad : nil, checkpoint: checkpoint),
      playing: visit.recording, wall: Self.start)
    var watcher = try daemon.client()
    var app = try daemon.client()
    try watcher.start(API.WatchTouches())
    var trace = Trace()
    /// Lets time pass and keeps the replies that the watcher gets.
    func pass(to time: Int64) throws {
      try daemon.pass(seconds: Double(time - daemon.now) / 1_000_000)
      while let next = try? watcher.receive(API.WatchTouches.self, within: .zero) {
        let (reply, at) = (next.reply, next.reply.atUs)
        if reply.displays != nil || reply.masks != nil { trace.layouts.append(reply.since(at)) }
        if !reply.touches.isEmpty { trace.stream.append(reply) }
      }
    }
    // The touch that marks the time begins 700 ms after the start.
    let mark = daemon.now + 700_000
    try pass(to: mark + 50_000)
    if masking == .byClient { _ = try app.call(API.AddMask(mask: keypad.mask)) }
    // The app names the screen of the keypad and the next one 100 ms late.
    let shown = mark + visit.typed.lowerBound - 50_000
    try pass(to: shown + 100_000)
    _ = try app.call(API.SetScreen(name: keypad.screen, changedAtUs: shown))
    while daemon.now < mark + visit.typed.upperBound {
      let down = try app.call(API.GetStatus()).touchesDown
      trace.isMoreDown = trace.isMoreDown || down > keypad.fingersBeside
      // The app responds to keys, which are controls below the mask.
      for key in ["0", "1", "2"] {
        _ = try app.call(API.AddResponse(screen: keypad.screen, control: key, responseMs: 0))
      }
      try pass(to: min(daemon.now + 30_000, mark + visit.typed.upperBound))
    }
    try pass(to: mark + visit.typed.upperBound + 100_000)
    _ = try app.call(API.SetScreen(name: "menu", changedAtUs: mark + visit.typed.upperBound))
    try pass(to: mark + visit.end + 600_000)
    trace.status = try app.call(API.GetStatus()).timeless
    try pass(to: daemon.now + 60_000_000)
    daemon.process.waitUntilExit()
    guard daemon.process.terminationStatus == 0 else {
      throw Failure.ended(daemon.process.terminationStatus)
    }
    let stream = trace.stream.filter { $0.atUs <= mark + visit.end }.map { $0.since(mark) }
    // How many records the storage thread writes in one transaction depends on the machine's load,
    // so ordered copies of the tables are compared.
    var whole = try self.trace(
      store: daemon.store, log: daemon.folder.path("log"), isOrdered: true)
    (whole.stream, whole.layouts) = (stream, trace.layouts)
    (whole.status, whole.isMoreDown) = (trace.status, trace.isMoreDown)
    return whole
  }

  private func compare(_ traces: [Trace], isWatched: Bool) throws {
    var (masked, swallowed, counted): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var (controlTouches, gestureTouches): (Int64, Int64) = (0, 0)
    var controlGestures = 0
    for pair in 0..<Self.pairs {
      let (one, other) = (traces[2 * pair], traces[2 * pair + 1])
      let name: Comment = "pair \(pair), TOUCHGRID_SEED=\(seed)"
      #expect(one.store == other.store, name)
      #expect(one.daily == other.daily, name)
      #expect(one.log == other.log, name)
      #expect(one.totals == other.totals, name)
      #expect(one.controlTouches == other.controlTouches, name)
      #expect(one.gestureTouches == other.gestureTouches, name)
      #expect(one.controlGestures == other.controlGestures, name)
      controlGestures += one.controlGestures.count
      controlTouches += one.controlTouches
      gestureTouches += one.gestureTouches
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
        swallowed += totals.swallowed
        counted += totals.counted
      }
    }
    // Without masked, swallowed and counted touches, the test would prove nothing.
    #expect(min(masked, swallowed, counted) > 0)
    #expect(controlTouches > 0 && gestureTouches > 0 && controlGestures > 0)
  }

  private enum Failure: Error {
    case ended(Int32)
    case noDay
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
    // Whether the storage thread writes at this moment depends on the machine's load.
    reply.store.busyForMs = nil
    reply.store.waitingBytes = 0
    reply.store.bytes = 0
    return reply
  }
}
