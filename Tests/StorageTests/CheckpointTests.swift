import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class CheckpointTests: FolderSuite {
  private var path: String { folder.file() }

  /// Opens a copy of the store's files, as the next daemon does after a power cut.
  private func afterPowerCut(_ body: (Store) throws -> Void) throws {
    let other = try TemporaryFolder()
    for suffix in ["", "-wal"] { try write(contents(path + suffix), to: other.file() + suffix) }
    try body(Store(path: other.file(), options: options()))
    #expect(try faults(other.file()) == [])
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `After a power cut, a session is as it was at its last checkpoint`(seed: UInt64) throws {
    let store = try Store(path: path, options: options())
    var life = try SessionLife(seed)
    var most: Int64 = 0
    for _ in 0..<60 {
      try store.checkpoint(life.goOn())
      most = max(most, try checkpoints(store))
      switch life.dice.next() % 6 {
      case 0:
        try store.applyOwnCheckpoints()
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
    #expect(most > 2, "several checkpoints were written at a time")
    try store.checkpoint(life.end(.idle))
    #expect(try store.session(1)?.record == ordered(life.whole))
    #expect(try checkpoints(store) == 0)
    #expect(store.running.isEmpty)
  }

  @Test func `A checkpoint is one row of less than 64 bytes`() throws {
    let store = try Store(path: path, options: options())
    var session = try record(1, end: nil, key("menu", geometry(1920, 1080)))
    try store.checkpoint(session)
    #expect(try checkpoints(store) == 0, "the session was not in the store yet")
    session.changedGrids[0].counters[777] += 1
    session.changedViews[0].touches += 1
    session.totals.counted += 1
    session.totals.begun += 1
    try store.checkpoint(session)
    #expect(try checkpoints(store) == 1)
    #expect(try store.database.integer("SELECT length(changes) FROM checkpoint") < 64)
    #expect(try store.session(1)?.record.totals.counted == 1, "its row is unchanged")
    #expect(store.hasCheckpoints)
    try store.applyOwnCheckpoints()
    #expect(try store.session(1)?.record == ordered(session))
  }

  @Test func `A session has at most 60 checkpoints, of at most 256 KiB`() throws {
    let store = try Store(path: path, options: options())
    var session = try record(1, end: nil, key("menu", geometry(1920, 1080)))
    var (maximumRows, mostBytes): (Int64, Int64) = (0, 0)
    var dice = SeededGenerator(seed: 1)
    for round in 0..<110 {
      let blocks = round < 70 ? 1 : 5000
      for _ in 0..<blocks { session.changedGrids[0].counters[Int(dice.next() % 8160)] += 1 }
      try store.checkpoint(session)
      maximumRows = max(maximumRows, try checkpoints(store))
      mostBytes = max(
        mostBytes, try store.database.integer("SELECT sum(length(changes)) FROM checkpoint"))
    }
    #expect(maximumRows == 60)
    #expect((131_072...262_144).contains(mostBytes))
  }

  @Test func `Several running sessions have checkpoints of their own`() throws {
    let store = try Store(path: path, options: options())
    var lives = [try SessionLife(1, id: 1), try SessionLife(2, id: 2)]
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

  @Test func `The next checkpoint includes one that could not be written`() throws {
    let store = try Store(path: path, options: options())
    var life = try SessionLife(3)
    while try checkpoints(store) < 3 { try store.checkpoint(life.goOn()) }
    let other = try Store(path: path, options: options())
    try other.database.execute("BEGIN IMMEDIATE")
    var missed = try life.goOn()
    #expect(try failure { () throws(StoreError) in try store.checkpoint(missed) }.code == .busy)
    #expect(try failure { () throws(StoreError) in try store.applyOwnCheckpoints() }.code == .busy)
    try other.database.execute("ROLLBACK")
    missed.update(with: try life.goOn())
    try store.checkpoint(missed)
    try store.applyOwnCheckpoints()
    #expect(try store.session(1)?.record == ordered(life.whole))
  }

  @Test func `Forgetting a session deletes its checkpoints`() throws {
    _ = try makeCheckpoints(path)
    // Forget after a power cut, while no daemon runs.
    let store = try Store(path: path, options: options())
    #expect(try store.forget(.session(1)).sessions == 1)
    #expect(try checkpoints(store) == 0)
    #expect(try faults(path) == [])
  }

  @Test func `A running session that was forgotten is not written again`() throws {
    let store = try Store(path: path, options: options())
    var life = try SessionLife(9)
    while try checkpoints(store) < 3 { try store.checkpoint(life.goOn()) }
    _ = try store.forget(.span(.always))
    try store.applyOwnCheckpoints()
    #expect(try store.session(1) == nil)
    #expect(try checkpoints(store) == 0)
  }

  @Test func `A backup contains the session with its checkpoints applied`() throws {
    let versions = try makeCheckpoints(path)
    let copy = folder.file("copy.db")
    try Store(reading: path, options: options()).backUp(to: copy)
    #expect(size(copy + "-wal") == 0 && size(copy + "-shm") == 0)
    let store = try Store(reading: copy, options: options())
    #expect(try store.session(1)?.record == ordered(versions[5]))
    #expect(try checkpoints(store) == 0)
    #expect(try checkpoints(Store(reading: path, options: options())) == 5)
  }

  @Test func `A session with one touch a minute has at most five checkpoints at a time`() throws {
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

  @Test func `Whether rows are written does not depend on touches in masks`() throws {
    let counts = try [1, UInt64.max >> 2].map { masked in
      let store = try Store(path: folder.file("\(masked).db"), options: options())
      var session = try record(1, end: nil)
      session.lastUnmasked = session.lastActive
      try store.checkpoint(session)
      var counts: [Int64] = []
      for number in 1...80 as ClosedRange<Int64> {
        session.lastUnmasked?.milliseconds += 5000
        session.lastActive.milliseconds += masked == 1 ? 5000 : 9000 + number
        session.totals.masked = masked
        session.totals.begun = session.totals.counted + masked
        try store.checkpoint(session)
        counts.append(try checkpoints(store))
      }
      return counts
    }
    #expect(counts[0] == counts[1] && counts[0].max() == 60)
  }

  @Test func `How much fits checkpoints does not depend on touches in masks`() throws {
    let sizes = try [1, UInt64.max >> 2].map { masked in
      var session = try record(1, end: nil, key("menu", geometry(1920, 1080)))
      let running = RunningSession(session)
      session.totals.masked = masked
      session.totals.begun = session.totals.counted + masked
      return (6400..<6600).map { blocks in
        var next = session
        for block in 0..<blocks { next.changedGrids[0].counters[block] += 1 << 21 }
        return running.checkpoint(next)?.counted
      }
    }
    #expect(sizes[0] == sizes[1] && sizes[0].first != .some(nil) && sizes[0].last == .some(nil))
  }

  @Test func `The storage thread retries to apply checkpoints after the store was busy`() throws {
    let failures = Collected<StoreError>()
    let thread = try StorageThread(
      Store(path: path, options: options()), onError: { failures.add($0) })
    var life = try SessionLife(5)
    let reader = try Store(reading: path, options: options())
    repeat {
      thread.submit(.write(try life.goOn()))
      #expect(within(seconds: 10) { thread.health.busy == nil && thread.health.waitingBytes == 0 })
    } while try checkpoints(reader) < 3
    let other = try Store(path: path, options: options())
    try other.database.execute("BEGIN IMMEDIATE")
    let answers = Collected<Bool>()
    _ = thread.enqueue { answers.add((try? $0.get().session(1)) != nil) }
    #expect(answers.first(1) == [true], "the query reads the rows without the checkpoints")
    #expect(failures.all.map(\.code) == [.busy])
    #expect(thread.health.error?.code == .busy)
    try other.database.execute("ROLLBACK")
    #expect(within(seconds: 100) { thread.health.error == nil })
    #expect(try checkpoints(reader) == 0)
    #expect(try reader.session(1)?.record == ordered(life.whole))
    #expect(thread.finish() == nil)
  }

  @Test func `A query sees the last checkpoint`() throws {
    let thread = try StorageThread(
      Store(path: path, options: options()), onError: { Issue.record("\($0)") })
    let answers = Collected<SessionRecord?>()
    var life = try SessionLife(5)
    for round in 1...30 {
      thread.submit(.write(try life.goOn()))
      _ = thread.enqueue { answers.add(try? $0.get().session(1)?.record) }
      #expect(answers.first(round).last == ordered(life.whole))
      // The same when nothing else is submitted in between.
      thread.submit(.write(try life.goOn()))
      #expect(within(seconds: 10) { thread.health.busy == nil && thread.health.waitingBytes == 0 })
      let other = Collected<SessionRecord?>()
      _ = thread.enqueue { other.add(try? $0.get().session(1)?.record) }
      #expect(other.first(1) == [ordered(life.whole)])
    }
    #expect(thread.finish() == nil)
  }
}
