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
  @OptionGroup var past: PastOptions

  @Flag(
    help: """
      JSON: the reply of ListSessions in io.touchgrid, with the sums as "totals", and whether they \
      balance.
      """)
  var json = false

  func run() throws {
    let span = time.span
    let sessions = try past.open().sessions(in: span)
    let list = SessionList(sessions)
    if json { return try writeJSON(list.json) }
    guard !sessions.isEmpty else { throw Failure(Self.nothing(span)) }
    try writeLines(list.lines(width: Terminal.width))
  }

  static func nothing(_ span: TimeSpan) -> String {
    span == .always
      ? "the store holds no session yet"
      : "no session began in this time (\(span.words)); without --since and --until all are shown"
  }
}
