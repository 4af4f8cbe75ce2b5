import ArgumentParser
import Heatmaps
import Reports
import Storage
import Text
import TouchModel
import TouchgridAPI

/// The options and the output of `touchgrid control --propose`.
struct ControlProposal: ParsableArguments {
  @Flag(help: "Propose controls where people tap, instead of listing the controls.")
  var propose = false

  @Option(
    help: ArgumentHelp("With --propose, only this screen.", valueName: "name"),
    completion: .screens)
  var screen: String?

  @Option(
    help: ArgumentHelp("With --propose, only this display.", valueName: "name"),
    completion: .displays)
  var display: String?

  @Option(
    help: ArgumentHelp(
      "With --propose, look for shapes on the screenshots in this folder.", valueName: "folder"),
    completion: .directory)
  var screens: String?

  @Flag(help: "With --propose, print tables for the configuration.")
  var toml = false

  @OptionGroup var time: SpanOptions
  @OptionGroup var choice: FilterOptions
  @OptionGroup var past: StoredDataOptions

  private var isGiven: Bool {
    screen != nil || display != nil || screens != nil || toml || time.since != nil
      || time.until != nil || choice.isGiven || past.store != nil
  }

  func validate() throws {
    if !propose, isGiven {
      throw ValidationError("Only --json and --socket work without --propose.")
    }
  }

  func run(json: Bool) throws {
    let folder = try screens.map { path throws(Failure) in try ScreenshotFolder(path) }
    let past = try past.open()
    let all = try Progress.during("controls") {
      try proposals(past, folder ?? ScreenshotFolder())
    }
    if json {
      let of = choice.filter.json(in: time.span)
      return try writeLines([ControlProposals.json(all, of: of).text])
    }
    let found = all.filter { !$0.spots.isEmpty }
    guard !found.isEmpty else {
      throw try SelectionOptions.nothing(
        past, time.span, choice.filter, screen: screen, display: display,
        otherwise: "nothing is proposed: no place without a control or a mask has 20 taps from "
          + "\(ControlProposals.leastSessions) sessions")
    }
    if toml { return try writeLines(Self.tables(found)) }
    let lines = found.map { $0.lines(width: Terminal.width) }
    let note =
      "'sudo touchgrid control add SCREEN NAME RECTANGLE --save' describes a control, 'sudo "
      + "touchgrid mask add SCREEN --rectangle RECTANGLE --save' masks a keypad."
    try writeLines(
      Array(lines.joined(separator: [""])) + [""] + wrapped(note, to: Terminal.width))
  }

  private func proposals(
    _ past: Past, _ folder: ScreenshotFolder
  ) throws -> [ControlProposals] {
    func query(_ layer: Layer) -> GridQuery {
      GridQuery(
        .span(time.span, choice.filter), layer: layer, screen: screen, display: display)
    }
    let areas = try KnownAreas(past)
    let trails = try past.grids(query(.trail))
    return try past.grids(query(.taps), sessionCountsBelow: ControlProposals.leastSessions)
      .compactMap { taps in
        guard let trail = trails.first(where: { $0.key == taps.key }) else { return nil }
        let picture = try? folder.screenshot(of: taps.key)?.pixels()
        return ControlProposals(
          taps, trail: trail, picture: picture, masks: areas.masks(on: taps.key),
          besides: areas.controls(on: taps.key))
      }
  }

  /// Returns a table of the configuration for each spot. A screen with spots on several displays
  /// has tables for each of these.
  private static func tables(_ all: [ControlProposals]) -> [String] {
    all.flatMap { proposals in
      let key = proposals.key
      let isAlone = all.count { $0.key.screen.hasSameBytes(as: key.screen) } == 1
      return proposals.spots.flatMap { spot -> [String] in
        let (display, edges) = (isAlone ? nil : key.display, API.Rectangle(spot.rectangle))
        if spot.isMask {
          let mask = API.Mask(screen: key.screen, display: display, rectangle: edges)
          return ["[[mask]]"] + mask.tableLines + [""]
        }
        let control = PlacedControl(
          screen: key.screen, display: display,
          control: API.Control(name: "spot \(spot.number)", rectangle: edges))
        return ["[[control]]"] + control.tableLines + [""]
      }
    }
  }
}
