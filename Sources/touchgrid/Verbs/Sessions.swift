import ArgumentParser
import GridFormats
import Storage
import TouchModel

struct Sessions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists sessions, and whether their books balance.",
    discussion: """
      One line a session, oldest first. The last line adds up the books: touches begun = counted + \
      masked + palms + suspected ghosts + those still down.
      """)

  @OptionGroup var time: SpanOptions

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "Only sessions with this tag; given several times, those that have all of them.",
      valueName: "key=value"))
  var tags: [TagArgument] = []

  @OptionGroup var past: PastOptions

  @Flag(
    help: """
      JSON: the reply of ListSessions in io.touchgrid, with the sums as "totals", and whether they \
      balance.
      """)
  var json = false

  func validate() throws { _ = try tags.dictionary() }

  func run() throws {
    let span = time.span
    let past = try past.open()
    let tags = try tags.dictionary()
    let sessions = try Progress.during("sessions") { try past.sessions(in: span, tags: tags) }
    let list = SessionList(sessions)
    if json { return try writeJSON(list.json) }
    guard !sessions.isEmpty else {
      throw Failure(tags.isEmpty ? Self.nothing(span) : Self.untagged(span))
    }
    try writeLines(list.lines(width: Terminal.width))
  }

  /// Returns the message that no session has the tags.
  static func untagged(_ span: TimeSpan) -> String {
    span == .always
      ? "no session has these tags; 'touchgrid sessions' shows all with theirs"
      : "no session that began in this time (\(span.words)) has these tags; without --tag all are shown"
  }

  static func nothing(_ span: TimeSpan) -> String {
    span == .always
      ? "the store holds no session yet"
      : "no session began in this time (\(span.words)); without --since and --until all are shown"
  }
}
