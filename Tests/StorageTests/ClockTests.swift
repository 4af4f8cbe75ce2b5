import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Retention with a clock that jumps, compared with the true age of sessions.
@Suite final class ClockTests: StoreSuite {
  private func kiosk(keep: Int64 = 30) throws -> ClockKiosk { try ClockKiosk(store, keep: keep) }

  @Test(arguments: zip(0..<2 as Range<UInt64>, [false, true]))
  func `Wrong clocks on two of five days neither delete young sessions nor keep old ones`(
    seed: UInt64, isOffAtNight: Bool
  ) throws {
    var dice = SeededGenerator(seed: seed)
    let kiosk = try kiosk()
    var wrong = [false, false, false, false]
    for day in 0..<110 {
      let mayBeWrong = day > 0 && wrong.suffix(4).count { $0 } < 2
      let isWrong = mayBeWrong && Int.random(in: 0..<4, using: &dice) == 0
      wrong.append(isWrong)
      // A wrong clock shows a time between 1972 and 2098. On some days with a right clock, it is
      // wrong for two hours.
      let error = Int64.random(in: -19_000..<27_000, using: &dice) * dayLength
      kiosk.error = isWrong ? error : 0
      let visits = Int64.random(in: 0...3, using: &dice)
      for number in 0..<4 as Range<Int64> {
        kiosk.pass(2 * hour)
        if !isWrong { kiosk.error = mayBeWrong && number == 1 ? error : 0 }
        if number < visits { try kiosk.visit(.random(in: 1...9, using: &dice)) }
      }
      try kiosk.doHousekeeping()
      let left = try Set(kiosk.left)
      // A session from a day with a wrong clock may be deleted together with older sessions from
      // days with a right clock. It began at most two days after these, so it may be deleted up to
      // three days early.
      #expect(kiosk.young(kiosk.keep - 3).isSubset(of: left), "day \(day)")
      if !isWrong {
        #expect(left.isSubset(of: kiosk.young(kiosk.keep + (isOffAtNight ? 8 : 5))), "day \(day)")
      }
      kiosk.error = isWrong ? error : 0
      let night = (Int64(day) + 1) * dayLength - (kiosk.truth - mayFirst)
      if isOffAtNight { try kiosk.boot(after: night) } else { kiosk.pass(night) }
    }
    // The sums contain every touch exactly once.
    let sums = try store.grids(screen: nil, layer: .taps, in: .always)
    #expect(sums.reduce(0) { $0 + $1.sum.sum } == kiosk.taps)
    let days = try store.days(in: .always)
    #expect(days.reduce(0) { $0 + $1.sessions } == UInt64(kiosk.began.count))
    #expect(days.allSatisfy { $0.totals?.isBalanced ?? true })
    // The clock history has one entry a day at most, and only as many days as the sessions need.
    #expect(try store.database.integer("SELECT count(*) FROM clock") < 30 + 10)
  }

