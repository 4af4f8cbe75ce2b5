import ArgumentParser
import Reports
import Storage
import Text
import TouchModel

/// The verb `touchgrid gestures`.
struct GesturesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gestures",
    abstract: "Shows what people try: taps, swipes, pinches and more.",
    discussion: """
      For each screen, the table has the gestures that people made there, how often, in how many \
      sessions, and their share of the sessions that showed the screen. A gesture counts on the \
      screen on which it began.

      Touches in masks, palms and suspected ghosts are in none of them. docs/gestures.md describes \
      the rules.

      Files, by their ending:
        .csv   one line per screen and gesture
        .json  all of it; docs/gestures.md has the members
      """)

  @Argument(help: "The name of the screen. Default: all screens.", completion: .screens)
  var screen: String?

  @Option(help: ArgumentHelp("Only this session.", valueName: "id"), transform: readSession)
  var session: Int64?

  @OptionGroup var time: SpanOptions

  @OptionGroup var choice: FilterOptions

  @Option(
    help: ArgumentHelp("Only this display.", valueName: "name"), completion: .displays)
  var display: String?

  @OptionGroup var file: FileOptions<TableFormat>

  @OptionGroup var past: StoredDataOptions

  func validate() throws {
    if session != nil, time.since != nil || time.until != nil || choice.isGiven {
      throw ValidationError(
        "--session cannot be combined with --since, --until, \(FilterOptions.names).")
    }
  }

  func run() throws {
    let past = try past.open(writing: file.output)
    let (span, filter) = (time.span, choice.filter)
    let sessions: GridQuery.Sessions = session.map { .one($0) } ?? .span(span, filter)
    let query = GridQuery(sessions, layer: .taps, screen: screen, display: display)
    let report = GestureReport(try Progress.during("gestures") { try past.gestures(query) })
    switch try file.chosen() {
    case .json:
      let of: JSONValue = session.map { ["session": .integer($0)] } ?? filter.json(in: span)
      try file.save(Array((report.json(of: of).text + "\n").utf8))
    case .csv: try file.save(report.csv)
    case nil:
      guard !report.screens.isEmpty else {
        throw try Sessions.nothingCounted(
          past, span, filter, screen: screen, display: display,
          otherwise: "no gesture was counted: a touch counts once it has ended, outside of masks")
      }
      let title = filter.title(in: span).map { wrapped($0, to: Terminal.width) } ?? []
      try writeLines(title + report.lines(width: Terminal.width))
    }
  }
}
