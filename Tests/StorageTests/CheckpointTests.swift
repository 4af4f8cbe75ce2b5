import Glibc
import Testing
import TouchModel

@testable import Storage

@Suite struct CheckpointTests {
  /// A session that goes on, and what a recorder tells of it.
  private struct Life {
    var dice: Dice
    private(set) var whole: SessionRecord
    private let keys: [GridKey]

    init(_ seed: UInt64, id: Int64 = 1) throws {
      dice = Dice(seed)
      keys = [
        try key("menu", geometry(1920, 1080)), try key("späti/支払い", geometry(320, 200)),
        try key("menu", geometry(320, 200, scale: 1.5, rotation: .quarter)),
      ]
      whole = SessionRecord(
        id: id, began: WallTime(milliseconds: mayFirst),
        lastActive: WallTime(milliseconds: mayFirst))
    }

    mutating func goOn() throws -> SessionRecord {
      whole.lastActive.milliseconds += Int64.random(in: 0..<9000, using: &dice)
      if Int.random(in: 0..<40, using: &dice) == 0 { whole.tags["n"] = "\(dice.next())" }
      whole.totals.masked += 1
      whole.totals.begun += 1
      whole.totals.drops += dice.next() % 2
      var changes = SessionRecord(id: whole.id, began: whole.began, lastActive: whole.lastActive)
      for key in keys where dice.next() % 3 == 0 { try touch(key, &changes) }
      changes.tags = whole.tags
      changes.totals = whole.totals
      whole.update(with: changes)
      return changes
    }

    private mutating func touch(_ key: GridKey, _ changes: inout SessionRecord) throws {
      var view =
        try whole.changedViews.first { $0.key == key }
        ?? ScreenView(key: key, placements: [placement(key)])
      view.shownMilliseconds += dice.next() % 5000
      if dice.next() % 50 == 0 {
        view.placements.append(try placement(key, device: "\(dice.next())"))
      }
      if dice.next() % 50 == 0 {
        view.masks.append(try #require(Rectangle(x: 0, y: 0, width: 32, height: 16)))
      }
      for layer in Layer.allCases where dice.next() % 4 > 0 {
        var counters =
          whole.changedGrids.first { $0.key == key && $0.layer == layer }?.counters
          ?? Counters(count: key.geometry.columns * key.geometry.rows)
        for _ in 0..<(dice.next() % 30) {
          let index = Int.random(in: 0..<counters.count, using: &dice)
          // At times a ghost is moved out.
          if layer != .taps, counters[index] > 0, dice.next() % 4 == 0 {
            counters.subtract(1, at: index)
          } else {
            let amount = layer == .dwell ? dice.next() >> (40 + dice.next() % 24) : 1
            counters.add(amount, at: index)
            guard layer == .taps else { continue }
            view.touches += 1
            whole.totals.counted += 1
            whole.totals.begun += 1
          }
        }
        changes.changedGrids.append(Grid(key: key, layer: layer, counters: counters))
      }
      changes.changedViews.append(view)
    }

    mutating func end(_ reason: SessionEnd) -> SessionRecord {
      whole.end = reason
      return whole
    }
  }

  private let folder: Folder
  private var path: String { folder.file() }

  init() throws { folder = try Folder() }

  private func checkpoints(_ store: Store) throws -> Int64 {
    try store.database.integer("SELECT count(*) FROM checkpoint")
  }

