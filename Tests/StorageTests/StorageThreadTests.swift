import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class StorageThreadTests: FolderSuite {
  let failures = Collected<StoreError>()
  let notes = Collected<StorageThread.Note>()

  /// - Parameter retries: whether the thread soon tries by itself again what has failed.
  private func start(_ limit: Int = 64 << 20, retries: Bool = false) throws -> StorageThread {
    let store = try Store(path: folder.file(), options: options())
    return try StorageThread(
      store, backlogLimit: limit, retryPause: retries ? 50_000_000 : 3_600_000_000_000,
      successor: nil, onError: { [failures] in failures.add($0) },
      onNote: { [notes] in notes.add($0) })
  }

  private func ids() throws -> [Int64] {
    try Store(reading: folder.file(), options: options()).sessions(in: .always).map(\.record.id)
  }

  /// Simulates a disk that does not answer: another connection holds a write lock.
  private func block() throws -> Store {
    let other = try Store(path: folder.file(), options: options())
    try other.database.execute("BEGIN IMMEDIATE")
    return other
  }

  @Test func `Everything submitted is written by the end`() throws {
    let thread = try start()
    for id in 1...50 { thread.submit(.write(try record(Int64(id)))) }
    let tally = GhostTally(device: "a", x: 1, y: 2, periodMilliseconds: 3, touches: 4)
    let day = try #require(Day("2024-05-01"))
    thread.submit(.addGhosts([tally], day: day))
    #expect(thread.finish() == nil)
    #expect(failures.all.isEmpty)
    #expect(try ids() == Array(1...50))
    #expect(try Store(reading: folder.file()).ghosts(on: day) == [tally])
    #expect(size(folder.file() + "-wal") == 0, "the store was closed")
  }

  @Test func `After the end nothing is accepted, and finishing twice is harmless`() throws {
    let thread = try start()
    #expect(thread.finish() == nil)
    #expect(thread.finish() == nil)
    #expect(thread.submit(.write(try record(1))) == false)
    #expect(try ids().isEmpty)
  }

  @Test func `Submitting never waits for the disk, and nothing is lost`() throws {
    let thread = try start(retries: true)
    drain(thread)
    let blocker = try block()
    let began = Clock.monotonic
    for taps in 1...200 {
      thread.submit(.write(try record(1, end: nil, taps: [taps % 12: UInt64(taps)])))
    }
    // If each of the 200 records waited 200 ms for the lock (`options()`), all of them would take
    // 40 s.
    #expect(Clock.monotonic - began < 10_000_000_000 * slowness)
    _ = failures.first(1)
    #expect(failures.all[0].code == .busy)
    try blocker.database.execute("ROLLBACK")
    // The thread tries again by itself: nothing else is submitted.
    #expect(within(seconds: 100) { (try? ids()) == [1] })
    let last = try record(1, taps: [3: 1])
    thread.submit(.write(last))
    #expect(thread.finish() == nil)
    #expect(
      try Store(reading: folder.file()).session(1)?.record == ordered(last))
  }

  @Test func `Health reports a failing disk, and the recovery is reported once`() throws {
    let thread = try start(retries: true)
    drain(thread)
    #expect(notes.all.isEmpty)
    let blocker = try block()
    thread.submit(.write(try record(1)))
    #expect(thread.health.waitingBytes > 0)
    // The thread tries again by itself.
    _ = failures.first(2)
    #expect(thread.health.error?.code == .busy)
    #expect(thread.health.waitingBytes >= (try record(1).bytes))
    #expect(notes.all.isEmpty)
    try blocker.database.execute("ROLLBACK")
    let failed = notes.first(1).map { note in
      if case .recovered(let time) = note { time } else { Duration.zero }
    }
    #expect(failed[0] > .milliseconds(250), "the store was busy twice, for 200 ms each")
    thread.submit(.write(try record(2)))
    drain(thread)
    #expect(notes.all.count == 1)
    let health = thread.health
    #expect(health.error == nil && health.busy == nil && health.waitingBytes == 0)
    #expect(health.givenUp == 0)
    #expect(thread.finish() == nil)
    #expect(try ids() == [1, 2])
  }

  @Test func `No recovery is reported while another record fails`() throws {
    let thread = try start()
    drain(thread)
    let blocker = try block()
    thread.submit(.write(try record(1)))
    _ = failures.first(1)
    try blocker.database.execute("ROLLBACK")
    var wrong = try record(2)
    wrong.totals.begun += 1
    thread.submit(.write(wrong))
    drain(thread)
    #expect(thread.health.error?.code == .refused)
    #expect(notes.all.isEmpty)
    #expect(try ids() == [1], "it was tried again with the next command")
    thread.submit(.write(try record(3)))
    _ = notes.first(1)
    #expect(thread.health.error == nil)
    #expect(thread.finish() == nil)
    #expect(try ids() == [1, 3])
  }

  @Test func `The end reports why the remaining records could not be written`() throws {
    let thread = try start()
    drain(thread)
    let blocker = try block()
    thread.submit(.write(try record(1)))
    #expect(thread.finish()?.code == .busy)
    try blocker.database.execute("ROLLBACK")
    #expect(try ids().isEmpty)
  }

  @Test func `The data of a refused checkpoint is written with the next one`() throws {
    let thread = try start()
    let (menu, pay) = (try key("menu"), try key("pay"))
    var first = try record(1, end: nil, taps: [0: 1], menu)
    first.totals.begun += 1
    thread.submit(.write(first))
    drain(thread)
    // Every attempt fails in the same way.
    #expect(Set(failures.all.map(\.code)) == [.refused])
    var second = try record(1, end: .idle, taps: [0: 2], pay)
    second.totals.counted = 3
    second.totals.begun = 5
    thread.submit(.write(second))
    #expect(thread.finish() == nil)
    let session = try #require(try Store(reading: folder.file()).session(1)).record
    #expect(session.changedGrids.map(\.key.screen) == ["menu", "pay"])
    #expect(session.totals.isBalanced)
  }

  @Test func `Maintenance runs once a day, and the size limit is applied each time`() throws {
    do {
      let store = try Store(path: folder.file(), options: options())
      let now = Clock.wall
      for (time, session) in [(now - 2 * dayLength, 3), (now, 4), (now, 5), (now, 5)] {
        try store.database.run(
          "INSERT INTO clock (run, uptime_ms, time, session) VALUES (0, ?1, ?2, ?3)",
          [
            .integer(Clock.boottime.microseconds / 1000), .integer(time), .integer(Int64(session)),
          ])
      }
    }
    let thread = try start()
    func fill(_ ids: ClosedRange<Int64>) throws {
      for id in ids {
        thread.submit(.write(try record(id, began: mayFirst + 2 * id * dayLength)))
      }
    }
    let week = StorageThread.Command.doHousekeeping(
      keepSessions: .seconds(7 * 86_400), maxSize: nil)
    let day = StorageThread.Command.doHousekeeping(keepSessions: .seconds(86_400), maxSize: nil)
    func rolledUp() throws -> Int {
      drain(thread)
      return try Store(reading: folder.file(), options: options()).sessions(in: .always)
        .count(where: \.isRolledUp)
    }
    try fill(1...5)
    thread.submit(week)
    #expect(try rolledUp() == 5)
    #expect(try ids() == [1, 2, 3, 4, 5])
    try fill(6...7)
    thread.submit(week)
    #expect(try rolledUp() == 5, "maintenance has run today")
    thread.submit(day)
    #expect(try rolledUp() == 4, "but with other limits")
    #expect(try ids() == [4, 5, 6, 7])
    try fill(8...8)
    thread.submit(.forget(.session(4), below: 9) { _ in })
    thread.submit(day)
    #expect(try rolledUp() == 4, "a session was forgotten since")
    thread.submit(.doHousekeeping(keepSessions: .seconds(86_400), maxSize: 0))
    #expect(thread.finish() == nil)
    #expect(failures.all.isEmpty)
    #expect(try ids() == [])
    #expect(try Store(reading: folder.file()).screens(in: .always).map(\.sessions) == [7])
  }

  @Test func `Sessions beyond the limit are dropped oldest first and reported`() throws {
    let thread = try start(5 * record(1).bytes)
    drain(thread)
    let blocker = try block()
    for id in 1...20 { thread.submit(.write(try record(Int64(id)))) }
    _ = failures.first(1)
    try blocker.database.execute("ROLLBACK")
    thread.submit(.write(try record(21, end: nil)))
    #expect(thread.finish() == nil)
    let given = failures.all.filter { $0.code == .backlog }
    #expect(!given.isEmpty)
    let left = try ids()
    #expect(thread.health.givenUp == 21 - left.count)
    #expect(left.last == 21)
    #expect(left.count >= 5 && left.count < 20, "\(left)")
  }

  @Test func `A thread without references writes everything and ends by itself`() throws {
    do {
      let thread = try start()
      thread.submit(.write(try record(1)))
    }
    #expect(within(seconds: 100) { (try? ids()) == [1] })
  }
}
