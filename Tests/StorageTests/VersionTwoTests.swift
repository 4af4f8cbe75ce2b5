import CSQLite
import TestSupport
import Testing
import TouchModel

@testable import Storage

/// The migration of a store from version 2, which had no controls.
@Suite struct VersionTwoTests {
  let folder: TemporaryFolder
  let sessions: [SessionRecord]

  /// Makes a store of two days, with a running session.
  init() throws {
    folder = try TemporaryFolder()
    let store = try Store(path: folder.file(), options: options())
    var dice = SeededGenerator(seed: 11)
    let fleet = try Fleet(&dice)
    var sessions: [SessionRecord] = []
    for number in 0..<8 {
      let began = mayFirst + Int64(number / 4) * dayLength + Int64(number % 4) * hour
      var session = try fleet.session(Int64(number + 1), began: began, &dice)
      session.changedControls = []
      session.changedPanels = []
      if session.end == nil { session.end = .idle }
      try store.write(session)
      sessions.append(session)
    }
    let running = try record(9, began: mayFirst + 2 * dayLength, end: nil)
    try store.write(running)
    self.sessions = sessions + [running]
    try store.rollUp(today: #require(Day("2024-05-03")))
    try store.database.execute(
      """
      DROP TABLE control; DROP TABLE daily_control; DROP TABLE control_set;
      DROP TABLE panel; DROP TABLE daily_panel;
      ALTER TABLE screen_view DROP COLUMN control_sets;
      ALTER TABLE daily_view DROP COLUMN control_sets;
      PRAGMA user_version = 2;
      """)
    for statement in Schema.statements(of: 2) {
      let same = try store.database.integer(
        "SELECT count(*) FROM sqlite_schema WHERE replace(replace(sql, ' ', ''), char(10), '') = ?1",
        [.text(Schema.bare(statement))])
      #expect(same == 1, "the store has the tables of version 2: \(statement)")
    }
  }

  private func expectTheSame(_ store: Store) throws {
    #expect(try store.sessions(in: .always).count == sessions.count)
    for session in sessions {
      #expect(try store.session(session.id)?.record == ordered(session))
    }
    #expect(try store.controls(of: GridQuery(.span(.always), layer: .taps)).isEmpty)
    #expect(try store.panels(of: .span(.always)).isEmpty)
    let whole = GridQuery(.span(.always), layer: .taps)
    #expect(try !store.grids(of: whole).isEmpty)
  }

  @Test func `A store of version 2 answers queries as it is, and after the migration`() throws {
    try expectTheSame(try Store(reading: folder.file(), options: options()))
    let reader = try Store(reading: folder.file(), options: options())
    #expect(try reader.check().flatMap(\.faults) == [])
    do {
      let store = try Store(path: folder.file(), options: options())
      #expect(try store.database.integer("PRAGMA user_version") == 3)
      #expect(try store.check().flatMap(\.faults) == [])
      try expectTheSame(store)
      try expectTheSame(reader)
      #expect(try run("ls '\(folder.file()).v2'").status == 0, "a backup was made")
      // The migrated store accepts controls.
      var dice = SeededGenerator(seed: 3)
      let fleet = try Fleet(&dice)
      let late = try (0..<5).map {
        try fleet.session(10 + $0, began: mayFirst + $0 * 1000, &dice)
      }
      for var session in late {
        session.end = .idle
        try store.write(session)
      }
      #expect(try store.closeUnfinished().sessions == 1)
      try store.rollUp(today: #require(Day("2024-05-04")))
      #expect(try store.database.integer("SELECT count(*) FROM daily_control") > 0)
      #expect(try store.database.integer("SELECT count(*) FROM daily_panel") > 0)
      #expect(try store.check().flatMap(\.faults) == [])
    }
  }

  /// Appends numbers as checkpoints have them.
  private func bytes(_ numbers: [UInt64]) -> [UInt8] {
    numbers.flatMap { number in
      var (rest, bytes) = (number, [UInt8]())
      while rest > 0x7f {
        bytes.append(UInt8(rest & 0x7f) | 0x80)
        rest >>= 7
      }
      return bytes + [UInt8(rest)]
    }
  }

  @Test func `A checkpoint of the format before controls is applied`() throws {
    let running = try #require(sessions.last)
    let view = try #require(running.changedViews.first)
    func text(_ text: String) -> [UInt8] { bytes([UInt64(text.utf8.count)]) + Array(text.utf8) }
    let shape = view.key.geometry
    // One more touch, in block 5.
    let totals: [UInt64] = [
      running.totals.begun + 1, running.totals.counted + 1, 2, 0, 0, 0, 0, 0, 0, 0,
    ]
    var checkpoint: [UInt8] = [1] + bytes([1, 6000] + totals)
    checkpoint += text(view.key.display) + text(view.key.screen)
    checkpoint += bytes([
      UInt64(shape.pixelWidth), UInt64(shape.pixelHeight), shape.scale.bitPattern,
      UInt64(shape.rotation.rawValue), UInt64(shape.blockSize), 0, 0, 4500, view.touches + 1, 1, 0,
      6, 1, 0,
    ])
    checkpoint += Checkpoint.checksum(checkpoint[...])
    do {
      let raw = try Database(
        path: folder.file(), name: folder.file(), flags: SQLITE_OPEN_READWRITE)
      try raw.run(
        "INSERT INTO checkpoint (session, changes) VALUES (?1, ?2)",
        [.integer(running.id), .blob(checkpoint)])
    }
    let store = try Store(path: folder.file(), options: options())
    #expect(try store.closeUnfinished() == Store.Closed(sessions: 1))
    let closed = try #require(try store.session(running.id)?.record)
    #expect(closed.totals.counted == running.totals.counted + 1)
    #expect(closed.changedGrids.first?.counters[5] == 1)
  }
}
