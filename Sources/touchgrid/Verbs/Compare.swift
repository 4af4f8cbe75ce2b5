import ArgumentParser
import Glibc
import GridFormats
import Statistics
import Storage
import TouchModel

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows where two spans or two builds are touched differently.",
    discussion: """
      A and B are two spans, as in 'touchgrid compare 14d..7d 7d..' and 2026-10-01..2026-10-31, or \
      two tags, as in 'touchgrid compare build=1.3 build=1.4'; several tags are joined by commas. \
      Times are those of --since. All differences are B minus A.

      For each block the sessions' counts of both sides are compared by Welch's test, whose \
      standard error is here never below that of the classical t test: a small side that happens \
      to be quiet is not taken for certain. p and interval come from the same standard error. Of \
      the blocks that are said to differ no more than --level percent, on average, are chance \
      (Benjamini and Hochberg). A block that fewer than \(Comparison.leastTouchedSessions) sessions \
      touched is not compared. The rules and their limits are in statistics.md among the documents.

      Files, by their ending:
        .png .svg .pdf  a map of the differences; a .pdf has a page for each screen
        .csv            one line a block, with means, difference, interval, p and q
        .json           {"format": "touchgrid-comparison", "version": 1, "a", "b",
                        "screens": [{"screen", "display", "geometry", "a", "b",
                        "compared", "verdicts", "detectable", "blocks"}], "onlyInA",
                        "onlyInB"}; a block has "verdict" (more, less, unclear,
                        tooFew, untouched, masked), means, "difference", its interval
                        "low" to "high", "p" and "q"
      """)

  @Argument(help: ArgumentHelp("A span or a tag.", valueName: "a"))
  var first: ComparedSide

  @Argument(help: ArgumentHelp("What is compared with it.", valueName: "b"))
  var second: ComparedSide

  @Argument(help: "The screen's name; all screens unless given.", completion: .screens)
  var screen: String?

  @Option(help: "What is counted: taps, trail, or dwell (in milliseconds).")
  var layer = Layer.taps

  @Option(
    help: ArgumentHelp(
      "How many of a hundred findings may be chance, on average: above 0, at most 50.",
      valueName: "percent"))
  var level = 5.0

  @OptionGroup var time: SpanOptions

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "Only sessions with this tag, on both sides; may be given several times.",
      valueName: "key=value"))
  var tags: [TagArgument] = []

  @Option(
    help: ArgumentHelp("Only this display.", valueName: "name"), completion: .displays)
  var display: String?

  @Option(help: ArgumentHelp("Only this geometry, as 'touchgrid screens' shows it."))
  var geometry: String?

  @OptionGroup var file: ComparisonFile

  @Option(help: "Colours to draw with, instead of those that the terminal promises.")
  var colours: TerminalColours?

  @OptionGroup var past: PastOptions

  func validate() throws {
    guard level > 0, level <= 50 else {
      throw ValidationError("--level is a percentage above 0 and at most 50; 5 is usual.")
    }
    _ = try tags.dictionary()
    switch (first, second) {
    case (.span, .tags), (.tags, .span):
      throw ValidationError(
        "Compare two spans, such as 14d..7d and 7d.., or two tags, such as build=1.3 and build=1.4. "
          + "--since, --until and --tag limit both sides.")
    case (.span, .span):
      if time.since != nil || time.until != nil {
        throw ValidationError("Spans say when by themselves; leave --since and --until out.")
      }
    case (.tags, .tags): break
    }
  }

  func run() throws {
    let now = WallTime.now
    let common = try tags.dictionary()
    let a = try ComparedSessions(first, span: time.span, tags: common, now: now)
    let b = try ComparedSessions(second, span: time.span, tags: common, now: now)
    let past = try past.open(writing: file.output)
    let report = try Progress.during("compare") {
      try refuseOverlap(a, b, past)
      return ComparisonReport(
        a, try grids(a, "A", past), b, try grids(b, "B", past), layer: layer, level: level / 100)
    }
    guard !report.screens.isEmpty else { throw strangers(report) }
    guard try file.save(report) else {
      let text = ComparisonText(
        report: report, colours: colours ?? Terminal.colours, width: Terminal.width)
      return try writeLines(text.lines, areColoured: true)
    }
  }

  /// Rejects sides that share sessions, because these would be compared with themselves.
  private func refuseOverlap(
    _ a: ComparedSessions, _ b: ComparedSessions, _ past: Past
  ) throws {
    if a == b { throw Failure("A and B are the same sessions (\(a.words)); nothing can differ") }
    guard let both = a.shared(with: b) else { return }
    let rule = "a comparison needs sessions that are on one side only"
    if case .span = first {
      throw Failure(
        "A and B overlap (\(both.span.words)): \(rule). Let B begin where A ends, as in "
          + "'14d..7d 7d..'")
    }
    let shared = try past.sessions(in: both.span, tags: both.tags)
    guard !shared.isEmpty else { return }
    throw Failure(
      "\(counted(UInt64(shared.count), "session")) (\(both.words)) would be in A and in B: \(rule). "
        + "Compare two values of one tag, or join tags by commas until the sides are apart")
  }

  private func grids(
    _ side: ComparedSessions, _ name: String, _ past: Past
  ) throws -> [SummedGrid] {
    let question = GridQuestion(
      layer: layer, screen: screen, display: display,
      sessions: .span(side.span, tags: side.tags))
    let grids = try past.grids(question)
    let wanted = grids.filter { geometry == nil || $0.key.geometry.text == geometry }
    guard wanted.isEmpty else { return wanted }
    var all = question
    (all.screen, all.display) = (nil, nil)
    let shown = try past.grids(all)
    guard !shown.isEmpty else {
      throw Failure(
        "\(name) is empty: no session \(side.tags.isEmpty ? "began" : "is") there (\(side.words)); "
          + "'touchgrid sessions' lists them with their tags")
    }
    let names = shown.map {
      "  \($0.key.screen.printable()) --display \($0.key.display.printable()) "
        + "--geometry \($0.key.geometry.text)"
    }
    throw Failure(
      "\(name) (\(side.words)) did not show that; it showed:\n" + names.joined(separator: "\n"))
  }

  /// Returns the error for two sides that show no screen in common.
  private func strangers(_ report: ComparisonReport) -> Failure {
    func names(_ keys: [GridKey], _ side: String) -> [String] {
      keys.map {
        "  \(side): \($0.screen.printable()) on \($0.display.printable()), geometry "
          + $0.geometry.text
      }
    }
    return Failure(
      "A and B have no screen on the same display and geometry in common, and grids of different "
        + "shape are never compared:\n"
        + (names(report.onlyA, "A") + names(report.onlyB, "B")).joined(separator: "\n"))
  }
}
