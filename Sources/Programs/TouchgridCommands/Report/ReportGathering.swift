import Heatmaps
import Reports
import Storage
import Text
import TouchModel
import TouchgridAPI

/// Collects the contents of a report.
struct ReportGathering {
  let past: Past
  let span: TimeSpan
  let filter: SessionFilter
  let now: WallTime
  /// The parts that are missing in the report, with the reasons.
  private(set) var warnings: [String] = []

  /// The maximum number of sessions that are read one by one.
  private static let timedSessions = 20_000

  init(past: Past, span: TimeSpan, _ filter: SessionFilter, now: WallTime) {
    self.past = past
    self.span = span
    self.filter = filter
    self.now = now
  }

  /// Collects the whole report.
  /// - Parameter sessions: the number of newest sessions that get maps of their own.
  mutating func report(title: String, sessions: Int) throws -> Report {
    let progress = Progress("report")
    let listed = try days()
    // Some days have only suspected ghosts.
    let days = listed.filter { $0.sessions > 0 }
    let newest = try newestSessions(max(sessions, Self.timedSessions), days)
    var report = Report(
      title: title, made: Report.Time(now), version: touchgridVersion, span: span.words,
      tags: filter.tags, lastTouch: try lastTouch(newest).map { Report.Time($0) },
      days: days.map { Report.Day($0) })
    report.choose(filter)
    let shown = Array(newest.prefix(sessions))
    let parts = ReportParts(
      span: span, hasWholeDays: filter.choosesWholeDays, days: days.map(\.day), sessions: shown,
      now: now)
    try addMaps(to: &report, parts.all, progress)
    try addControls(to: &report)
    try addComparison(to: &report)
    try addFlows(to: &report)
    report.sessions = shown.map { Report.Session($0) }
    var lengths = Report.Lengths()
    for session in newest { lengths.add(session) }
    report.lengths = lengths
    report.devices = try past.reportedDevices(in: span, on: filter)
    report.panels = panels()
    if filter.choosesWholeDays {
      report.ghostsOutsideSessions = listed.reduce(0) { $0 &+ UInt64(clamping: $1.ghostsOutside) }
    }
    return report
  }

  /// Returns the days with sessions or, if the report is not limited to tags or hours, with
  /// suspected ghosts, oldest first.
  private func days() throws -> [API.Day] {
    // The sums of days have no tags and no hours, so with such filters the days are computed from
    // the sessions.
    guard filter.choosesWholeDays else {
      return API.Day.days(of: try past.sessions(in: span, filter).map(\.record))
    }
    return try past.days(in: span, on: filter)
  }

  /// Returns the newest sessions, newest first: `count` of them, but at least one if there is any.
  private func newestSessions(_ count: Int, _ days: [API.Day]) throws -> [SessionRecord] {
    var wanted = Int64(max(1, count))
    // Read only the necessary days: a year of a busy kiosk has very many sessions.
    let from = days.reversed().first { day in
      wanted -= day.sessions
      return wanted <= 0
    }
    var part = span
    if filter.choosesWholeDays, let start = from.flatMap({ LocalTime(day: $0.day) })?.dayStart {
      part.since = span.since.map { max($0, start) } ?? start
    }
    return try past.sessions(in: part, filter).suffix(max(1, count)).reversed().map(\.record)
  }

  private func lastTouch(_ newest: [SessionRecord]) throws -> WallTime? {
    let last = newest.map(\.lastActive).max()
    guard span.until == nil, filter.isEmpty, case .daemon(let daemon) = past else { return last }
    let status = try daemon.call(API.GetStatus())
    return [last, status.lastTouchAtMs.map(WallTime.init(milliseconds:))].compactMap { $0 }.max()
  }

  private mutating func addMaps(
    to report: inout Report, _ parts: [ReportPart], _ progress: borrowing Progress
  ) throws {
    var left: [String] = []
    progress.begin(parts.count, "maps")
    for part in parts {
      do {
        let grids = try Layer.allCases.flatMap { try past.grids(query(part, $0)) }
        for grid in grids { report.add(grid, choice: part.choice.id) }
        report.choices.append(part.choice)
      } catch  where part.isSession && error.isNoSuchSession {
        // The running session is listed even before its first checkpoint is in the store.
        report.choices.append(part.choice)
      } catch {
        // If the kiosk's clock is in another time zone, a part of the report may begin or end
        // within a day, and the sessions of that day may be deleted. Other errors end the report,
        // because it must not have unnoticed gaps.
        guard part.canBeLeftOut, error.isOnlyWholeDays else { throw error }
        left.append(part.choice.name)
      }
      progress.advance()
    }
    if !left.isEmpty {
      warnings.append(
        "left out: \(left.joined(separator: ", ")). Some of their days were recorded in another "
          + "time zone, and only the sums of these days are left, which cannot be split at the "
          + "midnight of this time zone; set TZ to that of the recording, as in TZ=Europe/Berlin")
    }
  }

