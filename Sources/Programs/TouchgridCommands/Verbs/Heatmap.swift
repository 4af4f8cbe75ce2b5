public import ArgumentParser
import Glibc
public import Heatmaps
import Storage
internal import Text
public import TouchModel
import TouchgridAPI

struct Heatmap: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws where people touch a screen, or writes the numbers to a file.",
    discussion: """
      Shows for each block the mean per session, or --value. Each display and geometry has its own \
      picture, because grids of different geometries are never added up. On a terminal, the \
      picture uses the colours that COLORTERM and TERM announce; with NO_COLOR, or in a file or \
      pipe, it uses plain characters. If the terminal is too narrow, blocks are added up to larger \
      cells.

      Files, by their ending:
        .png   a picture with its legend, drawn on the screenshot of the screen, if there
               is one; its iTXt "touchgrid" has what it shows
        .svg   the same as a drawing; pointing at a block shows its numbers
        .pdf   the same, with one page per grid
        .csv   one line per block: screen, layer, column, row, its edges in points
               (x0, y0, x1, y1), sessions, count, count_sq (sum of the sessions'
               squared counts), mean; then display, pixel_width, pixel_height,
               scale, rotation, block_size, days, shown_ms, touched_sessions, masked
        .json  {"format": "touchgrid-grids", "version": 1, "span", "grids":
               [{"screen", "display", "layer", "geometry", "sessions", "touches",
               "sum", "sumOfSquares", "mean", "days", "shownMs", "touchedSessions",
               "masked"}]}; the arrays are row-major
        .npy   the values of a single grid: float64, shape (rows, columns); NaN
               where a mask overlaps a block and nothing was counted

      A .png or .svg holds one grid. Several grids get a file each, such as map-menu.png and \
      map-checkout-pay.png for -o map.png. Their names are printed.
      """)

  @Argument(help: "The name of the screen. Default: all screens.", completion: .screens)
  var screen: String?

  @Option(
    help: """
      The layer: taps (touches that begin in a block), trail (touches that enter it), or dwell \
      (milliseconds of contact).
      """)
  var layer = Layer.taps

  @Option(
    help: """
      The value of a block: the mean per session, the sum, or the rate per minute that the screen \
      was shown.
      """)
  var value = GridValue.mean

  @Option(help: ArgumentHelp("Only this session.", valueName: "id"), transform: readSession)
  var session: Int64?

  @OptionGroup var time: SpanOptions

  @OptionGroup var choice: FilterOptions

  @Flag(help: "The running session, as it is now.")
  var live = false

  @Option(
    help: ArgumentHelp("Only this display.", valueName: "name"), completion: .displays)
  var display: String?

  @Option(help: ArgumentHelp("Only this geometry, as 'touchgrid screens' prints it."))
  var geometry: String?

  @OptionGroup var file: FileOptions<HeatmapFormat>

  @OptionGroup var picture: PictureOptions

  @Option(
    help: ArgumentHelp(

      "Smooth the picture with a Gaussian of this standard deviation, for display only.",
      valueName: "points"), transform: readNumber)
  var smooth: Double?

  @OptionGroup var colour: ColourOptions

  @Option(help: "The colours to use, instead of those that the terminal announces.")
  var colours: TerminalColours?

  @OptionGroup var past: StoredDataOptions

  func validate() throws {
    let hasSpan = time.since != nil || time.until != nil || choice.isGiven
    if live, session != nil || hasSpan || past.store != nil {
      throw ValidationError(
        "--live shows the running session; it cannot be combined with --session, --since, --until, "
          + "--tag, --weekdays, --hours or --store.")
    }
    if session != nil, hasSpan {
      throw ValidationError(
        "--session cannot be combined with --since, --until, \(FilterOptions.names).")
    }
    if let smooth, !(1...500).contains(smooth) {
      throw ValidationError("--smooth takes 1 to 500 points.")
    }
    if smooth != nil, picture.cells {
      throw ValidationError(
        "--cells cannot be combined with --smooth.")
    }
    let format = try file.chosen()
    let given = picture.given ?? (smooth == nil ? nil : "--smooth")
    if let given, format?.picture == nil {
      throw ValidationError(
        "\(given) requires a picture: -o FILE with \(FileEnding.list(PictureFormat.allCases.map { "." + $0.rawValue }))."
      )
    }
  }

  func run() throws {
    let format = try file.chosen()
    let span = time.span
    let past = try past.open(needsDaemon: live, writing: file.output)
    let grids: [SummedGrid]
    do {
      grids = try Progress.during("heatmap") { try self.grids(past, span) }
    } catch let nothing as NothingToShow {
      guard let format else { throw nothing }
      guard format.canBeEmpty else {
        let message = "\(nothing.description); nothing was written"
        // An empty store is not an error. If it has sessions, the options exclude all of them,
        // probably by mistake.
        if try past.sessions(in: .always).isEmpty { throw NothingToShow(message) }
        throw Failure(message)
      }
      grids = []
    }
    guard let format else { return try writeLines(pictures(grids, span), areColoured: true) }
    let backgrounds = try picture.backgrounds()
    try backgrounds.check(grids.map(\.key))
    func bytes(_ grids: [SummedGrid]) throws -> [UInt8] {
      try Progress.during("heatmap") { try self.bytes(grids, as: format, span, backgrounds) }
    }
    guard grids.count > 1, !format.allowsSeveral else { return try file.save(try bytes(grids)) }
    guard let path = file.path else {
      throw Failure(
        "standard output takes one .\(format.rawValue), and there are \(grids.count) grids; name one "
          + "of these, or write files with -o FILE:\n" + HeatmapNames.arguments(grids.map(\.key)))
    }
    guard format != .npy else {
      throw Failure(
        "an .npy file holds one grid, and there are \(grids.count); name one of these, or write .csv or "
          + ".json:\n" + HeatmapNames.arguments(grids.map(\.key)))
    }
    // Draw all pictures before the first file is written, so that an error leaves no files behind.
    let paths = try HeatmapNames.paths(grids.map(\.key), path: path)
    let files = try grids.map { try bytes([$0]) }
    for (bytes, path) in zip(files, paths) { try writeFile(bytes, to: path) }
    try writeLines(paths.map { $0.printable(limit: 4096) })
  }

  /// Returns the bytes of a file.
  private func bytes(
    _ grids: [SummedGrid], as format: HeatmapFormat, _ span: TimeSpan, _ backgrounds: Backgrounds
  ) throws -> [UInt8] {
    guard let kind = format.picture else {
      return format.data(grids, value: value, span: spanJSON(span))
    }
    return try kind.bytes(
      grids.map { grid in
        try GridMap(
          grid, options: options, source: source(span),
          background: try backgrounds.background(for: grid.key)
        ).sheet.drawing()
      })
  }

  private func pictures(_ grids: [SummedGrid], _ span: TimeSpan) -> [String] {
    let pictures = grids.map { grid in
      GridPicture(
        grid, value: value, colours: colours ?? Terminal.colours, width: Terminal.width,
        map: colour.colourMap, kind: colour.kind, limit: colour.max
      ).lines(span: words(span))
    }
    return Array(pictures.joined(separator: [""]))
  }

  private func grids(_ past: Past, _ span: TimeSpan) throws -> [SummedGrid] {
    let grids: [SummedGrid]
    do {
      grids = try self.grids(past, span, screen: screen, display: display)
    } catch let error as Failure where live && error.fault is API.NoSession {
      throw NothingToShow(try Self.idle(past))
    }
    let wanted = grids.filter { geometry == nil || $0.key.geometry.text == geometry }
    guard wanted.isEmpty else { return wanted }
    throw try absence(past, span)
  }

  private func grids(
    _ past: Past, _ span: TimeSpan, screen: String?, display: String?
  ) throws -> [SummedGrid] {
    guard !live else {
      return try past.liveGrids(layer: layer, screen: screen, display: display)
    }
    let sessions: GridQuery.Sessions =
      if let session { .one(session) } else { .span(span, choice.filter) }
    return try past.grids(GridQuery(sessions, layer: layer, screen: screen, display: display))
  }

  /// Returns an error with the reason why there is no result.
  private func absence(_ past: Past, _ span: TimeSpan) throws -> any Error {
    let shown: [(screen: String, display: String, geometry: String)] =
      if !live, session == nil, !choice.isGiven {
        try past.screens(in: span).map { ($0.screen, $0.display, $0.geometry.text) }
      } else {
        try grids(past, span, screen: nil, display: nil)
          .map { ($0.key.screen, $0.key.display, $0.key.geometry.text) }
      }
    guard !shown.isEmpty else {
      if live { return NothingToShow(try Self.idle(past)) }
      if let session {
        return NothingToShow("session \(session) has no touches on a map: \(Sessions.mapRule)")
      }
      let filter = choice.filter
      let sessions = try past.sessions(in: span, filter).count
      guard sessions == 0 else {
        return NothingToShow(
          "\(counted(UInt64(sessions), "session")) (\(words(span))), but no touches on a map yet: "
            + Sessions.mapRule)
      }
      return NothingToShow(try Sessions.nothing(past, span, filter))
    }
    let names = shown.map {
      "  \($0.screen.printable()) --display \($0.display.printable()) --geometry \($0.geometry)"
    }
    let isShown = shown.contains { screen == nil || $0.screen == screen }
    let what =
      isShown
      ? "the screen was not shown on this display or geometry; the screens are:"
      : UnknownScreen.words(screen ?? "", before: shown.map(\.screen))
    return Failure(what + "\n" + names.joined(separator: "\n"))
  }

  /// Returns the reason why the running session has no result, and the remedy.
  private static func idle(_ past: Past) throws -> String {
    guard case .daemon(let daemon) = past else { return "no session is running" }
    let status = try daemon.call(API.GetStatus())
    if let session = status.session {
      return "session \(session.id) is running, but has no touches on a map yet; touch the screen"
    }
    return switch status.mode {
    case .automatic: "no session is running; the next touch begins one"
    case .manual: "no session is running; 'touchgrid begin-session' begins one"
    }
  }
}

extension Layer: ExpressibleByArgument {}
extension TerminalColours: ExpressibleByArgument {}
extension GridValue: ExpressibleByArgument {}
