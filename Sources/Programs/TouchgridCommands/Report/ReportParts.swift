import Reports
import Storage
import Text
import TouchModel

/// A set of sessions that the report's maps can show.
struct ReportPart {
  enum Sessions: Hashable {
    case span(TimeSpan)
    /// A day of the kiosk's local calendar, which may differ from that of this machine.
    case day(Day)
    case one(Int64)
  }

  var choice: Report.Choice
  var sessions: Sessions

  var isSession: Bool { choice.kind == .session }

  /// Whether the report may be made without this part. The whole span and the listed sessions are
  /// required.
  var canBeLeftOut: Bool { !isSession && choice.id != "all" }
}

/// The sets of sessions that the report offers: the whole span, the last days if the span is
/// longer, days or months, and single sessions. Their number is limited, so that the file of the
/// report remains small enough to share.
struct ReportParts {
  /// A report over at most this many days offers each day, a longer one each month.
  static let maximumDays = 31
  static let maximumMonths = 12

  let span: TimeSpan
  /// Whether the report covers all sessions of its days, without a filter for tags or hours.
  let hasWholeDays: Bool
  /// The days on which sessions began, `YYYY-MM-DD`, ascending.
  let days: [String]
  /// The newest session first.
  let sessions: [SessionRecord]
  let now: WallTime

  /// All parts, the whole span first.
  var all: [ReportPart] {
    let whole = Report.Choice(
      id: "all", kind: .span, name: span.words, since: span.since.map { Report.Time($0) },
      until: span.until.map { Report.Time($0) })
    guard let first = days.first.flatMap(LocalTime.init(day:)),
      let last = days.last.flatMap(LocalTime.init(day:))
    else { return [ReportPart(choice: whole, sessions: .span(span))] }
    return [ReportPart(choice: whole, sessions: .span(span))]
      + lastDays(since: first) + calendar(first, last) + single
  }

  /// Returns the last 7, 30 and 90 days, each only if the report goes further back and the days
  /// have sessions.
  private func lastDays(since first: LocalTime) -> [ReportPart] {
    let end = span.until.map { WallTime(milliseconds: $0.milliseconds - 1) } ?? now
    guard let today = LocalTime(end) else { return [] }
    return [7, 30, 90].compactMap { count in
      let start = LocalTime(
        year: today.year, month: today.month, day: today.day + 1 - count, hour: 12
      )
      .wall.flatMap { LocalTime($0) }
      guard let start, first.dateText < start.dateText, let last = days.last,
        last >= start.dateText
      else { return nil }
      let suffix = span.until == nil ? "" : " to \(today.dateText)"
      return part(.span, "last-\(count)", "last \(count) days\(suffix)", start.dayStart, nil)
    }
  }

  /// Returns each day or, for a longer report, up to `maximumMonths` months, the newest first.
  /// Empty if there is only one day or month.
  private func calendar(_ first: LocalTime, _ last: LocalTime) -> [ReportPart] {
    guard days.count > 1 else { return [] }
    let limit = LocalTime(
      year: first.year, month: first.month, day: first.day + Self.maximumDays - 1, hour: 12
    ).wall.flatMap { LocalTime($0) }
    if let limit, last.dateText <= limit.dateText {
      return days.reversed().compactMap { text in
        guard let day = LocalTime(day: text) else { return nil }
        return part(.day, text, text, day.dayStart, day.nextDayStart)
      }
    }
    var months: [String] = []
    for day in days.reversed() where months.last != String(day.prefix(7)) {
      months.append(String(day.prefix(7)))
    }
    guard months.count > 1 else { return [] }
    return months.prefix(Self.maximumMonths).compactMap { text in
      guard let month = LocalTime(day: text + "-01") else { return nil }
      // Day 32 is in the next month, regardless of the month's length.
      let later = LocalTime(year: month.year, month: month.month, day: 32, hour: 12).wall
        .flatMap { LocalTime($0) }
      let next = later.map { LocalTime(year: $0.year, month: $0.month, day: 1) }
      return part(.month, text, text, month.dayStart, next?.dayStart)
    }
  }

  private func part(
    _ kind: Report.Choice.Kind, _ id: String, _ name: String, _ since: WallTime?, _ until: WallTime?
  ) -> ReportPart {
    let part = TimeSpan(
      since: [span.since, since].compactMap { $0 }.max(),
      until: [span.until, until].compactMap { $0 }.min())
    let isWhole = part == TimeSpan(since: since, until: until)
    let choice = Report.Choice(
      id: id, kind: kind, name: name, since: part.since.map { Report.Time($0) },
      until: part.until.map { Report.Time($0) })
    if kind == .day, isWhole, hasWholeDays, let day = Day(id) {
      return ReportPart(choice: choice, sessions: .day(day))
    }
    return ReportPart(choice: choice, sessions: .span(part))
  }

  private var single: [ReportPart] {
    sessions.map { record in
      let session = Report.Session(record)
      let tags = record.tags.sorted { $0.key < $1.key }.map { " · \($0.key)=\($0.value)" }
      return ReportPart(
        choice: Report.Choice(
          id: session.choice, kind: .session,
          name: "session \(record.id) · \(session.began.text) · "
            + counted(record.totals.begun, "touch", "touches") + tags.joined(),
          since: session.began, until: Report.Time(record.lastActive)),
        sessions: .one(record.id))
    }
  }
}

extension LocalTime {
  /// - Parameter day: the day, `YYYY-MM-DD`.
  init?(day: String) {
    let numbers = day.split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }
}
