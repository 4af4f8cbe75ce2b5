import Glibc
import Storage
import TouchModel
import TouchgridAPI

extension Past {
  /// Returns the sessions that began on a day of the kiosk's local calendar, oldest first, without
  /// those that have been deleted.
  func sessions(on day: Day) throws -> [SessionRecord] {
    switch self {
    case .daemon(let daemon):
      let question = API.ListSessions(span: API.Span(day.widely))
      return try daemon.replies(to: question).flatMap(\.sessions)
        .filter { $0.day == day.text }
        .map(\.sessionRecord)
    case .file(let store):
      return try store.sessions(in: day.widely).filter { $0.day == day }.map(\.record)
    }
  }
}

extension Day {
  /// A span that contains this day in every time zone, from UTC+14 to UTC-12, with an hour to spare
  /// at each end.
  fileprivate var widely: TimeSpan {
    let parts = text.split(separator: "-").compactMap { Int32($0) }
    var time = unsafe tm()
    unsafe time.tm_year = parts[0] - 1900
    unsafe time.tm_mon = parts[1] - 1
    unsafe time.tm_mday = parts[2]
    let start = unsafe Int64(timegm(&time)) * 1000
    let hour: Int64 = 3_600_000
    return TimeSpan(
      since: WallTime(milliseconds: start - 15 * hour),
      until: WallTime(milliseconds: start + (24 + 13) * hour))
  }
}
