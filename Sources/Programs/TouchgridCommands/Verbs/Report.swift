import ArgumentParser
import Glibc
import Reports
import Storage
import Text
import TouchModel

struct MakeReport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Writes a report of all screens, as one HTML file that works offline.",
    discussion: """
      Begins with what to change, first what concerns most people: touchscreens with a fault; \
      controls that people miss, tap again and again or never use, that respond late or not at \
      all, or whose hits changed; places without a control where people tap; funnels whose end \
      many do not reach; screens that people look at for long before they touch them. Where no \
      controls are described, numbered spots are proposed. Shows where people touch each screen, \
      with a choice of layers, spans and single sessions. It also shows when the kiosk was used, \
      how long screens were shown, and how many touches were counted, masked or palms. Displays \
      and geometries are shown separately. Touchscreens have the state that 'touchgrid panel' \
      shows, from all sessions until the end of the report. The file opens in any browser, loads \
      nothing from elsewhere, and contains the numbers as JSON (docs/report.md).

      --screens names a folder of screenshots (PNG, JPEG or WebP), which are named after the screens: \
      menu.png, checkout/pay.jpg. menu@800x1280.png is only used for a display of 800 x 1280 points. \
      The size of a screenshot must be that of the display, in pixels or points, or an integer \
      multiple; otherwise it is left out, and the report says so. Metadata of the files (EXIF, texts) \
      is removed. Without --screens, the pictures of 'touchgrid picture' are used.
      """)

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write; '-' is standard output.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var output: String?

  @Flag(help: "The report's data as JSON, as docs/report.md describes it.")
  var json = false

  @OptionGroup var time: SpanOptions

  @OptionGroup var choice: FilterOptions

  @Option(
    help: ArgumentHelp("Draw the maps on the screenshots in this folder.", valueName: "folder"),
    completion: .directory)
  var screens: String?

  @Flag(help: "Draw the maps on no screenshots.")
  var noScreens = false

  @Option(help: ArgumentHelp("The report's title.", valueName: "text"))
  var title = "Where people touch"

  @Option(
    help: ArgumentHelp(
      "How many of the newest sessions get their own maps, 0 to 200. Default: 20.",
      valueName: "count"), transform: readInteger)
  var sessions = 20

  @OptionGroup var past: StoredDataOptions

  func validate() throws {
    guard let output = output ?? (json ? "-" : nil) else {
      throw ValidationError("Name the file to write: -o report.html.")
    }
    let other = [".pdf", ".png", ".jpg", ".jpeg", ".svg", ".csv", ".json"]
      .first { output.lowercased().hasSuffix($0) }
    if let other, !json {
      throw ValidationError(

        "A report is an HTML file: give a name that ends in .html"
          + (other == ".pdf" ? ", and print the report to PDF in a browser." : "."))
    }
    if noScreens, screens != nil {
      throw ValidationError("--no-screens cannot be combined with --screens.")
    }
    guard (0...200).contains(sessions) else {
      throw ValidationError("--sessions takes 0 to 200.")
    }
    guard title.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("--title must not be empty; leave it out for the default title.")
    }
  }

  func run() throws {
    let output = output ?? "-"
    let past = try past.open(writing: output)
    let folder =
      try screens.map { path throws(Failure) in try ScreenshotFolder(path) }
      ?? (noScreens ? nil : ScreenshotFolder())
    var gathering = ReportGathering(
      past: past, span: time.span, choice.filter, now: WallTime.now)
    var report = try gathering.report(title: title.printable(limit: 200), sessions: sessions)
    folder?.illustrate(&report)
    try gathering.propose(&report)
    for warning in gathering.warnings + (folder?.warnings(of: report) ?? []) { writeError(warning) }
    if report.screens.isEmpty {
      let cause =
        if !report.days.isEmpty {
          Sessions.mapRule
        } else {
          try Sessions.nothing(past, time.span, choice.filter)
        }
      writeError("the report has no maps: \(cause)")
    }
    let bytes = json ? ReportPage.json(report) : ReportPage.bytes(report)
    if output == "-" {
      try write(bytes, to: STDOUT_FILENO, name: "standard output")
    } else {
      try writeFile(bytes, to: output)
    }
  }
}
