import ArgumentParser
import Glibc
import Reports
import Text
import TouchModel
import TouchgridAPI

struct CleanVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Closes the glass for a minute, so that it can be wiped. Needs sudo.",
    discussion: """
      touchgrid-overlay covers the display with a clock and takes all touches, on the desktops that \
      'touchgrid guard' lists. The daemon counts them as swallowed. It ends when the time is over, \
      with Enter, and when two corners of the glass are held for three seconds.

      If the wipe has crossed nearly the whole glass, the lines of the panel that sensed nothing are \
      printed. Nothing else of the touches is kept.

      --json prints isComplete (whether the wipe crossed nearly all lines) and deadLines, with \
      direction, first, last and count (in lines from the left or top edge, or along raw axes if \
      edge is x or y).

          sudo touchgrid clean 2m
      """)

  @OptionGroup var panel: PanelDesktopOption
  @OptionGroup var socket: SocketOption

  @Flag(help: "Print JSON.")
  var json = false

  @Argument(
    help: ArgumentHelp("How long: 10s to 10m. Default: 1m.", valueName: "time"),
    transform: DurationArgument.read)
  var time: DurationArgument?

  func validate() throws {
    if let time, !(10_000...600_000).contains(time.milliseconds) {
      throw ValidationError("The time must be 10s to 10m.")
    }
  }

  func run() throws {
    let machine = try SetupMachine(try socket.connectIfThere())
    let tested = try TestedPanel(panel.device, machine)
    let displays = machine.displayNames
    guard let display = tested.placement?.display ?? (displays.count == 1 ? displays[0] : nil)
    else {
      throw Failure(
        "no daemon says on which display the touchscreen lies: start it, or run 'touchgrid doctor'")
    }
    guard let canvas = try OverlayCanvas(on: display, user: panel.user, monitor: panel.monitor)
    else {
      throw Failure(
        "the glass cannot be closed: it needs a user's desktop, and the package touchgrid-overlay")
    }
    let placement = tested.placement
    let wipe = try CleaningRun(
      reader: tested.reader, key: tested.key, display: display,
      connect: socket.connectIfThere, canvas: canvas, duration: time?.milliseconds ?? 60_000
    ).run()
    let sight = placement.map { PanelSight($0.matrix, $0.geometry.rotation) }
    let dead = wipe.deadPlaces(sight: sight)
    if json {
      return try writeJSON(
        Reply(isComplete: wipe.isComplete, deadLines: dead.map { Reply.Lines($0) }))
    }
    try writeLines(Self.lines(isComplete: wipe.isComplete, dead))
  }

  struct Reply: Encodable {
    struct Lines: Encodable {
      var direction: String
      var first: Int
      var last: Int
      var count: Int
      var edge: String

      init(_ place: PanelPlace) {
        direction = place.direction == .vertical ? "vertical" : "horizontal"
        (first, last, count) = (place.lines.lowerBound, place.lines.upperBound, place.count)
        edge = place.edge.rawValue
      }
    }

    var isComplete: Bool
    var deadLines: [Lines]
  }

  static func lines(isComplete: Bool, _ dead: [PanelPlace]) -> [String] {
    let again = "The screen takes touches again."
    if !isComplete { return ["\(again) The wipe left out too much of it to test it."] }
    if dead.isEmpty { return ["\(again) All of it sensed the wipe."] }
    return ["\(again) These lines sensed nothing of the wipe:"] + dead.map { "  \($0.words)" }
      + ["'sudo touchgrid panel test' tests the panel."]
  }
}
