import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Checks that the store contains only the number of masked touches. Their order or their positions
/// on a keypad would reveal a PIN.
struct MaskTests {
  /// Random touches inside masks. The rest of the session is the same for all random numbers.
  private struct Secret {
    var touches: [Touch] = []

    struct Touch {
      /// Milliseconds since the start of the session.
      var began: Int64
      var length: Int64
      var path: [(Int32, Int32)]
      var ending: (Phase, Cancellation?)
      var preexisting: Bool
    }

    static let count = 24

    /// Touches at random places, or on one spot in a rhythm like ghost touches.
    init(seed: UInt64, beats: Bool) {
      var random = SeededGenerator(seed: seed)
      func below(_ limit: Int64) -> Int64 { Int64(random.next() >> 33) % limit }
      for number in 0..<Self.count {
        guard !beats else {
          touches.append(
            Touch(
              began: 10_060 + Int64(number) * 1200, length: 8, path: [(900, 900)],
              ending: (.ended, nil), preexisting: false))
          continue
        }
        let isOnKeypad = below(2) == 0
        var path: [(Int32, Int32)] = []
        for _ in 0...below(4) {
          // The screen `pin` is masked as a whole, and `pay` in its lower right quarter.
          path.append(
            isOnKeypad
              ? (Int32(2100 + below(2500)), Int32(2100 + below(2500)))
              : (Int32(below(5000)) - 400, Int32(below(5000)) - 400))
        }
        touches.append(
          Touch(
            began: (isOnKeypad ? 42_100 : 10_050) + below(28_000), length: 1 + below(900),
            path: path,
            ending: [(.ended, nil), (.cancelled, .lost), (.cancelled, .palm)][Int(below(3))],
            preexisting: below(4) == 0))
      }
    }
  }

  /// Feeds touches to a `SessionRecorder` and writes its records to the store, as the daemon does.
  private final class Kiosk {
    var recorder: SessionRecorder
    let store: Store
    let device: Int
    var now = Moment(
      monotonic: Timestamp(microseconds: 1_000_000), boottime: Timestamp(microseconds: 9_000_000),
      wall: WallTime(milliseconds: mayFirst))
    private var mint = TouchIDGenerator()
    private let start: Timestamp

