import ArgumentParser
import GridFormats
import Storage
import TouchModel

struct Screens: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the screens that were shown.",
    discussion: """
      One line for each screen on each display and geometry. A geometry is written \
      WIDTHxHEIGHT[@SCALE][+ROTATION][/BLOCK]: pixels of the panel, pixels a point unless 1, degrees \
      unless 0, points along a block's side unless 16.
      """)

  @OptionGroup var store: StoreOption
  @OptionGroup var time: SpanOptions

  @Flag(help: "One JSON object for programs.")
  var json = false

  func run() throws {
    let span = time.span
    let screens = try store.open().screens(in: span)
    if json { return try writeLines([Self.json(screens).text]) }
    guard !screens.isEmpty else { throw Failure(Sessions.nothing(span)) }
    try writeLines(Self.lines(screens, width: Terminal.width))
  }

  static func lines(_ screens: [ScreenSummary], width: Int) -> [String] {
    TextTable(
      [
        .init("DISPLAY", canShrink: true), .init("SCREEN", canShrink: true), .init("GEOMETRY"),
        .init("SESSIONS", isNumber: true), .init("TOUCHES", isNumber: true),
        .init("SHOWN", isNumber: true),
      ],
      rows: screens.map {
        [
          $0.key.display.printable(), $0.key.screen.printable(), $0.key.geometry.text,
          String($0.sessions), String($0.touches), durationText(milliseconds: $0.shownMilliseconds),
        ]
      }
    ).lines(width: width)
  }

  static func json(_ screens: [ScreenSummary]) -> JSONValue {
    [
      "screens": .array(
        screens.map {
          [
            "screen": .string($0.key.screen), "display": .string($0.key.display),
            "geometry": $0.key.geometry.json, "sessions": .integer($0.sessions),
            "touches": .integer($0.touches), "shownMs": .integer($0.shownMilliseconds),
          ]
        })
    ]
  }
}
