import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Queries for sessions of certain weekdays and hours, in a zone with summer time.
@Suite struct SessionFilterTests {
  private let folder: TemporaryFolder
  private let zone: ZoneFile
  private let store: Store
  /// 2026-10-05 00:00 in Berlin, a Monday. Summer time ends on the 25th.
  private let start: Int64 = 1_791_151_200_000

  init() throws {
    folder = try TemporaryFolder()
    zone = try ZoneFile.named("Europe/Berlin")
    store = try Store(path: folder.file(), options: Self.options(zone))
  }

  private static func options(_ zone: ZoneFile) -> StoreOptions {
    let clock = zone.clock
    return StoreOptions(busyMilliseconds: 200, clock: { clock })
  }

  /// Returns what the clock shows, by the C library: the weekday, 1 for Monday, and the hour.
  private func shown(_ time: WallTime) -> (weekday: Int, hour: Int) {
    var local = time_t(zone.clock.shown(at: time.milliseconds / 1000))
    var parts = unsafe tm()
    unsafe gmtime_r(&local, &parts)
    return unsafe (parts.tm_wday == 0 ? 7 : Int(parts.tm_wday), Int(parts.tm_hour))
  }

  private func isChosen(_ record: SessionRecord, _ filter: SessionFilter) -> Bool {
    let (weekday, hour) = shown(record.began)
    let isInHours = filter.hours.map { range in
      var hours: Set<Int> = []
      var next = range.from
      while next != range.until % 24 {
        hours.insert(next)
        next = (next + 1) % 24
      }
      return hours.contains(hour)
    }
    return filter.tags.allSatisfy { record.tags[$0] == $1 }
      && filter.weekdays.contains { $0.rawValue == weekday } && isInHours ?? true
  }

  private func randomFilter(_ dice: inout SeededGenerator) -> SessionFilter {
    var filter = SessionFilter()
    if dice.next() % 4 > 0 {
      filter.weekdays = Set(Weekday.allCases.filter { _ in dice.next() % 2 == 0 })
    }
    if dice.next() % 3 == 0 {
      filter.hours = HourRange(
        from: .random(in: 0...23, using: &dice), until: .random(in: 0...24, using: &dice))
    }
    if dice.next() % 4 == 0 { filter.tags = ["half": "a", "part": "b"] }
    return filter
  }

  private func randomSpan(_ dice: inout SeededGenerator) -> TimeSpan {
    let bounds = (0..<2).map { _ -> WallTime? in
      let day = start / (1000 * 86_400) + Int64.random(in: 0...42, using: &dice)
      return switch dice.next() % 4 {
      case 0: nil
      case 1:
        WallTime(milliseconds: start + Int64.random(in: 0..<42 * dayLength, using: &dice))
      default: WallTime(milliseconds: 1000 * zone.clock.start(ofDay: day))
      }
    }
    guard let since = bounds[0], let until = bounds[1] else {
      return TimeSpan(since: bounds[0], until: bounds[1])
    }
    return TimeSpan(since: min(since, until), until: max(since, until))
  }