    init(_ store: Store, checkpoint: Int64) throws {
      self.store = store
      start = now.boottime
      recorder = SessionRecorder(
        rules: SessionRules(checkpoint: checkpoint * 1_000_000), firstSession: 1)
      let view = try key()
      var lies = try placement(view)
      lies.x = .init(minimum: 0, maximum: 4095)
      lies.y = .init(minimum: 0, maximum: 4095)
      device = recorder.addDevice(
        key: lies.device, slots: 64, isVirtual: false, placement: lies, at: now)
      let keypad = try #require(
        Rectangle(
          x: view.geometry.width / 2, y: view.geometry.height / 2, width: 999, height: 999))
      recorder.masks = try #require(
        Masks([Mask(screen: "pin"), Mask(screen: "pay", rectangle: keypad)]))
      // It lies over half of the keypad, and over a part of the screen `pin`.
      recorder.covers = [
        Cover(
          rectangle: try #require(
            Rectangle(x: keypad.x, y: keypad.y, width: keypad.x / 2, height: 999)))
      ]
    }

    /// Advances to a time, in ms since the start of the session, and does what is due until then.
    func pass(to milliseconds: Int64) throws {
      let target = start + milliseconds * 1000
      while let due = recorder.nextDeadline, due <= target {
        try step(by: max(0, due - now.boottime))
      }
      try step(by: target - now.boottime)
    }

    private func step(by microseconds: Int64) throws {
      now.monotonic = now.monotonic + microseconds
      now.boottime = now.boottime + microseconds
      now.wall.milliseconds = mayFirst + (now.boottime - start) / 1000
      recorder.advance(to: now)
      for record in recorder.takeRecords() { try store.write(record) }
      let ghosts = recorder.takeGhosts()
      if !ghosts.isEmpty { try store.addGhosts(ghosts, day: utc(now.wall)) }
    }

    func process(_ update: TouchUpdate) {
      recorder.process([update], device: device, at: now.monotonic, now: now)
    }

    func tap(at time: Int64, _ x: Int32, _ y: Int32) -> [(Int64, (Kiosk) throws -> Void)] {
      follow(
        Secret.Touch(
          began: time, length: 80, path: [(x, y), (x + 90, y)], ending: (.ended, nil),
          preexisting: false), slot: 0)
    }

    func follow(_ touch: Secret.Touch, slot: Int) -> [(Int64, (Kiosk) throws -> Void)] {
      let first = touch.path[0]
      var update = TouchUpdate(
        touch: mint.mint(), phase: .began, slot: slot, trackingID: 1, x: first.0, y: first.1,
        preexisting: touch.preexisting)
      var steps: [(Int64, (Kiosk) throws -> Void)] = []
      func add(_ time: Int64) {
        let copy = update
        steps.append((time, { $0.process(copy) }))
      }
      add(touch.began)
      for (number, point) in touch.path.dropFirst().enumerated() {
        (update.phase, update.x, update.y) = (.moved, point.0, point.1)
        add(touch.began + touch.length * Int64(number + 1) / Int64(touch.path.count))
      }
      (update.phase, update.cancellation) = touch.ending
      add(touch.began + touch.length)
      return steps
    }
  }

  private func record(_ secret: Secret, in path: String, checkpoint: Int64) throws -> String {
    let store = try Store(path: path, options: options())
    let kiosk = try Kiosk(store, checkpoint: checkpoint)
    var steps: [(Int64, (Kiosk) throws -> Void)] = []
    // Unmasked touches, at the same times in every session.
    for time in stride(from: 0, through: 75_000, by: 2500) where !(10_000..<40_000).contains(time) {
      steps += kiosk.tap(at: Int64(time), Int32(time % 1700), Int32(time % 1900))
    }
    // The screen `pin` is named 200 ms late.
    steps.append(
      (
        10_200,
        { kiosk in
          try kiosk.recorder.setScreen(
            "pin", changed: kiosk.now.monotonic + -200_000, at: kiosk.now)
        }
      ))
    steps.append((40_000, { try $0.recorder.setScreen("pay", at: $0.now) }))
    steps.append((72_000, { try $0.recorder.setScreen("menu", at: $0.now) }))
    for (number, touch) in secret.touches.enumerated() {
      steps += kiosk.follow(touch, slot: number + 1)
    }
    let sorted = steps.enumerated().sorted {
      ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
    }
    for (time, step) in sorted.map(\.element) {
      try kiosk.pass(to: time)
      try step(kiosk)
    }
    try kiosk.pass(to: 200_000)
    let totals = try #require(try store.session(1)).record.totals
    #expect(totals.masked == UInt64(Secret.count) && totals.stillDown == 0)
    #expect(totals.counted == totals.begun - totals.masked && totals.counted == 19)
    return try dump(store)
  }

  /// Returns all rows of all tables as text.
  private func dump(_ store: Store) throws -> String {
    var lines: [String] = []
    var tables: [String] = []
    try store.database.each("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1") {
      row throws(StoreError) in tables.append(try row.text(0))
    }
    for table in tables {
      var columns: [String] = []
      try store.database.each("SELECT name FROM pragma_table_info('\(table)')") {
        row throws(StoreError) in columns.append(try row.text(0))
      }
      let all = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
      try store.database.each("SELECT \(all) FROM \(table)") { row throws(StoreError) in
        lines.append("\(table): \(try row.text(0))")
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test(arguments: [5, 600] as [Int64])
  func `Sessions that differ only inside masks leave the same rows and the same file`(
    checkpoint: Int64
  ) throws {
    let folder = try TemporaryFolder()
    var dumps: [String] = []
    var files: [[UInt8]] = []
    for seed in 0..<5 as Range<UInt64> {
      let path = folder.file("\(seed).db")
      dumps.append(
        try record(Secret(seed: seed, beats: seed == 3), in: path, checkpoint: checkpoint))
      files.append(try contents(path))
    }
    for number in dumps.indices.dropFirst() {
      #expect(dumps[number] == dumps[0], "\(number)")
      let first = zip(files[number], files[0]).enumerated().first { $1.0 != $1.1 }
      #expect(first == nil, "\(number): \(String(describing: first))")
    }
  }
}
