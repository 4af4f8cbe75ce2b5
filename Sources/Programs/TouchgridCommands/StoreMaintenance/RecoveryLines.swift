import Heatmaps
import Storage
import Text
import TouchModel

/// The result of a recovery as lines of text.
enum RecoveryLines {
  /// The maximum number of lost sessions to list.
  private static let limit = 20

  /// Returns the reason for a loss, without the session's name at its start.
  private static func reason(_ lost: RecoveryReport.Lost) -> String {
    let name = "session \(lost.id): "
    return lost.reason.hasPrefix(name) ? String(lost.reason.dropFirst(name.count)) : lost.reason
  }

  static func lines(_ report: RecoveryReport, into path: String, width: Int) -> [String] {
    let name = path.printable(limit: 4096)
    let between =
      report.firstDay.flatMap { first in
        report.lastDay.map { first == $0 ? ", of \(first)" : ", of \(first) to \($0)" }
      } ?? ""
    var facts: [(name: String, value: String)] = [
      (
        "read",
        counted(report.pages, "page") + ", with "
          + (report.damagedSpots == 0
            ? "nothing damaged" : counted(report.damagedSpots, "damaged place"))
      ),
      (
        "saved",
        "\(counted(report.sessions, "session")) with \(counted(report.grids, "grid"))\(between)"
      ),
      ("", "the sums of \(counted(report.days, "day"))"),
    ]
    if !report.daysFromSessions.isEmpty {
      let days = report.daysFromSessions.sorted { $0.key < $1.key }
        .map { "\($0.key) (\(counted($0.value, "session")))" }
      facts.append(
        (
          "",
          "to be recomputed from the saved sessions: the sums of "
            + days.joined(separator: ", ")
        ))
    }
    if report.lost.isEmpty, report.lostDays.isEmpty, report.cutShort.isEmpty {
      facts.append(
        (
          "lost",
          report.damagedSpots == 0
            ? "nothing" : "nothing known; the damaged pages may have contained more"
        ))
    }
    for (index, lost) in report.lost.prefix(limit).enumerated() {
      let day = lost.day.map { " of \($0)" } ?? ""
      facts.append(
        (
          index == 0 ? "lost" : "",
          "session \(lost.id)\(day): \(reason(lost).printable(limit: 400))"
        ))
    }
    if report.lost.count > limit {
      facts.append(
        ("", "and \(report.lost.count - limit) more sessions; --json names all of them"))
    }
    if !report.cutShort.isEmpty {
      let ids = report.cutShort.map { "session \($0)" }.joined(separator: ", ")
      facts.append(("lost", "the last minutes of \(ids) (running when the store was damaged)"))
    }
    if !report.lostDays.isEmpty {
      facts.append(("lost", "the sums of " + report.lostDays.joined(separator: ", ")))
    }
    if report.withoutPlacements > 0 {
      facts.append(
        (
          "lost",
          "where the touchscreens lay on the display, for "
            + "\(counted(report.withoutPlacements, "view"))"
        ))
    }
    if report.withoutCounts > 0 {
      facts.append(
        (
          "lost",
          "the counts of controls, panels and changes of screens, for "
            + "\(counted(report.withoutCounts, "session")) or days"
        ))
    }
    let sheet = FactSheet(title: name, facts: facts)
    return sheet.lines(width: width) + [
      "Read it with --store, as in: sudo touchgrid sessions --store \(name)",
      "To put it in the store's place: docs/store.md, 'Put a copy back'.",
    ]
  }
}

/// The `--json` output of a recovery.
struct RecoveryReply: Encodable {
  struct Session: Encodable {
    var id: Int64
    var day: String?
    var reason: String
  }

  var store: String
  var pages: Int
  var damaged: Int
  var sessions: Int
  var grids: Int
  var days: Int
  var lostSessions: [Session]
  var cutShort: [Int64]
  var lostDays: [String]
  var daysFromSessions: [String: Int]

  init(_ report: RecoveryReport, into path: String) {
    store = path
    pages = report.pages
    damaged = report.damagedSpots
    sessions = report.sessions
    grids = report.grids
    days = report.days
    lostSessions = report.lost.map { Session(id: $0.id, day: $0.day, reason: $0.reason) }
    cutShort = report.cutShort
    lostDays = report.lostDays
    daysFromSessions = report.daysFromSessions
  }
}
