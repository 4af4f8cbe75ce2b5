internal import TouchModel

/// The hours at which sessions began. A session has only its time; the hour depends on the time zone.
extension Store {
  /// Returns the hour in which a session of `day` began. nil if the store is open read-only and the
  /// session began on another day in this process's time zone: the store is then a copy from
  /// another zone, and the hour is unknown.
  func hour(_ began: WallTime, on day: Day) -> Int? {
    database.isReadOnly && self.day(of: began) != day ? nil : options.hour(began)
  }

  private func defineHourFunction() throws(StoreError) {
    let hour = options.hour
    try IntegerFunction { Int64(hour(WallTime(milliseconds: $0))) }
      .define(as: HourRange.function, in: database)
  }

  /// Prepares a query with hours: checks that the stored sessions of a time range began at the hours
  /// that `days(in:)` says, and defines the function that the query uses. The hours of days that are
  /// rolled up are those of the time zone of then. Does nothing if the filter has no hours.
  /// - Throws: `.hoursUnknown` if some of them were recorded in another time zone.
  func prepareHours(
    of bounds: ClosedRange<Int64>, for filter: SessionFilter
  ) throws(StoreError) {
    guard filter.hours != nil else { return }
    try defineHourFunction()
    let values: [SQLValue] = [.integer(bounds.lowerBound), .integer(bounds.upperBound)]
    var last: (day: Day, began: Int64)?
    func note(_ day: Day, _ began: Int64) {
      if last.map({ $0.began < began }) ?? true { last = (day, began) }
    }
    try database.each(
      """
      SELECT day, last_began, hours, first_began FROM day
      WHERE last_began >= ?1 AND first_began <= ?2 AND hours IS NOT NULL
      """, values
    ) { row throws(StoreError) in
      try checkCancellation()
      guard let day = Day(try row.text(0)), filter.weekdays.contains(day.weekday),
        let known = try rolledUp(day)?.hours
      else { return }
      var left: [UInt64]? = Array(repeating: 0, count: 24)
      try database.each(
        "SELECT began FROM session WHERE rolled_up = 1 AND day = ?1 AND began BETWEEN ?2 AND ?3",
        [.text(day.text), .integer(row.integer(3)), .integer(row.integer(1))]
      ) { session in
        guard let hour = hour(WallTime(milliseconds: session.integer(0)), on: day) else {
          return left = nil
        }
        left?[hour] += 1
      }
      guard let left, zip(left, known).allSatisfy({ $0 <= $1 }) else {
        return note(day, row.integer(1))
      }
    }
    if database.isReadOnly {
      try database.each(
        "SELECT day, began FROM session WHERE rolled_up = 0 AND +began BETWEEN ?1 AND ?2", values
      ) { row throws(StoreError) in
        guard let day = Day(try row.text(0)), filter.weekdays.contains(day.weekday) else { return }
        if hour(WallTime(milliseconds: row.integer(1)), on: day) == nil {
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
