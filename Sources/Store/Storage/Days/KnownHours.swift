internal import TouchModel

/// The hours at which sessions began. A session has only its time; the hour depends on the time zone.
extension Store {
  /// Returns the hour in which a session of `day` began. nil if the store is open read-only and the
  /// session began on another day in this process's time zone: the store is then a copy from
  /// another zone, and the hour is unknown.
  func hour(_ began: WallTime, on day: Day, by clock: LocalClock) -> Int? {
    database.isReadOnly && Day(began, by: clock) != day ? nil : clock.hour(at: began)
  }

  /// Whether the hours in a day's sums agree with a clock: the sums include each stored session at
  /// its hour. If sessions were deleted, the remaining ones may agree with another time zone as
  /// well.
  /// - Parameters:
  ///   - hours: the hours in the day's sums; nil if they are unknown. No session agrees with these.
  ///   - began: times between which the sessions of the day began.
  func isCounted(
    _ hours: [UInt64]?, on day: Day, _ began: ClosedRange<Int64>, by clock: LocalClock
  ) throws(StoreError) -> Bool {
    var left = hours ?? Array(repeating: 0, count: 24)
    let statement = try database.prepare(
      "SELECT began FROM session WHERE rolled_up = 1 AND day = ?1 AND began BETWEEN ?2 AND ?3",
      keeping: true)
    try statement.bind([.text(day.text), .integer(began.lowerBound), .integer(began.upperBound)])
    while try statement.step() {
      let time = WallTime(milliseconds: statement.integer(0))
      let hour = clock.hour(at: time)
      guard left[hour] > 0, Day(time, by: clock) == day else { return false }
      left[hour] -= 1
    }
    return true
  }

  /// Prepares a query with hours: checks that the stored sessions of a time range began at the
  /// hours in `days(in:)`, and defines the function that the query uses. The hours of rolled-up
  /// days are those of the time zone at that time. Does nothing if the filter has no hours.
  /// - Throws: `.hoursUnknown` if some hours were recorded in another time zone.
  func prepareHours(
    of bounds: ClosedRange<Int64>, for filter: SessionFilter
  ) throws(StoreError) {
    guard filter.hours != nil else { return }
    let clock = options.clock()
    try IntegerFunction { Int64(clock.hour(at: WallTime(milliseconds: $0))) }
      .define(as: HourRange.function, in: database)
    var last: (day: Day, began: Int64)?
    func note(_ day: Day, _ began: Int64) {
      if last.map({ $0.began < began }) ?? true { last = (day, began) }
    }
    try database.each(
      """
      SELECT day, first_began, last_began, \(DayTotals.columns) FROM day
      WHERE first_began <= last_began AND last_began >= ?1 AND first_began <= ?2
      """, bounds.values
    ) { row throws(StoreError) in
      try checkCancellation()
      guard let day = Day(try row.text(0)), filter.weekdays.contains(day.weekday) else { return }
      let hours = try DayTotals(row, 3, day: day, in: database)?.hours
      let began = row.integer(1)...row.integer(2)
      if try !isCounted(hours, on: day, began, by: clock) { note(day, began.upperBound) }
    }
    if database.isReadOnly {
      try database.each(
        "SELECT day, began FROM session WHERE rolled_up = 0 AND +began BETWEEN ?1 AND ?2",
        bounds.values
      ) { row throws(StoreError) in
        guard let day = Day(try row.text(0)), filter.weekdays.contains(day.weekday) else { return }
        if hour(WallTime(milliseconds: row.integer(1)), on: day, by: clock) == nil {
          note(day, row.integer(1))
        }
      }
    }
    guard let last else { return }
    let since = try Sources.firstDay(after: last, in: database)
    throw StoreError(
      .hoursUnknown,
      message: "sessions up to \(last.day) were recorded in another time zone, so the hours at "
        + "which they began are unknown; "
        + (since.map { "hours are known from \($0) on" } ?? "there are no later sessions"),
      path: database.path)
  }
}
