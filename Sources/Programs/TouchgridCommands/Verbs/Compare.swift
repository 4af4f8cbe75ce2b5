import ArgumentParser
import Glibc
import Heatmaps
import Reports
import Storage
import Text
import TouchModel
import TouchgridAPI

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares where people touch in two spans or two builds.",
    discussion: """
      A and B are two spans, as in 'touchgrid compare 14d..7d 7d..' or 'touchgrid compare 2026-10 \
      2026-11', or two tags, as in 'touchgrid compare build=1.3 build=1.4'; several tags are \
      joined by commas. Times are written as in --since. --tag, --weekdays and --hours limit both \
      sides. All differences are B minus A.

      Controls and gestures come first, if both sides have some: the share of the sessions that used \
      each control, of the touches meant for it that hit it, and of the sessions with each gesture, \
      anywhere on the screen (-) and on each control. A control that has moved is still compared, by \
      its name.

      Welch's test compares the counts of the sessions in each block. Its standard error is at least \
      that of the classical t test, so that a small side without touches does not look certain. p \
      and the interval use the same standard error. On average, at most --level percent of the blocks \
      reported as different are due to chance (Benjamini and Hochberg). Blocks that fewer than \
      \(Comparison.minimumTouchedSessions) sessions touched are merged and compared together, those of a \
      square of 2 x 2 or 4 x 4 blocks, if that many sessions touched one of them. docs/statistics.md describes the rules \
      and their limits.

      Files, by their ending:
        .png .svg .pdf  a map of the differences; a .pdf has one page per screen
        .csv            one line per block and per merged square, with means,
                        difference, interval, p and q
        .json           all of it; docs/statistics.md has the members
      """)

  @Argument(
    help: ArgumentHelp("A span or a tag.", valueName: "a"), transform: ComparedSide.read)
  var first: ComparedSide

  @Argument(
    help: ArgumentHelp("The span or tag to compare with it.", valueName: "b"),
    transform: ComparedSide.read)
  var second: ComparedSide

  @Argument(help: "The name of the screen. Default: all screens.", completion: .screens)
  var screen: String?

  @Option(
    help:
      """
      The layer: taps (touches that begin in a block), trail (touches that enter it), or dwell \
      (milliseconds of contact).
      """)
  var layer = Layer.taps

  @Option(
    help: ArgumentHelp(

      "How many percent of the findings may be due to chance: above 0, at most 50. Default: 5.",
      valueName: "percent"), transform: readNumber)
  var level = 5.0

  @OptionGroup var time: SpanOptions

  @OptionGroup var choice: FilterOptions

  @Option(
    help: ArgumentHelp("Only this display.", valueName: "name"), completion: .displays)
  var display: String?

  @Option(help: ArgumentHelp("Only this geometry, as 'touchgrid screens' prints it."))
  var geometry: String?

  @OptionGroup var result: ComparisonFile

  @Option(help: "The colours to use, instead of those that the terminal announces.")
  var colours: TerminalColours?

  @OptionGroup var past: StoredDataOptions

  func validate() throws {
    guard level > 0, level <= 50 else {
      throw ValidationError("--level takes a percentage above 0 and at most 50; 5 is usual.")
    }
    switch (first, second) {
    case (.span, .tags), (.tags, .span):
      throw ValidationError(
        "A span cannot be compared with a tag. Give two spans, such as 14d..7d and 7d.., or two tags, "
          + "such as build=1.3 and build=1.4. --tag, --weekdays and --hours limit both sides; with "
          + "two tags, --since and --until do too.")
    case (.span, .span):
      if time.since != nil || time.until != nil {
        throw ValidationError("--since and --until cannot be combined with spans.")
      }
    case (.tags, .tags): break
    }
  }

  func run() throws {
    let now = WallTime.now
    let a = try ComparedSessions(first, span: time.span, choice.filter, now: now)
    let b = try ComparedSessions(second, span: time.span, choice.filter, now: now)
    let past = try past.open(writing: result.file.output)
    let report = try Progress.during("compare") {
      try rejectSharedSessions(a, b, past)
      var report = ComparisonReport(
        a.side, try grids(a, "A", past), b.side, try grids(b, "B", past), layer: layer,
        level: level / 100)
      let (queryA, queryB) = (countQuery(a), countQuery(b))
      report.controls = ControlComparison(
        try past.controls(queryA), try past.controls(queryB),
        gestures: (try past.gestures(queryA), try past.gestures(queryB)), level: level / 100)
      return report
    }
    guard !report.screens.isEmpty else { throw strangers(report) }
    guard try result.save(report) else {
      let text = ComparisonText(
        report: report, colours: colours ?? Terminal.colours, width: Terminal.width)
      return try writeLines(text.lines, areColoured: true)
    }
  }

  /// Rejects sides that share sessions, because such sessions would be compared with themselves.
  private func rejectSharedSessions(
    _ a: ComparedSessions, _ b: ComparedSessions, _ past: Past
  ) throws {
    if a == b { throw Failure("A and B are the same sessions (\(a.words))") }
    guard let both = a.shared(with: b) else { return }
    let rule = "a session may be on one side only"
    if case .span = first {
      throw Failure(
        "A and B overlap (\(both.span.words)): \(rule). Let one span end before the other "
          + "begins, as in '14d..7d 7d..'; a day or month that ends a span belongs to it")
    }
    let shared = try past.sessions(in: both.span, both.filter)
    guard !shared.isEmpty else { return }
    throw Failure(
      "\(counted(UInt64(shared.count), "session")) (\(both.words)) would be in A and in B: \(rule). "
        + "Compare two values of one tag, or join tags by commas to tell the sides apart")
  }

  private func countQuery(_ side: ComparedSessions) -> GridQuery {
    GridQuery(.span(side.span, side.filter), layer: .taps, screen: screen, display: display)
  }

  private func grids(
    _ side: ComparedSessions, _ name: String, _ past: Past
  ) throws -> [SummedGrid] {
    var query = GridQuery(
      .span(side.span, side.filter), layer: layer, screen: screen, display: display,
      sessionCountsBelow: Comparison.minimumTouchedSessions)
    let grids: [SummedGrid]
    do { grids = try past.grids(query) } catch let failure as Failure {
      // Ask again without the counts of single sessions, which may make the reply too long.
      guard failure.fault is API.ReplyTooLong else { throw failure }
      query.sessionCountsBelow = nil
      grids = try past.grids(query)
    }
    let wanted = grids.filter { geometry == nil || $0.key.geometry.text == geometry }
    guard wanted.isEmpty else { return wanted }
    var all = query
    (all.screen, all.display, all.sessionCountsBelow) = (nil, nil, nil)
    let shown = try past.grids(all)
    guard !shown.isEmpty else {
      if try past.sessions(in: .always).isEmpty {
        throw NothingToShow(try Sessions.nothing(past, .always))
      }
      let sessions = try past.sessions(in: side.span, side.filter).count
      throw Failure(
        sessions > 0
          ? "side \(name) has \(counted(sessions, "session")) (\(side.words)), but no touches on a "
            + "map: " + Sessions.mapRule
          : "side \(name) has no sessions (\(side.words)); 'touchgrid sessions' lists all sessions "
            + "with their tags")
    }
    let names = shown.map {
      "  \($0.key.screen.printable()) --display \($0.key.display.printable()) "
        + "--geometry \($0.key.geometry.text)"
    }
    throw Failure(
      "side \(name) (\(side.words)) has no such screen, display or geometry; it has:\n"
        + names.joined(separator: "\n"))
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
        + "geometries are never compared:\n"
        + (names(report.onlyA, "A") + names(report.onlyB, "B")).joined(separator: "\n"))
  }
}