  @Test func `Sessions dated in the future are dropped too, even if no sessions follow`() throws {
    let kiosk = try kiosk(keep: 7)
    for day in 0..<20 {
      kiosk.pass(dayLength / 2)
      if day < 5 { try kiosk.visit() }
      if day == 5 {
        kiosk.error = 75 * 365 * dayLength
        for _ in 0..<3 {
          kiosk.pass(5 * 60_000)
          try kiosk.visit()
        }
        kiosk.error = 0
        kiosk.pass(hour)
      }
      try kiosk.doHousekeeping()
      if (6..<12).contains(day) { #expect(try Set([6, 7, 8]).isSubset(of: kiosk.left)) }
      kiosk.pass(dayLength / 2)
    }
    #expect(try kiosk.left.isEmpty)
    let days = try store.days(in: .always)
    #expect(days.count == 6 && days.last?.day.text.hasPrefix("2099") == true)
    #expect(days.map(\.sessions) == [1, 1, 1, 1, 1, 3])
    #expect(try faults(folder.file()) == [])
  }

  @Test(arguments: [75, -54] as [Int64])
  func `Clock jumps of minutes drop nothing; a clock wrong for three days is trusted`(years: Int64)
    throws
  {
    let kiosk = try kiosk()
    for _ in 0..<20 {
      kiosk.pass(dayLength)
      try kiosk.visit()
    }
    let before = try kiosk.left
    #expect(before.count == 20)
    for number in 0..<12 as Range<Int64> {
      kiosk.error = number % 2 == 0 ? years * 365 * dayLength + number * 3 * dayLength : 0
      kiosk.pass(11 * 60_000)
      try kiosk.startDaemon()
      kiosk.pass(11 * 60_000)
      try kiosk.visit()
    }
    #expect(try Set(before).isSubset(of: kiosk.left))
    kiosk.error = 0
    kiosk.pass(hour)
    try kiosk.doHousekeeping()
    // A clock that stays wrong for three days is trusted.
    kiosk.error = 75 * 365 * dayLength
    for day in 0..<3 {
      #expect(try Set(before).isSubset(of: kiosk.left), "day \(day)")
      kiosk.pass(dayLength)
      try kiosk.doHousekeeping()
    }
    #expect(try Set(before).isDisjoint(with: kiosk.left))
  }

  @Test(arguments: [75, -54] as [Int64], [false, true])
  func `Several starts with a wrong clock on one day drop no sessions`(
    years: Int64, isRightBetween: Bool
  ) throws {
    let kiosk = try kiosk()
    for _ in 0..<20 {
      kiosk.pass(dayLength)
      try kiosk.visit()
    }
    for number in 0..<10 {
      kiosk.error = isRightBetween && number % 2 == 1 ? 0 : years * 365 * dayLength
      try kiosk.boot(after: 60_000)
      kiosk.pass(11 * 60_000)
      try kiosk.visit()
    }
    #expect(try kiosk.left.count == kiosk.began.count)
  }

  @Test func `Old sessions are dropped on a computer that is started four times a day`() throws {
    let kiosk = try kiosk(keep: 7)
    for _ in 0..<80 {
      kiosk.pass(5 * hour)
      try kiosk.visit()
      try kiosk.boot(after: hour)
    }
    kiosk.pass(hour)
    try kiosk.doHousekeeping()
    #expect(try kiosk.young(7).isSubset(of: kiosk.left))
    #expect(try Set(kiosk.left).isSubset(of: kiosk.young(7 + 4)))
  }

  @Test func `The last sessions before a long pause keep their true age`() throws {
    let kiosk = try kiosk()
    func day(off: Int64) throws {
      kiosk.pass(9 * hour)
      try kiosk.visit()
      kiosk.pass(40 * 60_000)
      // No clock entry follows the visit, because the machine is switched off within the hour.
      try kiosk.visit()
      try kiosk.boot(after: off)
    }
    for number in 0..<10 as Range<Int64> { try day(off: number < 9 ? 14 * hour : 60 * dayLength) }
    #expect(try kiosk.left.count == 20)
    for _ in 0..<5 { try day(off: 14 * hour) }
    kiosk.pass(hour)
    try kiosk.doHousekeeping()
    #expect(try kiosk.left == Array(21...30))
  }

  @Test(arguments: [(false, 2), (true, 4)] as [(Bool, Int64)])
  func `With a right clock, sessions are dropped at most two or four days late`(
    isOffAtNight: Bool, late: Int64
  ) throws {
    let kiosk = try kiosk()
    for day in 0..<45 as Range<Int64> {
      for _ in 0..<3 {
        kiosk.pass(2 * hour)
        try kiosk.visit()
      }
      let left = try Set(kiosk.left)
      #expect(kiosk.young(kiosk.keep).isSubset(of: left), "day \(day)")
      #expect(left.isSubset(of: kiosk.young(kiosk.keep + late)), "day \(day)")
      let night = (day + 1) * dayLength - (kiosk.truth - mayFirst)
      if isOffAtNight { try kiosk.boot(after: night) } else { kiosk.pass(night) }
    }
    #expect(try kiosk.left.count < kiosk.began.count - 20)
  }

  @Test func `A clock that is wrong for a few minutes after the start is ignored`() throws {
    let kiosk = try kiosk(keep: 7)
    for _ in 0..<5 {
      kiosk.pass(12 * hour)
      try kiosk.visit()
      kiosk.error = 75 * 365 * dayLength
      try kiosk.boot(after: 12 * hour)
      kiosk.pass(60_000)
      try kiosk.visit()
      kiosk.error = 0
    }
    // Runs of a few minutes do not count either.
    for _ in 0..<9 {
      kiosk.error = 75 * 365 * dayLength
      kiosk.pass(5 * 60_000)
      try kiosk.visit()
      try kiosk.boot(after: 60_000)
    }
    #expect(try kiosk.left.count == kiosk.began.count)
  }

  @Test func `Without a clock history, sessions are as old as their dates say`() throws {
    for day in 0..<40 as Range<Int64> {
      try store.write(record(day + 1, began: mayFirst + (day - 40) * dayLength + 12_345))
    }
    try store.database.execute("DELETE FROM clock")
    let store = try Store(path: folder.file(), options: options())
    let kiosk = try ClockKiosk(store, keep: 30)
    for _ in 0..<2 {
      kiosk.pass(hour)
      try kiosk.doHousekeeping()
      #expect(try kiosk.left.count == 40)
      kiosk.pass(23 * hour)
    }
    kiosk.pass(2 * hour)
    try kiosk.doHousekeeping()
    #expect(try kiosk.left == Array(14...40))
    #expect(try notesWithinHours(store) == 0)
  }

  @Test func `The clock history does not name forgotten sessions`() throws {
    let kiosk = try kiosk()
    for _ in 0..<10 {
      kiosk.pass(dayLength)
      try kiosk.visit()
    }
    let numbers = "SELECT max(session) FROM clock"
    #expect(try store.database.integer(numbers) == 10)
    _ = try store.forget(.session(10))
    #expect(try store.database.integer(numbers) == 9)
    _ = try store.forget(.span(.always))
    #expect(try store.database.integer(numbers) == 0)
    #expect(try store.database.integer("SELECT count(*) FROM clock") == 5)
  }

  @Test func `The clock history stores hours and not the exact times of sessions`() throws {
    let kiosk = try kiosk()
    for number in 0..<9 as Range<Int64> {
      kiosk.pass(7 * hour + 1_000 * number + 7)
      try kiosk.visit()
      if number == 4 {
        // The daemon restarts before it writes a clock entry for this visit.
        kiosk.pass(60_000)
        try kiosk.visit()
        try kiosk.startDaemon()
      }
    }
    #expect(try store.database.integer("SELECT count(*) FROM clock") == 5)
    #expect(try notesWithinHours(store) == 0)
  }

  private func notesWithinHours(_ store: Store) throws -> Int64 {
    try store.database.integer(
      "SELECT count(*) FROM clock WHERE time % 3600000 <> 0 OR uptime_ms % 3600000 <> 0")
  }

  @Test func `Maintenance goes on if the clock history cannot be written`() throws {
    let kiosk = try kiosk()
    try store.write(record(1, began: mayFirst))
    kiosk.pass(2 * dayLength)
    try store.database.execute("ALTER TABLE clock RENAME COLUMN time TO hour")
    #expect(throws: StoreError.self) { try kiosk.doHousekeeping() }
    #expect(try store.database.integer("SELECT sum(rolled_up) FROM session") == 1)
    #expect(throws: StoreError.self) {
      try store.doHousekeeping(keepSessions: nil, maxSize: 0, at: kiosk.reading)
    }
    #expect(try kiosk.left.isEmpty)
  }

