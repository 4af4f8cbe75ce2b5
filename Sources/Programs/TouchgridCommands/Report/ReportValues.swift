import Reports
import Storage
import TouchModel
import TouchgridAPI

extension Report.Time {
  init(_ time: WallTime) {
    self.init(at: time, text: LocalTime(time)?.text ?? "\(time.milliseconds) ms")
  }
}

extension Report.Session {
  init(_ record: SessionRecord) {
    let listed = ListedSession(record: record)
    self.init(
      choice: "session-\(record.id)", id: record.id, began: Report.Time(record.began),
      durationMilliseconds: listed.duration, ending: listed.ending, tags: record.tags,
      totals: record.totals)
  }
}

extension Report.Day {
  init(_ day: API.Day) {
    self.init(
      day: day.day, sessions: UInt64(clamping: day.sessions), totals: day.totals?.sessionTotals,
      hours: day.hours.flatMap { $0.count == 24 ? $0.map { UInt64(clamping: $0) } : nil })
  }
}

extension Report.Device {
  init(_ device: API.Device) {
    let tally = device.tally
    self.init(
      key: device.key, name: device.name,
      displays: ["\(device.display) (\(device.displaySource.rawValue))"],
      tally: Tally(
        touches: UInt64(clamping: tally.touches), drops: UInt64(clamping: tally.drops),
        suspectedGhosts: UInt64(clamping: tally.suspectedGhosts),
        echoes: UInt64(clamping: tally.echoes), unrecorded: UInt64(clamping: tally.unrecorded)))
  }
}

extension API.Day {
  /// Returns the days of sessions, by the calendar of this machine. `sessions` must contain every
  /// session that the report covers, because counts are computed from them.
  static func days(of sessions: [SessionRecord]) -> [API.Day] {
    var days: [String: (sessions: UInt64, totals: SessionTotals, hours: [UInt64])] = [:]
    for session in sessions {
      let text = Storage.Day(local: session.began).text
      var day = days[text] ?? (0, SessionTotals(), Array(repeating: 0, count: 24))
      day.sessions += 1
      day.totals.add(session.totals)
      day.hours[Storage.Day.localHour(of: session.began)] += 1
      days[text] = day
    }
    return days.sorted { $0.key < $1.key }.map { text, day in
      API.Day(
        text, sessions: day.sessions, totals: day.totals, hours: day.hours, ghostsOutside: 0)
    }
  }
}

extension Report {
  /// Stores the weekdays and hours that the report is limited to.
  mutating func choose(_ filter: SessionFilter) {
    weekdays = filter.weekdayWords.map {
      Weekdays(numbers: filter.weekdays.sorted().map(\.rawValue), text: $0)
    }
    if let range = filter.hours, let text = filter.hourWords {
      hours = Hours(from: range.from, until: range.until, text: text)
    }
  }
}
