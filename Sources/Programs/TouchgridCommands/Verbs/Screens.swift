import ArgumentParser
import Heatmaps
import Text
import TouchModel
import TouchgridAPI

struct Screens: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the screens that were shown.",
    discussion: """
      Prints one line for each screen on each display and geometry. A geometry is \
      WIDTHxHEIGHT[@SCALE][+ROTATION][/BLOCK]: pixels before rotation, pixels per point (if not 1), \
      degrees (if not 0), and the side of a block in points (if not 16).
      """)

  @OptionGroup var time: SpanOptions
  @OptionGroup var past: StoredDataOptions

  @Flag(
    help:
      "The same data as JSON, in the form of the daemon's reply (ListScreens of the interface io.touchgrid)."
  )
  var json = false

  func run() throws {
    let span = time.span
    let past = try past.open()
    let screens = try past.screens(in: span)
    if json { return try writeJSON(API.ListScreens.Reply(screens: screens)) }
    guard !screens.isEmpty else { throw NothingToShow(try Sessions.nothing(past, span)) }
    try writeLines(Self.lines(screens, width: Terminal.width))
  }

  static func lines(_ screens: [API.Screen], width: Int) -> [String] {
    TextTable(
      [
        .init("DISPLAY", canShrink: true), .init("SCREEN", canShrink: true), .init("GEOMETRY"),
        .init("SESSIONS", isNumber: true), .init("TOUCHES", isNumber: true),
        .init("SHOWN", isNumber: true),
      ],
      rows: screens.map {
        [
          $0.display.printable(), $0.screen.printable(), $0.geometry.text,
          String($0.sessions), String($0.touches),
          durationText(milliseconds: UInt64(clamping: $0.shownMs)),
        ]
      }
    ).lines(width: width)
  }
}