  @Test func `Times at the ends of the range do not trap`() throws {
    try store.write(record(1, began: .min + 5001))
    try store.write(record(2, began: .max - 5001))
    for time in [Int64.min, 0, .max] {
      for uptime in [Int64.min, 0, .max] {
        try store.database.run("DELETE FROM clock", [])
        for _ in 0..<3 {
          try store.database.run(
            "INSERT INTO clock (run, uptime_ms, time, session) VALUES (1, ?1, ?2, 9)",
            [.integer(uptime), .integer(time)])
        }
        for keep in [Duration.seconds(Int64.max), .zero - .seconds(Int64.max), .zero] {
          let reading = ClockReading(
            now: WallTime(milliseconds: mayFirst), uptime: Timestamp(microseconds: 1_000_000_000),
            start: Timestamp(microseconds: 0))
          #expect(throws: Never.self) {
            try store.doHousekeeping(keepSessions: keep, maxSize: .max, at: reading)
          }
        }
      }
    }
    #expect(try store.nextSessionID == 3)
  }

  @Test func `The cost of maintenance does not depend on the number of young sessions`() throws {
    func cost(_ sessions: Int64) throws -> [Int] {
      let folder = try TemporaryFolder()
      let store = try Store(path: folder.file(), options: options())
      for day in 0..<6 as Range<Int64> {
        for number in 0..<sessions {
          try store.write(
            record(day * sessions + number + 1, began: mayFirst + day * dayLength + number * 1000))
        }
      }
      let kiosk = try ClockKiosk(store, keep: 30)
      for _ in 0..<6 {
        kiosk.pass(dayLength)
        try kiosk.doHousekeeping()
      }
      kiosk.pass(hour)
      let count = QueryCancellation(every: 1)
      store.stop(by: count)
      try store.doHousekeeping(
        keepSessions: .seconds(86_400), maxSize: nil, isKept: true, at: kiosk.reading)
      let atAnEnd = count.instructions
      try kiosk.doHousekeeping()
      return [atAnEnd, count.instructions - atAnEnd]
    }
    let (few, many) = (try cost(5), try cost(50))
    #expect(few == many)
    #expect(few[0] > 0 && few[1] < 5_000, "\(few)")
  }
}
