public import ArgumentParser
import Glibc
public import GridFormats
import Storage
public import TouchModel
import TouchgridAPI

struct Heatmap: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws where a screen is touched, or writes the numbers to a file.",
    discussion: """
      Shows the mean of a session for each block: each display and geometry in a picture of its own, \
      as grids of different shape are never added up. In a terminal a picture is drawn with the \
      colours that COLORTERM and TERM promise; with NO_COLOR, or into a file or pipe, with plain \
      characters. Blocks are added up to larger cells where the terminal is too narrow.

      Files, by their ending:
        .csv   one line a block: screen, layer, column, row, its edges in points (x0,
               y0, x1, y1), sessions, count, count_sq (sum of the sessions' squared
               counts), mean; then display, pixel_width, pixel_height, scale,
               rotation, block_size
        .json  {"format": "touchgrid-grids", "version": 1, "span", "grids":
               [{"screen", "display", "layer", "geometry", "sessions", "touches",
               "sum", "sumOfSquares", "mean"}]}; the last three are row-major arrays
        .npy   the means of one grid, float64, shape (rows, columns), for numpy.load
      """)

  @Argument(help: "The screen's name; all screens unless given.", completion: .screens)
  var screen: String?

  @Option(help: "What is counted: taps, trail, or dwell (in milliseconds).")
  var layer = Layer.taps

  @Option(help: ArgumentHelp("Only this session.", valueName: "id"))
  var session: Int64?

  @OptionGroup var time: SpanOptions

  @Flag(help: "The session that runs, as it stands at this moment.")
  var live = false

  @Option(
    help: ArgumentHelp("Only this display.", valueName: "name"), completion: .displays)
  var display: String?

  @Option(help: ArgumentHelp("Only this geometry, as 'touchgrid screens' shows it."))
  var geometry: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write to a file: .csv, .json or .npy; '-' is standard output and needs --format.",
      valueName: "file"), completion: .file(extensions: ["csv", "json", "npy"]))
  var output: String?

  @Option(help: "Write this format, whatever the file's ending.")
  var format: HeatmapFormat?

  @Option(help: "Colours to draw with, instead of those that the terminal promises.")
  var colours: TerminalColours?

  @Flag(help: "Short for --output - --format json.")
  var json = false

  @OptionGroup var past: PastOptions

  func validate() throws {
    if json, output != nil || format != nil {
      throw ValidationError("--json says where to and in which format; -o and --format do too.")
    }
    if live, session != nil || time.since != nil || time.until != nil || past.store != nil {
      throw ValidationError(
        "--live asks the daemon for the session that runs; leave --session, --since, --until and "
          + "--store out.")
    }
    if session != nil, time.since != nil || time.until != nil {
      throw ValidationError("--session names one session; --since and --until do not go with it.")
    }
    if output == nil, format != nil {
      throw ValidationError("--format goes with -o FILE; '-o -' is standard output.")
    }
    _ = try fileFormat()
  }

  /// - Returns: nil where nothing is to be written.
  private func fileFormat() throws -> HeatmapFormat? {
    if json { return .json }
    guard let output else { return nil }
    if let format { return format }
    if let format = HeatmapFormat(ending: output) { return format }
    let hint =
      output == "-"
      ? "Standard output has no ending; add --format csv, json or npy."
      : "'\(output.printable())' does not end in .csv, .json or .npy; rename it or add --format."
    throw ValidationError(hint)
  }

  func run() throws {
    let format = try fileFormat()
    let span = time.span
    let grids = try grids(try past.open(needsDaemon: live), span)
    guard let format else { return try writeLines(pictures(grids, span)) }
    let bytes = try format.bytes(grids, span: spanJSON(span))
    let output = output ?? "-"
    if output == "-" {
      try write(bytes, to: STDOUT_FILENO, name: "standard output")
    } else {
      try writeFile(bytes, to: output)
    }
  }

  private func spanJSON(_ span: TimeSpan) -> JSONValue {
    if live { return ["live": .bool(true)] }
    return if let session { ["session": .integer(session)] } else { span.json }
  }

  private func pictures(_ grids: [SummedGrid], _ span: TimeSpan) -> [String] {
    let words = live ? "running" : session.map { "session \($0)" } ?? span.words
    let pictures = grids.map { grid in
      GridPicture(grid, colours: colours ?? Terminal.colours, width: Terminal.width)
        .lines(span: words)
    }
    return Array(pictures.joined(separator: [""]))
  }

  private func grids(_ past: Past, _ span: TimeSpan) throws -> [SummedGrid] {
    let question = GridQuestion(
      layer: layer, screen: screen, display: display,
      sessions: live ? .live : session.map { .one($0) } ?? .span(span))
    let grids = try past.grids(question)
      .filter { geometry == nil || $0.key.geometry.text == geometry }
    guard grids.isEmpty else { return grids }
    throw try absence(past, question, span)
  }

  /// Why there is nothing to show.
  private func absence(
    _ past: Past, _ question: GridQuestion, _ span: TimeSpan
  ) throws -> Failure {
    var all = question
    (all.screen, all.display) = (nil, nil)
    let shown: [(screen: String, display: String, geometry: String)] =
      if case .span = question.sessions {
        try past.screens(in: span).map { ($0.screen, $0.display, $0.geometry.text) }
      } else {
        try past.grids(all).map { ($0.key.screen, $0.key.display, $0.key.geometry.text) }
      }
    guard !shown.isEmpty else {
      if live { return Failure("nothing was counted yet: no session runs, or none was touched") }
      return Failure(
        session.map { "session \($0) showed no screen" } ?? Sessions.nothing(span))
    }
    let names = shown.map {
      "  \($0.screen.printable()) --display \($0.display.printable()) --geometry \($0.geometry)"
    }
    return Failure("no such screen was shown; these were:\n" + names.joined(separator: "\n"))
  }
}

extension Layer: ExpressibleByArgument {}
extension TerminalColours: ExpressibleByArgument {}
