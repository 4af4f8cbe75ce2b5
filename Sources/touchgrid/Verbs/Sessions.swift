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

  @OptionGroup var store: StoreOption
  @OptionGroup var time: SpanOptions

  @Flag(help: "One JSON object for programs: sessions with all their totals, and the sums.")
  var json = false

  func run() throws {
    let store = try store.open()
    let span = time.span
    let sessions = try store.sessions(in: span)
    let listed = try sessions.map { session in
      // Heads come without views; those of a session that was dropped meanwhile are gone.
      ListedSession(
        session: session, views: try store.session(session.record.id)?.record.changedViews ?? [])
    }
    let list = SessionList(listed)
    if json { return try writeLines([list.json.text]) }
    guard !sessions.isEmpty else { throw Failure(Self.nothing(span)) }
    try writeLines(list.lines(width: Terminal.width))
  }

  static func nothing(_ span: TimeSpan) -> String {
    span == .always
      ? "the store holds no session yet"
      : "no session began in this time (\(span.words)); without --since and --until all are shown"
  }
}
