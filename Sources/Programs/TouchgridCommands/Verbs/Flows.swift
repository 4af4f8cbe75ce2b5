import ArgumentParser
import Glibc
import Reports
import Storage
import Text
import TouchModel
import TouchgridAPI

struct Flows: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows how people move between screens, and where they leave.",
    discussion: """
      For each screen, the table has

        SEEN   how often it appeared
        FIRST  the median time until the first touch
        NEXT   the median time from one touch to the next
        NONE   the share of appearances without a touch
        LEFT   the share of its sessions that ended there
        THEN   the screens that came next, as shares of its appearances

      LEFT is of sessions and THEN of appearances, so they do not add up to 100 %.

      Below are the funnels of the configuration ([[funnel]]): how many sessions saw each screen after \
      those before it.

      Sums are kept for each day, so a day counts if any part of it is in the span. Sessions in which \
      recording was paused are left out, and so are changes that fewer than 5 sessions made. \
      docs/flows.md describes the rules.

      Files, by their ending:
        .csv   one line per change: display, from, to, times, sessions
        .json  all of it; docs/flows.md has the members
      """)

  @OptionGroup var time: SpanOptions

  @Option(
    help: ArgumentHelp(
      "Only these days of the week: mon-fri, or sat,sun.", valueName: "days"),
    completion: WeekdaysArgument.completion, transform: WeekdaysArgument.read)
  var weekdays: WeekdaysArgument?

  @OptionGroup var file: FileOptions<TableFormat>

  @OptionGroup var past: StoredDataOptions

  func run() throws {
    let past = try past.open(writing: file.output)
    let span = time.span
    let flows = try Progress.during("flows") { try past.flows(in: span, on: filter) }
    let report = FlowReport(flows.counts, hiddenSteps: flows.hiddenSteps)
    switch try file.chosen() {
    case .json: try file.save(Array((report.json(of: filter.json(in: span)).text + "\n").utf8))
    case .csv: try file.save(report.csv)
    case nil:
      guard flows.counts.sessions > 0 else { throw try nothing(past) }
      let title = filter.title(in: span).map { wrapped($0, to: Terminal.width) } ?? []
      try writeLines(title + FlowText(report, width: Terminal.width).lines)
    }
  }

  private var filter: SessionFilter {
    SessionFilter(weekdays: weekdays?.weekdays ?? SessionFilter.allWeekdays)
  }

  /// Returns the reason why there is no result.
  private func nothing(_ past: Past) throws -> any Error {
    if try Sessions.areUnknown(past, time.span, filter) {
      return NothingToShow(try Sessions.nothing(past, time.span, filter))
    }
    return NothingToShow(
      "no session was counted: sessions count when they end, and not if recording was paused")
  }
}