  /// Checks one query against the sessions. `gone` are the ids of deleted sessions.
  /// - Returns: whether the store answered.
  private func check(
    _ span: TimeSpan, _ filter: SessionFilter, _ records: [SessionRecord], gone: Set<Int64>
  ) throws -> Bool {
    let chosen = records.filter { span.contains($0.began) && isChosen($0, filter) }
    let listed = try store.sessions(in: span, filter).map(\.record.id)
    #expect(listed.sorted() == chosen.map(\.id).filter { !gone.contains($0) }.sorted())

    // The days of which sessions were deleted, and how much of each the span has.
    let days = Dictionary(grouping: records) { Day($0.began, by: zone.clock) }
    let lost = days.filter { day, sessions in
      filter.weekdays.contains(day.weekday) && sessions.contains { gone.contains($0.id) }
        && sessions.contains { span.contains($0.began) }
    }
    let isRefused =
      filter.choosesWholeDays
      ? lost.values.contains { !$0.allSatisfy { span.contains($0.began) } } : !lost.isEmpty
    let grids: [SummedGrid]
    var query = GridQuery(.span(span, filter), layer: .taps, sessionCountsBelow: 10)
    do throws(StoreError) {
      grids = try store.grids(of: query)
    } catch {
      #expect(isRefused, "\(error)")
      let code: StoreError.Code =
        filter.choosesWholeDays
        ? .onlyWholeDays : filter.tags.isEmpty ? .hoursUnknown : .tagsGone
      #expect(error.code == code)
      return false
    }
    #expect(!isRefused)
    let naive = NaiveSums.of(chosen, layer: .taps, screen: nil)
    #expect(Set(grids.map(\.key)) == Set(naive.keys))
    for grid in grids {
      #expect(NaiveSums(grid, shown: grid.shownMilliseconds) == naive[grid.key])
      // The counts of single sessions are those of the chosen sessions alone.
      guard let counts = grid.sessionCounts else {
        #expect(!lost.isEmpty)
        continue
      }
      let sums = Dictionary(grouping: counts, by: \.block)
        .mapValues { $0.reduce(UInt64(0)) { $0 + $1.count } }
      for block in 0..<grid.sum.count where (1..<10).contains(grid.touchedSessions[block]) {
        #expect(sums[block] == grid.sum[block])
      }
    }
    if filter.choosesWholeDays {
      let days = try store.days(in: span, on: filter.weekdays)
      #expect(days.reduce(0) { $0 + $1.sessions } == UInt64(chosen.count))
    }
    query.sessionCountsBelow = nil
    let controls = try store.controls(of: query).reduce(0) { $0 + $1.sessions }
    #expect(controls == UInt64(chosen.reduce(0) { $0 + $1.controls.count }))
    return true
  }

  /// Random sessions over six weeks are rolled up, and later the oldest are deleted. The answers must
  /// be those of the chosen sessions, and the store must answer whenever that is possible.
  @Test(arguments: 0..<2) func `A filter gives the sums of the sessions that it chooses`(
    seed: UInt64
  ) throws {
    var dice = SeededGenerator(seed: seed)
    let fleet = try Fleet(&dice)
    let times = (0..<60).map { _ in start + Int64.random(in: 0..<42 * dayLength, using: &dice) }
    var records: [SessionRecord] = []
    for (index, began) in times.sorted().enumerated() {
      var record = try fleet.session(Int64(index + 1), began: began, &dice)
      record.tags["half"] = index % 3 == 0 ? "a" : "b"
      record.tags["part"] = index % 4 == 0 ? "a" : "b"
      try store.write(record)
      records.append(record)
    }
    func checkMany(gone: Set<Int64>) throws -> (answers: Int, refusals: Int) {
      var counts = (answers: 0, refusals: 0)
      for _ in 0..<16 {
        let isAnswered = try check(
          randomSpan(&dice), randomFilter(&dice), records, gone: gone)
        if isAnswered { counts.answers += 1 } else { counts.refusals += 1 }
      }
      return counts
    }
    #expect(try checkMany(gone: []).refusals == 0)
    try store.rollUp(today: #require(Day("2026-11-10")))
    #expect(try checkMany(gone: []).refusals == 0)
    // The listed days have as many sessions at each weekday and hour.
    let days = try store.days(in: .always)
    for hour in 0..<24 {
      let weekdays = Set(Weekday.allCases.filter { ($0.rawValue + hour) % 3 > 0 })
      let filter = SessionFilter(weekdays: weekdays, hours: HourRange(from: hour, until: hour + 1))
      let sum = days.filter { weekdays.contains($0.day.weekday) }
        .reduce(UInt64(0)) { $0 + ($1.hours?[hour] ?? 0) }
      #expect(try store.sessions(in: .always, filter).count == Int(sum))
    }
    try store.retain(
      now: WallTime(milliseconds: start + 20 * dayLength), keepSessions: .seconds(60),
      maxSize: nil)
    let left = Set(try store.sessions(in: .always).map(\.record.id))
    let gone = Set(records.map(\.id)).subtracting(left)
    #expect(!gone.isEmpty && !left.isEmpty)
    let later = try checkMany(gone: gone)
    #expect(later.answers > 2 && later.refusals > 2, "\(later)")
    #expect(try store.check().flatMap(\.faults).isEmpty)
  }

  private func ids(
    from: Int, until: Int, weekdays: Set<Weekday> = SessionFilter.allWeekdays, in store: Store
  ) throws -> [Int64] {
    let hours = try #require(HourRange(from: from, until: until))
    return try store.sessions(in: .always, SessionFilter(weekdays: weekdays, hours: hours))
      .map(\.record.id)
  }

  @Test func `Hours are those that the clock shows, twice in one night, and not in another`()
    throws
  {
    // 2026-10-25: 2:30 in summer, 2:30 in winter, 3:30. 2026-03-29: 1:30, 3:30.
    let times: [Int64] = [
      1_792_888_200_000, 1_792_891_800_000, 1_792_895_400_000, 1_774_744_200_000,
      1_774_747_800_000,
    ]
    for (index, time) in times.enumerated() {
      try store.write(record(Int64(index + 1), began: time, taps: [0: 1]))
    }
    #expect(try ids(from: 2, until: 3, in: store) == [1, 2])
    #expect(try ids(from: 3, until: 4, in: store) == [5, 3])
    #expect(try ids(from: 4, until: 3, in: store) == [4, 1, 2])
    #expect(try ids(from: 1, until: 24, weekdays: [.sunday], in: store) == [4, 5, 1, 2, 3])
    #expect(try ids(from: 1, until: 24, weekdays: [.saturday, .monday], in: store).isEmpty)
  }

  @Test func `The error says from which day on hours are known`() throws {
    for day in Int64(0)..<4 {
      try store.write(record(day + 1, began: start + day * dayLength + 9 * hour))
    }
    try store.rollUp(today: #require(Day("2026-10-20")))
    let morning = SessionFilter(hours: HourRange(from: 8, until: 12))
    let query = GridQuery(.span(.always, morning), layer: .taps)
    #expect(try store.grids(of: query).map(\.sessions) == [4])
    try store.retain(
      now: WallTime(milliseconds: start + 2 * dayLength), keepSessions: .zero, maxSize: nil)
    let error = try failure { () throws(StoreError) in try store.grids(of: query) }
    #expect(error.code == .hoursUnknown && !error.isTransient)
    #expect(error.message.contains("hours are deleted with their sessions"))
    #expect(error.message.contains("sessions up to 2026-10-06 were deleted"))
    #expect(error.message.contains("hours are complete from 2026-10-07 on"))
    // The days that were deleted are a Monday and a Tuesday.
    var later = morning
    later.weekdays = [.wednesday, .friday]
    #expect(
      try store.grids(of: GridQuery(.span(.always, later), layer: .taps)).map(\.sessions) == [1])
    let early = SessionFilter(weekdays: [.monday])
    #expect(
      try store.grids(of: GridQuery(.span(.always, early), layer: .taps)).map(\.sessions) == [1])
  }