  /// Adds the counts of controls and gestures. If the span has a beginning, also compares controls
  /// with the previous period of the same length.
  private mutating func addControls(to report: inout Report) throws {
    func controls(_ span: TimeSpan) throws -> [SummedControls] {
      try past.controls(GridQuery(.span(span, filter), layer: .taps))
    }
    let all = try controls(span)
    let gestures = try past.gestures(GridQuery(.span(span, filter), layer: .taps))
    guard !all.isEmpty, let before else { return report.add(all, gestures: gestures) }
    do {
      report.add(
        all, former: try controls(before.span), period: before.words, gestures: gestures)
    } catch  where error.isOnlyWholeDays || error.isFilterUnanswerable {
      // The previous period begins or ends within a day that has only sums.
      report.add(all, gestures: gestures)
    }
  }

  /// Whether the counts of single sessions can be read, which takes long for very many sessions.
  private func hasFewSessions(_ report: Report) -> Bool {
    report.days.reduce(0) { $0 &+ $1.sessions } <= Self.timedSessions
  }

  /// Proposes controls for screens without any. The pictures must have been added.
  func propose(_ report: inout Report) throws {
    guard report.screens.contains(where: { $0.controls.isEmpty }) else { return }
    let areas = try KnownAreas(past)
    let below = hasFewSessions(report) ? ControlProposals.leastSessions : nil
    report.propose(
      from: try past.grids(
        GridQuery(.span(span, filter), layer: .taps), sessionCountsBelow: below)
    ) { (areas.masks(on: $0), areas.controls(on: $0)) }
  }

  /// Adds the changes between screens. The sums of days have no tags and no hours.
  private func addFlows(to report: inout Report) throws {
    guard filter.choosesWholeDays else { return }
    let flows = try past.flows(in: span, on: filter)
    guard flows.counts.sessions > 0 else { return }
    report.add(FlowReport(flows.counts, hiddenSteps: flows.hiddenSteps))
  }

  /// Returns the state of each touchscreen at the end of the span; nil if it cannot be read. It is
  /// based on all earlier sessions, because it needs more days than most reports have.
  private mutating func panels() -> [PanelState]? {
    let span = TimeSpan(since: nil, until: span.until)
    do { return try PanelGathering(past: past, span: span, now: now).states() } catch {
      warnings.append("the state of the touchscreens is missing: \(error)")
      return nil
    }
  }

  /// The previous period of the same length; nil if the span has no beginning.
  private var before: (span: TimeSpan, words: String)? {
    guard let since = span.since else { return nil }
    let end = min(span.until ?? now, now)
    let length = end.milliseconds - since.milliseconds
    guard length > 0 else { return nil }
    let start = WallTime(milliseconds: since.milliseconds - length)
    return (TimeSpan(since: start, until: since), Self.words(length))
  }

  /// Adds the comparison with the previous period.
  private func addComparison(to report: inout Report) throws {
    guard let before else { return }
    let below = hasFewSessions(report) ? Comparison.minimumTouchedSessions : nil
    func grids(_ span: TimeSpan) throws -> [SummedGrid] {
      try past.grids(GridQuery(.span(span, filter), layer: .taps), sessionCountsBelow: below)
    }
    do {
      let former = try grids(before.span)
      guard !former.isEmpty else { return }
      let sides = [before.words, span.words].map {
        ComparisonReport.Side(words: $0, json: .string($0))
      }
      var comparison = ComparisonReport(
        sides[0], former, sides[1], try grids(span), layer: .taps, level: Self.level)
      let queries = [before.span, span].map { GridQuery(.span($0, filter), layer: .taps) }
      comparison.controls = ControlComparison(
        try past.controls(queries[0]), try past.controls(queries[1]),
        gestures: (try past.gestures(queries[0]), try past.gestures(queries[1])),
        level: Self.level)
      report.comparison = comparison
    } catch  where error.isOnlyWholeDays || error.isFilterUnanswerable {
      // The previous period begins or ends within a day that has only sums.
      return
    }
  }

  /// The accepted rate of false discoveries, the same as in `touchgrid compare`.
  private static let level = 0.05

  /// The previous period as text.
  private static func words(_ milliseconds: Int64) -> String {
    let hours = Int((Double(milliseconds) / 3_600_000).rounded())
    if hours >= 48 { return "the \(Int((Double(hours) / 24).rounded())) days before" }
    return hours > 1 ? "the \(hours) hours before" : "the time before"
  }

  private func query(_ part: ReportPart, _ layer: Layer) -> GridQuery {
    let sessions: GridQuery.Sessions =
      switch part.sessions {
      case .span(let span): .span(span, filter)
      case .day(let day): .day(day)
      case .one(let id): .one(id)
      }
    return GridQuery(sessions, layer: layer)
  }
}
