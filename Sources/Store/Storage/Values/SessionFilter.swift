/// A day of the week. Its raw value is that of ISO 8601: Monday is 1, Sunday is 7.
public enum Weekday: Int, CaseIterable, Comparable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  public static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}

/// Hours of the day, from the start of the hour `from` to the start of the hour `until`. 8 to 12 is
/// from 8:00 up to before 12:00; 22 to 4 goes over midnight.
public struct HourRange: Hashable, Sendable {
  /// 0 to 23.
  public let from: Int
  /// 0 to 24.
  public let until: Int

  /// - Returns: nil for other hours, and for an empty range, or one that covers the whole day.
  public init?(from: Int, until: Int) {
    guard (0...23).contains(from), (0...24).contains(until), from != until % 24 else { return nil }
    self.from = from
    self.until = until
  }

  public func contains(_ hour: Int) -> Bool {
    from < until ? from <= hour && hour < until : from <= hour || hour < until
  }
}

/// A selection of sessions by their tags, and by the weekday and hour at which they began, in the
/// kiosk's calendar and clock.
public struct SessionFilter: Hashable, Sendable {
  /// The tags, all of which a session must have.
  public var tags: [String: String]
  public var weekdays: Set<Weekday>
  /// The hours; nil for all.
  public var hours: HourRange?

  public static let allWeekdays = Set(Weekday.allCases)

  public init(
    tags: [String: String] = [:], weekdays: Set<Weekday> = allWeekdays, hours: HourRange? = nil
  ) {
    self.tags = tags
    self.weekdays = weekdays
    self.hours = hours
  }

  /// Whether the filter selects all sessions.
  public var isEmpty: Bool { choosesWholeDays && weekdays == Self.allWeekdays }

  /// Whether the filter selects either all sessions of a day or none, so that the sums of days
  /// suffice, which have no tags and no hours.
  public var choosesWholeDays: Bool { tags.isEmpty && hours == nil }
}

extension SessionFilter {
  /// An SQL condition on `session`; `?3` is the value of `Tags.text`. If there are hours, call
  /// `Store.prepareHours` before.
  var condition: String {
    Tags.condition("?3") + weekdays.andCondition("session.day") + (hours?.andCondition ?? "")
  }
}

extension Set<Weekday> {
  /// Returns an SQL condition that follows another one: the day in the column is one of these. A
  /// damaged date passes, so that the reader of the row can report it.
  func andCondition(_ column: String) -> String {
    guard self != SessionFilter.allWeekdays else { return "" }
    // SQLite counts from Sunday, which is 0.
    let numbers = sorted().map { "'\($0.rawValue % 7)'" }.joined(separator: ", ")
    return " AND ifnull(strftime('%w', \(column)) IN (\(numbers)), 1)"
  }
}

extension HourRange {
  /// The name of the SQL function that returns the hour of a time in ms since 1970.
  static let function = "kiosk_hour"

  /// An SQL condition on `session` that follows another one.
  fileprivate var andCondition: String {
    let hour = " AND \(Self.function)(session.began)"
    return from < until
      ? "\(hour) BETWEEN \(from) AND \(until - 1)" : "\(hour) NOT BETWEEN \(until) AND \(from - 1)"
  }
}
