import ArgumentParser
import Reports
import Text

/// The verb `touchgrid gestures`.
struct GesturesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gestures",
    abstract: "Shows what people try: taps, swipes, pinches and more.",
    discussion: """
      For each screen, the table has the gestures that people made there, how often, in how many \
      sessions, and their share of the sessions that showed the screen; then the same for each \
      control on which gestures began. NO RESPONSE is how often the screen did not change, of the \
      times that an app or touchgrid-follow observed it. A gesture counts where it began.

      Touches in masks, palms and suspected ghosts are in none of them. docs/gestures.md describes \
      the rules.

      Files, by their ending:
        .csv   one line per screen or control and gesture
        .json  all of it; docs/gestures.md has the members
      """)

  @OptionGroup var selection: SelectionOptions

  @OptionGroup var file: FileOptions<TableFormat>

  @OptionGroup var past: StoredDataOptions

  func run() throws {
    let past = try past.open(writing: file.output)
    let report = GestureReport(
      try Progress.during("gestures") { try past.gestures(selection.query) })
    switch try file.chosen() {
    case .json: try file.save(Array((report.json(of: selection.json).text + "\n").utf8))
    case .csv: try file.save(report.csv)
    case nil:
      guard !report.screens.isEmpty else {
        throw try selection.nothing(
          past,
          otherwise: "no gesture was counted: a touch counts once it has ended, outside of masks")
      }
      try writeLines(selection.title + report.lines(width: Terminal.width))
    }
  }
}
