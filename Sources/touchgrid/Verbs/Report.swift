import ArgumentParser
import Glibc
import Reports
import Storage
import TouchModel

struct MakeReport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Writes a report of all screens: one HTML file that works without a network.",
    discussion: """
      Shows where each screen is touched, with layers, spans and single sessions to choose from, and \
      when the kiosk was used, how long screens were shown, and what became of every touch. Each \
      display and geometry is shown by itself. Open the file in any browser, print it, send it on: \
      nothing is loaded from elsewhere, and the numbers are in it as JSON (docs/report.md).

      --screens names a folder with screenshots, by the screens' names: menu.png, checkout/pay.jpg; \
      PNG, JPEG or WebP. menu@800x1280.png is used where what the person sees is 800 x 1280 points. \
      One that is not as large as the display, in pixels, points or a whole number of times these, is \
      left out, and the report says so. What a file tells beside its picture (EXIF, texts) is not taken \
      over.
      """)

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write; '-' is standard output.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var output: String

  @OptionGroup var time: SpanOptions

  @Option(
    help: ArgumentHelp(
      "Only sessions with this tag; several: with all of them.", valueName: "key=value"))
  var tag: [TagArgument] = []

  @Option(
    help: ArgumentHelp("Lay maps over the screenshots in this folder.", valueName: "folder"),
    completion: .directory)
  var screens: String?

  @Option(help: ArgumentHelp("The report's title.", valueName: "text"))
  var title = "Where people touch"

  @Option(
    help: ArgumentHelp(
      "How many of the newest sessions can be looked at by themselves, 0 to 200.",
      valueName: "count"))
  var sessions = 20

  @OptionGroup var past: PastOptions

  func validate() throws {
    _ = try tag.dictionary()
    let other = [".pdf", ".png", ".jpg", ".jpeg", ".svg", ".csv", ".json"]
      .first { output.lowercased().hasSuffix($0) }
    if let other {
      throw ValidationError(
        "A report is one HTML file; name it .html\(other == ".pdf" ? " and print it to PDF" : "").")
    }
    guard (0...200).contains(sessions) else {
      throw ValidationError("--sessions is a number from 0 to 200: each makes the file larger.")
    }
    guard title.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("--title must not be empty; leave it out for the usual one.")
    }
  }

  func run() throws {
    let past = try past.open(writing: output)
    let folder = try screens.map { path throws(Failure) in try ScreenshotFolder(path) }
    var gathering = ReportGathering(
      past: past, span: time.span, tags: try tag.dictionary(), now: WallTime.now)
    var report = try gathering.report(title: title.printable(limit: 200), sessions: sessions)
    folder?.illustrate(&report)
    for warning in gathering.warnings + (folder?.warnings(of: report) ?? []) { writeError(warning) }
    if report.screens.isEmpty {
      let cause = tag.isEmpty ? Sessions.nothing(time.span) : Sessions.untagged(time.span)
      writeError("\(cause); the report says so")
    }
    let bytes = ReportPage.bytes(report)
    if output == "-" {
      try write(bytes, to: STDOUT_FILENO, name: "standard output")
    } else {
      try writeFile(bytes, to: output)
    }
  }
}
