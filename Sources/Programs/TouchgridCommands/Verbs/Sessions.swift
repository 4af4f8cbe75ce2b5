import ArgumentParser
import Heatmaps
import Storage
import Text
import TouchModel
import TouchgridAPI

struct Sessions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists sessions, and whether their totals add up.",
    discussion: """
      Prints one line per session, oldest first, and below them the sum of their totals: touches \
      begun = counted + masked + palms + suspected ghosts + swallowed + still down.
      """)

  @OptionGroup var time: SpanOptions

  @OptionGroup var choice: FilterOptions

  @Option(
    help: ArgumentHelp(
      "Only the newest sessions, at most this many; the sum covers only these.",
      valueName: "number"), transform: readInteger)
  var limit: Int?

  @OptionGroup var past: StoredDataOptions

  @Flag(
    help: """
      Print JSON, in the form of the daemon's reply (ListSessions of the interface io.touchgrid), \
      with the sum of the totals as "totals", and whether they add up as "balances".
      """)
  var json = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes a number above 0.") }
  }

  func run() throws {
    let span = time.span
    let past = try past.open()
    let filter = choice.filter
    let sessions = try Progress.during("sessions") { try past.sessions(in: span, filter) }
    let list = SessionTable(limit.map { sessions.suffix($0) } ?? sessions)
    if json { return try writeJSON(list.json) }
    guard !sessions.isEmpty else {
      throw NothingToShow(try Self.nothing(past, span, filter))
    }
    try writeLines(list.lines(width: Terminal.width))
  }

  /// Returns the message that no session has the tags.
  private static func untagged(_ span: TimeSpan) -> String {
    span == .always
      ? "no session has these tags; 'touchgrid sessions' lists all sessions with their tags"
      : "no session that began in this time (\(span.words)) has these tags; without --tag all are shown"
  }

  /// Whether no session passes a filter, as far as the store knows; the sums of days are
  /// considered, too.
  static func areUnknown(
    _ past: Past, _ span: TimeSpan, _ filter: SessionFilter = SessionFilter()
  ) throws -> Bool {
    guard try past.sessions(in: span, filter).isEmpty else { return false }
    return try !filter.choosesWholeDays
      || past.days(in: span, on: filter).allSatisfy { $0.sessions == 0 }
  }

  /// Returns the message that no stored session of a span passes a filter.
  static func nothing(
    _ past: Past, _ span: TimeSpan, _ filter: SessionFilter = SessionFilter()
  ) throws -> String {
    let days = try past.days(in: .always).filter { $0.sessions > 0 }
    guard let first = days.first, let last = days.last, try past.sessions(in: .always).isEmpty
    else { return nothing(span, filter) }
    let what = days.count == 1 ? first.day : "\(first.day) to \(last.day)"
    return "the store has only the sums of days (\(what)), like that of a fleet; single sessions, "
      + "their times, tags and hours are not known"
  }

  /// Returns the message that no session of a span passes a filter.
  private static func nothing(_ span: TimeSpan, _ filter: SessionFilter) -> String {
    guard filter.timeMembers.isEmpty else {
      return "no session is in this selection (\(filter.words(in: span))); 'touchgrid sessions' "
        + "lists all sessions with their times and tags"
    }
    guard filter.tags.isEmpty else { return untagged(span) }
    return span == .always
      ? "the store has no sessions"
      : "no session began in this time (\(span.words)); without --since and --until all are shown"
  }

  /// The rule for touches on a map, as text.
  static let mapRule =
    "a touch is added when it has ended, unless it was masked, a palm or a suspected ghost"
}