  @Test func `Hours of another time zone are refused, not guessed`() throws {
    for day in Int64(0)..<3 {
      try store.write(record(day + 1, began: start + day * dayLength + 9 * hour))
    }
    // Only the first two days are rolled up.
    try store.rollUp(today: #require(Day("2026-10-07")))
    let other = try Self.options(ZoneFile.named("Asia/Tokyo"))
    let moved = try Store(reading: folder.file(), options: other)
    let error = try failure { () throws(StoreError) in
      try moved.sessions(
        in: .always, SessionFilter(hours: HourRange(from: 8, until: 12)))
    }
    #expect(error.code == .hoursUnknown)
    #expect(error.message.contains("sessions up to 2026-10-06 were recorded in another time zone"))
    #expect(error.message.contains("hours are known from 2026-10-07 on"))
    let since = TimeSpan(since: WallTime(milliseconds: start + 2 * dayLength))
    let evening = SessionFilter(hours: HourRange(from: 16, until: 17))
    #expect(try moved.sessions(in: since, evening).map(\.record.id) == [3])
    // Days stay what they were.
    let weekday = SessionFilter(weekdays: [.tuesday])
    #expect(try moved.sessions(in: .always, weekday).map(\.record.id) == [2])
    #expect(
      try moved.grids(of: GridQuery(.span(.always, weekday), layer: .taps)).map(\.sessions) == [1])
  }