  /// The files as a power cut would leave them, opened by the next daemon.
  private func afterPowerCut(_ body: (Store) throws -> Void) throws {
    let other = try Folder()
    for suffix in ["", "-wal"] { try write(contents(path + suffix), to: other.file() + suffix) }
    try body(Store(path: other.file(), options: options()))
    #expect(try faults(other.file()) == [])
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func aSessionIsWhatItWasAtItsLastCheckpoint(seed: UInt64) throws {
    let store = try Store(path: path, options: options())
    var life = try Life(seed)
    var most: Int64 = 0
    for _ in 0..<60 {
      try store.checkpoint(life.goOn())
      most = max(most, try checkpoints(store))
      #expect(try faults(path) == [])
      switch life.dice.next() % 6 {
      case 0:
        try store.settle()
        #expect(!store.hasCheckpoints)
        #expect(try checkpoints(store) == 0)
        #expect(try store.session(1)?.record == ordered(life.whole))
      case 1:
        try afterPowerCut { next throws in
          #expect(try next.closeUnfinished() == Store.Closed(sessions: 1))
          var expected = ordered(life.whole)
          expected.end = .recovered
          #expect(try next.session(1)?.record == expected)
          #expect(try checkpoints(next) == 0)
        }
      default: break
      }
    }
    #expect(most > 2, "rows were written each time")
    try store.checkpoint(life.end(.idle))
    #expect(try store.session(1)?.record == ordered(life.whole))
    #expect(try checkpoints(store) == 0)
    #expect(store.running.isEmpty)
  }

  @Test func aCheckpointIsOneSmallRow() throws {
    let store = try Store(path: path, options: options())
    var session = try record(1, end: nil, key("menu", geometry(1920, 1080)))
    try store.checkpoint(session)
    #expect(try checkpoints(store) == 0, "nothing was known of it")
    session.changedGrids[0].counters[777] += 1
    session.changedViews[0].touches += 1
    session.totals.counted += 1
    session.totals.begun += 1
    try store.checkpoint(session)
    #expect(try checkpoints(store) == 1)
    #expect(try store.database.integer("SELECT length(changes) FROM checkpoint") < 64)
    #expect(try store.session(1)?.record.totals.counted == 1, "its row is as it was")
    #expect(store.hasCheckpoints)
    try store.settle()
    #expect(try store.session(1)?.record == ordered(session))
  }

  @Test func checkpointsAreFewAndSmall() throws {
    let store = try Store(path: path, options: options())
    var session = try record(1, end: nil, key("menu", geometry(1920, 1080)))
    var (mostRows, mostBytes): (Int64, Int64) = (0, 0)
    var dice = Dice(1)
    for round in 0..<110 {
      let blocks = round < 70 ? 1 : 1500
      for _ in 0..<blocks { session.changedGrids[0].counters[Int(dice.next() % 8160)] += 1 }
      try store.checkpoint(session)
      mostRows = max(mostRows, try checkpoints(store))
      mostBytes = max(
        mostBytes, try store.database.integer("SELECT sum(length(changes)) FROM checkpoint"))
    }
    #expect(mostRows == 60)
    #expect((65_536...131_072).contains(mostBytes))
  }

  @Test func severalSessionsRunAtOnce() throws {
    let store = try Store(path: path, options: options())
    var lives = [try Life(1, id: 1), try Life(2, id: 2)]
    for _ in 0..<20 { for index in lives.indices { try store.checkpoint(lives[index].goOn()) } }
    #expect(try checkpoints(store) > 2)
    try store.checkpoint(lives[0].end(.client))
    #expect(try store.session(1)?.record == ordered(lives[0].whole))
    try afterPowerCut { next throws in
      #expect(try next.closeUnfinished().sessions == 1)
      var expected = ordered(lives[1].whole)
      expected.end = .recovered
      #expect(try next.session(2)?.record == expected)
    }
  }

  @Test func whatCouldNotBeWrittenIsInTheNext() throws {
    let store = try Store(path: path, options: options())
    var life = try Life(3)
    while try checkpoints(store) < 3 { try store.checkpoint(life.goOn()) }
    let other = try Store(path: path, options: options())
    try other.database.execute("BEGIN IMMEDIATE")
    var missed = try life.goOn()
    #expect(try failure { () throws(StoreError) in try store.checkpoint(missed) }.code == .busy)
    #expect(try failure { () throws(StoreError) in try store.settle() }.code == .busy)
    try other.database.execute("ROLLBACK")
    missed.update(with: try life.goOn())
    try store.checkpoint(missed)
    try store.settle()
    #expect(try store.session(1)?.record == ordered(life.whole))
  }

  // MARK: Damage

  /// A store with checkpoints, closed as a power cut would, and the session after each of them.
  private func damageable() throws -> [SessionRecord] {
    let store = try Store(path: path, options: options())
    var session = try record(1, end: nil)
    try store.checkpoint(session)
    var versions = [session]
    for taps in 1...5 as ClosedRange<UInt64> {
      session.changedGrids[0].counters[Int(taps)] += taps
      session.changedViews[0].touches += taps
      session.totals.counted += taps
      session.totals.begun += taps
      try store.checkpoint(session)
      versions.append(session)
    }
    #expect(try checkpoints(store) == 5)
    return versions
  }

  private func closed() throws -> (Store.Closed, SessionRecord?) {
    let store = try Store(path: path, options: options())
    let closed = try store.closeUnfinished()
    var record = try store.session(1)?.record
    record?.end = nil
    return (closed, record)
  }

  @Test(arguments: [
    ("DELETE FROM checkpoint WHERE number = 3", 2),
    ("UPDATE checkpoint SET changes = x'' WHERE number = 4", 3),
    ("UPDATE checkpoint SET changes = CAST(changes || x'00' AS BLOB) WHERE number = 2", 1),
    ("UPDATE checkpoint SET changes = CAST(x'02' || substr(changes, 2) AS BLOB)", 0),
    ("UPDATE checkpoint SET number = 9 WHERE number = 1", 0),
  ])
  func whatComesAfterOneThatCannotBeReadIsLeftOut(damage: String, last: Int) throws {
    let versions = try damageable()
    let store = try Store(path: path, options: options())
    try store.database.execute("PRAGMA foreign_keys = OFF")
    try store.database.execute(damage)
    #expect(try faults(path).contains { $0.contains("checkpoint of it cannot be read") })
    let (closed, session) = try closed()
    #expect(closed == Store.Closed(sessions: 1, damaged: [1]))
    #expect(try faults(path) == [])
    #expect(session == ordered(versions[last]))
  }

  @Test func aSessionWithADamagedGridIsClosedAsItsRowsSay() throws {
    _ = try damageable()
    let store = try Store(path: path, options: options())
    try store.database.execute("UPDATE grid SET cells = x'00'")
    #expect(try faults(path).contains { $0.hasPrefix("sessions: grid of session 1") })
    #expect(try store.closeUnfinished() == Store.Closed(sessions: 1, damaged: [1]))
    #expect(try store.sessions(in: .always).map(\.record.totals.counted) == [1])
  }

  @Test func noCheckpointHarmsAStoreWhateverItsBytes() throws {
    _ = try damageable()
    let store = try Store(path: path, options: options())
    let good: [UInt8] = try #require(
      try store.database.first("SELECT changes FROM checkpoint WHERE number = 1") { $0.blob(0) })
    let before = try #require(try store.session(1)?.record)
    var read = 0
    func look(_ bytes: [UInt8]) {
      var record = before
      guard CheckpointReader.apply(bytes, place: 1, to: &record) else {
        #expect(record == before)
        return
      }
      read += 1
      #expect(record.totals.balances)
      #expect(record.totals.counted == record.changedViews.reduce(0) { $0 + $1.touches })
      #expect(record.changedGrids[0].counters.count == before.changedGrids[0].counters.count)
    }
    for length in good.indices { look(Array(good[..<length])) }
    for place in good.indices {
      for bit in 0..<8 {
        var bytes = good
        bytes[place] ^= 1 << bit
        look(bytes)
      }
    }
    #expect(read == 0, "a checksum tells")
    // Those whose checksum agrees.
    for place in good.indices.dropLast(4) {
      for bit in 0..<8 {
        var bytes = Array(good.dropLast(4))
        bytes[place] ^= 1 << bit
        look(bytes + Checkpoint.checksum(bytes[...]))
      }
    }
    #expect((1..<good.count * 4).contains(read), "\(read)")
    let long = [UInt8](repeating: 0, count: 1 << 20)
    look(long + Checkpoint.checksum(long[...]))
  }

