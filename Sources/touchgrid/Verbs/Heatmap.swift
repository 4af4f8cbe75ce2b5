public import ArgumentParser
import Glibc
public import GridFormats
import Storage
public import TouchModel

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

  @Argument(help: "The screen's name; all screens unless given.")
  var screen: String?

  @Option(help: "What is counted: taps, trail, or dwell (in milliseconds).")
  var layer = Layer.taps

  @Option(help: ArgumentHelp("Only this session.", valueName: "id"))
  var session: Int64?

  @OptionGroup var time: SpanOptions

  @Option(help: ArgumentHelp("Only this display.", valueName: "name"))
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

  @OptionGroup var store: StoreOption

  func validate() throws {
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
    let grids = try grids(try store.open(), span)
    guard let format, let output else {
      return try writeLines(pictures(grids, span))
    }
    let spanJSON: JSONValue = if let session { ["session": .integer(session)] } else { span.json }
    let bytes = try format.bytes(grids, span: spanJSON)
    if output == "-" {
      try write(bytes, to: STDOUT_FILENO, name: "standard output")
    } else {
      try writeFile(bytes, to: output)
    }
  }

  private func pictures(_ grids: [SummedGrid], _ span: TimeSpan) -> [String] {
    let words = session.map { "session \($0)" } ?? span.words
    let pictures = grids.map { grid in
      GridPicture(grid, colours: colours ?? Terminal.colours, width: Terminal.width)
        .lines(span: words)
    }
    return Array(pictures.joined(separator: [""]))
  }

  private func grids(_ store: Store, _ span: TimeSpan) throws -> [SummedGrid] {
    let all =
      if let session {
        try store.summaries(screen: screen, layer: layer, session: session)
      } else {
        try store.summaries(screen: screen, layer: layer, in: span)
      }
    let wanted = all.filter { summary in
      (display == nil || summary.key.display == display)
        && (geometry == nil || summary.key.geometry.text == geometry)
    }
    guard wanted.isEmpty else { return wanted.map(SummedGrid.init) }
    throw try absence(store, span)
  }

  /// Why there is nothing to show.
  private func absence(_ store: Store, _ span: TimeSpan) throws -> Failure {
    if let session, try store.session(session) == nil {
      return Failure("there is no session \(session); 'touchgrid sessions' lists them")
    }
    let shown =
      if let session {
        try store.summaries(screen: nil, layer: layer, session: session).map(\.key)
      } else {
        try store.screens(in: span).map(\.key)
      }
    guard !shown.isEmpty else {
      return Failure(
        session.map { "session \($0) showed no screen" } ?? Sessions.nothing(span))
    }
    let names = shown.map {
      "  \($0.screen.printable()) --display \($0.display.printable()) "
        + "--geometry \($0.geometry.text)"
    }
    return Failure("no such screen was shown; these were:\n" + names.joined(separator: "\n"))
  }
}

extension Layer: ExpressibleByArgument {}
extension TerminalColours: ExpressibleByArgument {}

extension SummedGrid {
  init(_ summary: GridSummary) {
    self.init(
      key: summary.key, layer: summary.layer, sessions: summary.sessions,
      touches: summary.touches, sum: (0..<summary.sum.count).map { summary.sum[$0] },
      sumOfSquares: summary.sumOfSquares)
  }
}