  /// The hours of the sessions that are left, as London's clock shows them, are among those that were
  /// counted in Berlin: only before the first is forgotten can the difference be seen.
  @Test(arguments: [true, false])
  func `Forgetting a session does not count its day again in another time zone`(
    isSpan: Bool
  ) throws {
    let times = [9 * hour, 10 * hour, 11 * hour, dayLength + 9 * hour]
    for (index, time) in times.enumerated() {
      try store.write(record(Int64(index + 1), began: start + time, taps: [0: 1]))
    }
    try store.rollUp(today: #require(Day("2026-10-20")))
    let moved = try Store(
      path: folder.file(), options: Self.options(ZoneFile.named("Europe/London")))
    let morning = SessionFilter(weekdays: [.monday], hours: HourRange(from: 8, until: 12))
    let query = GridQuery(.span(.always, morning), layer: .taps)
    func checkRefusals() throws {
      let grids = try failure { () throws(StoreError) in try moved.grids(of: query) }
      let list = try failure { () throws(StoreError) in try moved.sessions(in: .always, morning) }
      #expect(grids.code == .hoursUnknown && list.code == .hoursUnknown)
      #expect(list.message.contains("sessions up to 2026-10-05 were recorded in another time zone"))
    }
    try checkRefusals()
    for id in Int64(1)...2 {
      let began = start + times[Int(id - 1)]
      let span = TimeSpan(
        since: WallTime(milliseconds: began), until: WallTime(milliseconds: began + 1))
      #expect(try moved.forget(isSpan ? .span(span) : .session(id)).sessions == 1)
      try checkRefusals()
      let days = try moved.days(in: .always)
      #expect(days.map(\.sessions) == [UInt64(3 - id), 1])
      #expect(days[0].totals != nil && days[0].hours == nil && days[1].hours?[9] == 1)
    }
    // Sessions that are added later do not make them known.
    try moved.write(record(9, began: start + 12 * hour))
    try moved.rollUp(today: #require(Day("2026-10-20")))
    try checkRefusals()
    #expect(try moved.check().flatMap(\.faults).isEmpty)
    // In its own time zone, the other day is as it was.
    let tuesday = try ids(from: 9, until: 10, weekdays: [.tuesday], in: store)
    #expect(tuesday == [4])
  }

  @Test func `Days are listed for the chosen weekdays, whatever the others have lost`() throws {
    // Saturday 9:00 and 10:00, and Monday.
    let times = [5 * dayLength + 9 * hour, 5 * dayLength + 10 * hour, 7 * dayLength + hour]
    for (index, time) in times.enumerated() {
      try store.write(record(Int64(index + 1), began: start + time))
    }
    try store.rollUp(today: #require(Day("2026-10-20")))
    try store.database.execute("DELETE FROM session WHERE id = 1")
    try store.addGhosts(
      [GhostTally(device: "usb-1", x: 1, y: 2, periodMilliseconds: 12_864, touches: 7)],
      day: #require(Day("2026-10-11")))
    let span = TimeSpan(since: WallTime(milliseconds: start + times[1]))
    let error = try failure { () throws(StoreError) in try store.days(in: span) }
    #expect(error.code == .onlyWholeDays)
    func days(_ weekdays: Set<Weekday>, running: SessionRecord? = nil) throws -> [String] {
      try store.days(in: span, on: weekdays, running: running).map(\.day.text)
    }
    #expect(try days([.monday, .friday]) == ["2026-10-12"])
    #expect(try days([.sunday]) == ["2026-10-11"])
    let running = try record(4, began: start + 8 * dayLength, end: nil)
    #expect(try days([.tuesday], running: running) == ["2026-10-13"])
    #expect(try days([.monday], running: running) == ["2026-10-12"])
  }

  @Test func `A day whose date is damaged is reported, not left out`() throws {
    try store.write(record(1, began: start))
    try store.database.execute("UPDATE session SET day = '2026-99-99'")
    let error = try failure { () throws(StoreError) in
      try store.sessions(in: .always, SessionFilter(weekdays: [.monday]))
    }
    #expect(error.code == .damaged)
  }

  @Test func `The weekday of a date is that of the C library`() throws {
    // From 0000-01-01 to 9999-12-31.
    for day in stride(from: Int64(-719_528), through: 2_932_896, by: 131) {
      var time = time_t(day * 86_400)
      var parts = unsafe tm()
      unsafe gmtime_r(&time, &parts)
      let wanted = unsafe parts.tm_wday == 0 ? 7 : Int(parts.tm_wday)
      let date = Day(WallTime(milliseconds: day * dayLength), by: LocalClock { _ in 0 })
      #expect(date.weekday.rawValue == wanted, "\(date)")
    }
  }
}
