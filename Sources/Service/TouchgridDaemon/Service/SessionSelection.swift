internal import Storage
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// The parameters by which a call selects sessions of the past.
protocol SessionSelection {
  var session: Int64? { get }
  var day: String? { get }
  var span: API.Span? { get }
  var tags: [String: String]? { get }
  var weekdays: [Int64]? { get }
  var hours: API.HourRange? { get }
}

extension API.GetGrids: SessionSelection {}
extension API.GetCounts: SessionSelection {}

extension API.ListDays: SessionSelection {
  var session: Int64? { nil }
  var day: String? { nil }
  var tags: [String: String]? { nil }
  var hours: API.HourRange? { nil }
}

extension API.ListSessions: SessionSelection {
  var session: Int64? { nil }
  var day: String? { nil }
}

extension SessionSelection {
  /// The parameters that are given beside `session` and `day`, with their JSON types.
  var spanParameters: [(name: String, type: String)] {
    [
      ("span", span == nil ? nil : "an object"), ("tags", tags == nil ? nil : "an object"),
      ("weekdays", weekdays == nil ? nil : "an array"),
      ("hours", hours == nil ? nil : "an object"),
    ].compactMap { name, type in type.map { (name, $0) } }
  }
}

extension Service {
  /// Returns the sessions that a call selects.
  func sessions(_ wish: some SessionSelection) throws(VarlinkError) -> GridQuery.Sessions {
    let other = wish.session.map { _ in "session" } ?? wish.day.map { _ in "day" }
    if let other, let given = wish.spanParameters.first {
      throw invalid(given.name, given.type, "cannot be combined with \(other)")
    }
    if let day = wish.day, wish.session != nil {
      throw invalid("day", day, "cannot be combined with session")
    }
    if let session = wish.session { return .one(session) }
    guard let text = wish.day else { return .span(try span(wish.span), try filter(wish)) }
    return .day(try day(text))
  }

  func day(_ text: String) throws(VarlinkError) -> Day {
    guard let day = Day(text) else { throw invalid("day", text, "must be a date, YYYY-MM-DD") }
    return day
  }

  func span(_ span: API.Span?) throws(VarlinkError) -> TimeSpan {
    let span = TimeSpan(since: span?.since, until: span?.until)
    if let since = span.since, let until = span.until, until <= since {
      throw invalid("span.untilAtMs", "\(until.milliseconds)", "must be later than sinceAtMs")
    }
    return span
  }

  /// Returns the filter for the sessions that a call selects from its span.
  func filter(_ wish: some SessionSelection) throws(VarlinkError) -> SessionFilter {
    let tags = wish.tags ?? [:]
    var filter = SessionFilter(
      tags: try tagging(tags) { () throws(TagError) in try SessionTags.checked(tags) })
    if let weekdays = wish.weekdays {
      guard !weekdays.isEmpty else {
        throw invalid("weekdays", "[]", "must have a number from 1 (Monday) to 7 (Sunday)")
      }
      filter.weekdays = []
      for number in weekdays {
        guard let weekday = Weekday(rawValue: Int(number)) else {
          throw invalid("weekdays", "\(number)", "must be from 1 (Monday) to 7 (Sunday)")
        }
        filter.weekdays.insert(weekday)
      }
    }
    if let hours = wish.hours {
      filter.hours = HourRange(from: Int(hours.from), until: Int(hours.until))
      guard filter.hours != nil else {
        throw invalid(
          "hours", "\(hours.from) to \(hours.until)",
          "from must be 0 to 23 and until 0 to 24; they must differ, and not select the whole day")
      }
    }
    return filter
  }
}

extension SessionFilter {
  /// Whether the selection includes a running session.
  func chooses(_ session: SessionRecord) -> Bool {
    tags.allSatisfy { session.tags[$0.key] == $0.value }
      && weekdays.contains(Day(local: session.began).weekday)
      && (hours?.contains(Day.localHour(of: session.began)) ?? true)
  }
}
