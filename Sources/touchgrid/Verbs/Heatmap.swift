public import ArgumentParser
import Glibc
public import GridFormats
import HeatmapRendering
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
        .png   a picture with its legend, over a screenshot where --background names
               one; what it shows stands in it as iTXt "touchgrid", too
        .svg   the same as a drawing; pointing at a block shows its numbers
        .pdf   the same, a page for each grid
        .csv   one line a block: screen, layer, column, row, its edges in points (x0,
               y0, x1, y1), sessions, count, count_sq (sum of the sessions' squared
               counts), mean; then display, pixel_width, pixel_height, scale,
               rotation, block_size, days, shown_ms, touched_sessions, masked
        .json  {"format": "touchgrid-grids", "version": 1, "span", "grids":
               [{"screen", "display", "layer", "geometry", "sessions", "touches",
               "sum", "sumOfSquares", "mean", "days", "shownMs", "touchedSessions",
               "masked"}]}; the arrays are row-major
        .npy   the values of a single grid: float64, shape (rows, columns); NaN
               where a mask reaches into a block and nothing was counted

      Where a .png or .svg would have to hold several grids, each gets a file of its own: \
      map-menu.png, map-checkout-pay.png for -o map.png. Their names are printed.
      """)

  @Argument(help: "The screen's name; all screens unless given.", completion: .screens)
  var screen: String?

  @Option(help: "What is counted: taps, trail, or dwell (in milliseconds).")
  var layer = Layer.taps

  @Option(
    help: """
      What is shown of a block: the mean of a session, the sum, or the rate for each minute that \
      the screen was shown.
      """)
  var value = GridValue.mean

  @Option(help: ArgumentHelp("Only this session.", valueName: "id"))
  var session: Int64?

  @OptionGroup var time: SpanOptions

  @Option(
    help: ArgumentHelp(
      "Only sessions with this tag; several: with all of them.", valueName: "key=value"))
  var tag: [TagArgument] = []

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
      "Write to a file: \(HeatmapFormat.endings); '-' is standard output and needs --format.",
      valueName: "file"), completion: .file(extensions: HeatmapFormat.allCases.map(\.rawValue)))
  var output: String?

  @Option(help: "Write this format, whatever the file's ending.")
  var format: HeatmapFormat?

  @OptionGroup var picture: PictureOptions

  @Option(
    help: ArgumentHelp(
      "Blur the picture by a Gaussian of this standard deviation, for display only.",
      valueName: "points"))
  var smooth: Double?

  @OptionGroup var colour: ColourOptions

  @Option(help: "Colours of the terminal, instead of those that it promises.")
  var colours: TerminalColours?

  @Flag(help: "Short for --output - --format json.")
  var json = false

  @OptionGroup var past: PastOptions

  func validate() throws {
    if json, output != nil || format != nil {
      throw ValidationError("--json says where to and in which format; -o and --format do too.")
    }
    _ = try tag.dictionary()
    let hasSpan = time.since != nil || time.until != nil || !tag.isEmpty
    if live, session != nil || hasSpan || past.store != nil {
      throw ValidationError(
        "--live asks the daemon for the session that runs; leave --session, --since, --until, --tag "
          + "and --store out.")
    }
    if session != nil, hasSpan {
      throw ValidationError(
        "--session names one session; --since, --until and --tag do not go with it.")
    }
    if output == nil, format != nil {
      throw ValidationError("--format goes with -o FILE; '-o -' is standard output.")
    }
    if let smooth, !(1...500).contains(smooth) {
      throw ValidationError("--smooth is a number of points from 1 to 500.")
    }
    if smooth != nil, picture.cells {
      throw ValidationError(
        "--cells shows blocks as they are, --smooth does not; give one of them.")
    }
    let format = try fileFormat()
    let given = picture.given ?? (smooth == nil ? nil : "--smooth")
    if let given, format?.picture == nil {
      throw ValidationError(
        "\(given) is for pictures: -o FILE with \(FileEnding.list(PictureFormat.allCases.map(\.rawValue)))."
      )
    }
  }

  /// Returns the format of the file to write.
  /// - Returns: nil if the user asked for no file.
  private func fileFormat() throws -> HeatmapFormat? {
    if json { return .json }
    guard let output else { return nil }
    if let format { return format }
    if let format = HeatmapFormat(ending: output) { return format }
    let hint =
      output == "-"
      ? "Standard output has no ending; add --format png, svg, pdf, csv, json or npy."
      : "'\(output.printable())' does not end in \(HeatmapFormat.endings); rename it or add --format."
    throw ValidationError(hint)
  }

  func run() throws {
    let format = try fileFormat()
    let span = time.span
    let past = try past.open(needsDaemon: live, writing: output)
    let grids = try Progress.during("heatmap") { try self.grids(past, span) }
    guard let format else { return try writeLines(pictures(grids, span), areColoured: true) }
    let output = output ?? "-"
    let background = try background(for: grids)
    func bytes(_ grids: [SummedGrid]) throws -> [UInt8] {
      try Progress.during("heatmap") { try self.bytes(grids, as: format, span, background) }
    }
    guard output != "-" else { return try writeOutput(grids, as: format, bytes) }
    guard grids.count > 1, !format.holdsSeveral else {
      return try writeFile(try bytes(grids), to: output)
    }
    guard format != .npy else {
      throw Failure(
        "an .npy file holds one grid, and there are \(grids.count); name one of these, or write .csv or "
          + ".json:\n" + Self.names(grids))
    }
    // Make all files before the first is written, so that an error leaves no files behind.
    let paths = try HeatmapNames.paths(grids.map(\.key), path: output)
    let files = try grids.map { try bytes([$0]) }
    for (bytes, path) in zip(files, paths) { try writeFile(bytes, to: path) }
    try writeLines(paths.map { $0.printable(limit: 4096) })
  }

  private func writeOutput(
    _ grids: [SummedGrid], as format: HeatmapFormat, _ bytes: ([SummedGrid]) throws -> [UInt8]
  ) throws {
    guard grids.count == 1 || format.holdsSeveral else {
      throw Failure(
        "standard output takes one .\(format.rawValue), and there are \(grids.count) grids; name one "
          + "of these, or write to a file with -o:\n" + Self.names(grids))
    }
    guard !format.isBinary || !Terminal.isThere else {
      throw Failure(
        "a .\(format.rawValue) is nothing for a terminal; write it to a file with -o, or into a pipe"
      )
    }
    try write(try bytes(grids), to: STDOUT_FILENO, name: "standard output")
  }

  /// Returns the bytes of a file.
  private func bytes(
    _ grids: [SummedGrid], as format: HeatmapFormat, _ span: TimeSpan, _ background: Background?
  ) throws -> [UInt8] {
    guard let kind = format.picture else {
      return format.data(grids, value: value, span: spanJSON(span))
    }
    return try kind.bytes(
      grids.map { grid in
        try GridMap(grid, options: options, source: source(span), background: background).sheet
          .drawing()
      })
  }

  /// Returns the screenshot.
  /// - Throws: an error if it does not show the one screen of all these grids.
  private func background(for grids: [SummedGrid]) throws -> Background? {
    guard let background = try picture.readBackground() else { return nil }
    guard Set(grids.map(\.key.screen)).count == 1 else {
      throw Failure(
        "a screenshot shows one screen; name one of these:\n" + Self.names(grids))
    }
    for grid in grids { try background.fit(grid.key.geometry) }
    return background
  }

  private static func names(_ grids: [SummedGrid]) -> String {
    grids.map { grid in
      "  \(grid.key.screen.printable()) --display \(grid.key.display.printable()) "
        + "--geometry \(grid.key.geometry.text)"
    }.joined(separator: "\n")
  }

  private func pictures(_ grids: [SummedGrid], _ span: TimeSpan) -> [String] {
    let pictures = grids.map { grid in
      GridPicture(
        grid, value: value, colours: colours ?? Terminal.colours, width: Terminal.width,
        map: colour.map, kind: colour.kind, limit: colour.max
      ).lines(span: words(span))
    }
    return Array(pictures.joined(separator: [""]))
  }

  private func grids(_ past: Past, _ span: TimeSpan) throws -> [SummedGrid] {
    let question = GridQuestion(
      layer: layer, screen: screen, display: display,
      sessions: live
        ? .live
        : session.map { .one($0) } ?? .span(span, tags: try tag.dictionary()))
    let grids = try past.grids(question)
      .filter { geometry == nil || $0.key.geometry.text == geometry }
    guard grids.isEmpty else { return grids }
    throw try absence(past, question, span)
  }

  /// Returns an error that says why there is nothing to show.
  private func absence(
    _ past: Past, _ question: GridQuestion, _ span: TimeSpan
  ) throws -> Failure {
    var all = question
    (all.screen, all.display) = (nil, nil)
    let shown: [(screen: String, display: String, geometry: String)] =
      if case .span = question.sessions, tag.isEmpty {
        try past.screens(in: span).map { ($0.screen, $0.display, $0.geometry.text) }
      } else {
        try past.grids(all).map { ($0.key.screen, $0.key.display, $0.key.geometry.text) }
      }
    guard !shown.isEmpty else {
      if live { return Failure("nothing was counted yet: no session runs, or none was touched") }
      let nothing = tag.isEmpty ? Sessions.nothing(span) : Sessions.untagged(span)
      return Failure(session.map { "session \($0) showed no screen" } ?? nothing)
    }
    let names = shown.map {
      "  \($0.screen.printable()) --display \($0.display.printable()) --geometry \($0.geometry)"
    }
    let isShown = shown.contains { screen == nil || $0.screen == screen }
    let what = isShown ? "not shown on such a display or geometry" : "no such screen was shown"
    return Failure(what + "; these were:\n" + names.joined(separator: "\n"))
  }
}

extension Layer: ExpressibleByArgument {}
extension TerminalColours: ExpressibleByArgument {}
extension GridValue: ExpressibleByArgument {}
