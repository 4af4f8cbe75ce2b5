import ArgumentParser
import Heatmaps
import Storage
import TouchModel

struct Sessions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists sessions, and whether their totals add up.",
    discussion: """
      Prints one line per session, oldest first, and below them the sum of their totals: touches \
      begun = counted + masked + palms + suspected ghosts + still down.
      """)

  @OptionGroup var time: SpanOptions

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "Only sessions with this tag. If repeated, sessions with all tags.",
      valueName: "key=value"), transform: TagArgument.read)
  var tags: [TagArgument] = []

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
    _ = try tags.dictionary()
    if let limit, limit < 1 { throw ValidationError("--limit takes a number above 0.") }
  }

  func run() throws {
    let span = time.span
    let past = try past.open()
    let tags = try tags.dictionary()
    let sessions = try Progress.during("sessions") { try past.sessions(in: span, tags: tags) }
    let list = SessionTable(limit.map { sessions.suffix($0) } ?? sessions)
    if json { return try writeJSON(list.json) }
    guard !sessions.isEmpty else {
      throw NothingToShow(tags.isEmpty ? Self.nothing(span) : Self.untagged(span))
    }
    try writeLines(list.lines(width: Terminal.width))
  }

  /// Returns the message that no session has the tags.
  static func untagged(_ span: TimeSpan) -> String {
    span == .always
      ? "no session has these tags; 'touchgrid sessions' lists all sessions with their tags"
      : "no session that began in this time (\(span.words)) has these tags; without --tag all are shown"
  }

  static func nothing(_ span: TimeSpan) -> String {
    span == .always
      ? "the store has no sessions"
      : "no session began in this time (\(span.words)); without --since and --until all are shown"
  }

  /// Which touches are on a map, as text.
  static let mapRule =
    "a touch is added when it has ended, unless it was masked, a palm or a suspected ghost"
}