  @Test func checkpointsOfSessionsThatDoNotRunGo() throws {
    _ = try damageable()
    let store = try Store(path: path, options: options())
    try store.database.execute(
      """
      UPDATE session SET ended = last_active, end_reason = 'idle';
      INSERT INTO checkpoint (session, changes) VALUES (7, x'01')
      """)
    #expect(
      try faults(path) == [
        "sessions: a checkpoint of session 1, which does not run",
        "sessions: a checkpoint of session 7, which does not run",
      ])
    #expect(try store.closeUnfinished() == Store.Closed())
    #expect(try faults(path) == [])
    #expect(try store.session(1)?.record.totals.counted == 1)
  }

  @Test func aStoreOfBeforeThereWereCheckpointsGetsTheirTable() throws {
    try Store(path: path, options: options()).write(record(1))
    try Store(path: path, options: options()).database.execute("DROP TABLE checkpoint")
    #expect(try faults(path) == [])
    let store = try Store(path: path, options: options())
    #expect(try checkpoints(store) == 0)
    try store.database.execute("ALTER TABLE checkpoint RENAME COLUMN changes TO news")
    #expect(
      try failure { () throws(StoreError) in
        _ = try Store(path: path, options: options())
      }.code == .damaged)
  }

  @Test func recoveryBringsThemIn() throws {
    let versions = try damageable()
    let new = folder.file("new.db")
    _ = try Recovery.run(path, into: new, options: options())
    #expect(try Store(reading: new, options: options()).session(1)?.record == ordered(versions[5]))
    #expect(try faults(new) == [])
  }

  @Test func moreThanThereCanBeAreNotRead() throws {
    _ = try damageable()
    let store = try Store(path: path, options: options())
    for _ in 0..<70 {
      try store.database.execute(
        "INSERT INTO checkpoint (session, changes) VALUES (1, zeroblob(100000))")
    }
    #expect(try store.closeUnfinished() == Store.Closed(sessions: 1, damaged: [1]))
    #expect(try store.session(1)?.record.totals.counted == 16)
  }

  @Test func recoveryOfAStoreWithoutTheTableIsNoDamage() throws {
    try Store(path: path, options: options()).write(record(1))
    try Store(path: path, options: options()).database.execute("DROP TABLE checkpoint")
    let report = try Recovery.run(path, into: folder.file("new.db"), options: options())
    #expect(report.damagedSpots == 0 && report.sessions == 1 && report.cutShort == [])
  }

  @Test func recoveryNamesASessionThatIsCutShort() throws {
    let versions = try damageable()
    let store = try Store(path: path, options: options())
    try store.database.execute("DELETE FROM checkpoint WHERE number = 3")
    let new = folder.file("new.db")
    #expect(try Recovery.run(path, into: new, options: options()).cutShort == [1])
    #expect(try Store(reading: new, options: options()).session(1)?.record == ordered(versions[2]))
  }

  // MARK: Elsewhere

  @Test func whatIsForgottenLeavesNoCheckpoint() throws {
    _ = try damageable()
    // As without a daemon, after a power cut.
    let store = try Store(path: path, options: options())
    #expect(try store.forget(.session(1)).sessions == 1)
    #expect(try checkpoints(store) == 0)
    #expect(try faults(path) == [])
  }

  @Test func aForgottenSessionIsNotWrittenAgain() throws {
    let store = try Store(path: path, options: options())
    var life = try Life(9)
    while try checkpoints(store) < 3 { try store.checkpoint(life.goOn()) }
    _ = try store.forget(.span(.always))
    try store.settle()
    #expect(try store.session(1) == nil)
    #expect(try checkpoints(store) == 0)
  }

  @Test func aCopyIsBroughtUpToItsCheckpoints() throws {
    let versions = try damageable()
    let copy = folder.file("copy.db")
    try Store(reading: path, options: options()).backUp(to: copy)
    #expect(size(copy + "-wal") == 0 && size(copy + "-shm") == 0)
    let store = try Store(reading: copy, options: options())
    #expect(try store.session(1)?.record == ordered(versions[5]))
    #expect(try checkpoints(store) == 0)
    #expect(try checkpoints(Store(reading: path, options: options())) == 5)
  }

  @Test func whoTouchesSeldomHasRowsAllTheSame() throws {
    let store = try Store(path: path, options: options())
    var session = try record(1, end: nil)
    var most: Int64 = 0
    for _ in 0..<20 {
      session.lastActive.milliseconds += 59_000
      try store.checkpoint(session)
      most = max(most, try checkpoints(store))
    }
    #expect(most == 5)
  }

  // MARK: Those who ask

  @Test func whatCouldNotBeSettledIsTriedAgain() throws {
    let failures = Collected<StoreError>()
    let thread = try StorageThread(
      Store(path: path, options: options()), onError: { failures.add($0) })
    var life = try Life(5)
    let reader = try Store(reading: path, options: options())
    repeat {
      thread.submit(.write(try life.goOn()))
      for _ in 0..<1000 where thread.health.busy != nil || thread.health.waitingBytes > 0 {
        usleep(1000)
      }
    } while try checkpoints(reader) < 3
    let other = try Store(path: path, options: options())
    try other.database.execute("BEGIN IMMEDIATE")
    let answers = Collected<Bool>()
    _ = thread.ask { answers.add((try? $0.get().session(1)) != nil) }
    #expect(answers.first(1) == [true], "of the rows as they are")
    #expect(failures.all.map(\.code) == [.busy])
    #expect(thread.health.error?.code == .busy)
    try other.database.execute("ROLLBACK")
    for _ in 0..<100 where thread.health.error != nil { usleep(50_000) }
    #expect(try checkpoints(reader) == 0)
    #expect(try reader.session(1)?.record == ordered(life.whole))
    #expect(thread.finish() == nil)
  }

  @Test func whoAsksTheThreadSeesTheLastCheckpoint() throws {
    let thread = try StorageThread(
      Store(path: path, options: options()), onError: { Issue.record("\($0)") })
    let answers = Collected<SessionRecord?>()
    var life = try Life(5)
    for round in 1...30 {
      thread.submit(.write(try life.goOn()))
      _ = thread.ask { answers.add(try? $0.get().session(1)?.record) }
      #expect(answers.first(round).last == ordered(life.whole))
      // And where nothing is submitted meanwhile.
      thread.submit(.write(try life.goOn()))
      for _ in 0..<1000 where thread.health.busy != nil || thread.health.waitingBytes > 0 {
        usleep(1000)
      }
      let other = Collected<SessionRecord?>()
      _ = thread.ask { other.add(try? $0.get().session(1)?.record) }
      #expect(other.first(1) == [ordered(life.whole)])
    }
    #expect(thread.finish() == nil)
  }
}
