import ArgumentParser
import Reports
import Storage
import Text
import TouchModel
import TouchgridAPI

struct Controls: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows which buttons people miss, and what to change.",
    discussion: """
      For each control that the configuration or the app describes, counts the touches that hit it, \
      and those that missed it by at most 5 mm. Touches that aim at nothing are subtracted: those from \
      5 to 10 mm around a control tell how many to expect. Of the touches that were meant for a \
      control, HIT BY is the share that hit it, with its 95 % interval. A control that certainly \
      fewer than 99 % hit is listed first, with the smallest change after which 99 % would.

      A layout that changed is listed on its own: its touches are never mixed with those of another. \
      'touchgrid control' lists the controls of now. docs/controls.md describes the rules.

      --region counts the touches in a rectangle or a control from the blocks of the map instead. This \
      also works for days before there were controls, but gives only an interval: a block that the edge \
      cuts may have all of its touches inside, or none.

      Files, by their ending:
        .csv   one line per control
        .json  all of it

      docs/controls.md has the members, the columns, and what each advice means.
      """)

  @OptionGroup var selection: SelectionOptions

  @Option(
    help: ArgumentHelp(
      "Count the touches in this rectangle of the screen, or in this control, from the map.",
      valueName: "x,y,width,height|name"))
  var region: String?

  @OptionGroup var file: FileOptions<TableFormat>

  @OptionGroup var past: StoredDataOptions

  func validate() throws {
    if region != nil {
      guard selection.screen != nil else {
        throw ValidationError("--region needs the name of a screen.")
      }
      guard file.output == nil else {
        throw ValidationError("--region writes no file; --json prints the numbers.")
      }
    }
  }

  func run() throws {
    let past = try past.open(writing: file.output)
    if let region { return try count(region, past) }
    let results = try Progress.during("controls") {
      try past.controls(selection.query).map { ScreenControlResults($0) }
    }
    switch try file.chosen() {
    case .json:
      let json = ScreenControlResults.json(results, of: selection.json)
      try file.save(Array((json.text + "\n").utf8))
    case .csv: try file.save(ScreenControlResults.csv(results))
    case nil:
      guard !results.isEmpty else { throw try nothing(past) }
      let lines = results.map { ControlText($0, width: Terminal.width).lines }
      try writeLines(selection.title + Array(lines.joined(separator: [""])))
    }
  }

  /// Prints the touches in a region.
  private func count(_ region: String, _ past: Past) throws {
    let grids = try past.grids(selection.query)
    guard !grids.isEmpty else { throw try nothing(past) }
    let counts = try grids.map { grid in
      RegionCount(try rectangle(region, on: grid.key, past), in: grid)
    }
    if file.json { return try writeLines([RegionCount.json(counts, of: selection.json).text]) }
    try writeLines(counts.flatMap { wrapped($0.words, to: Terminal.width) })
  }

  /// Returns the rectangle that the user gave, or that of the control with this name: a current
  /// one, otherwise one of the newest counted layout.
  private func rectangle(_ region: String, on key: GridKey, _ past: Past) throws -> Rectangle {
    if let rectangle = RectangleArgument(argument: region)?.rectangle.rectangle { return rectangle }
    var known: [API.ScreenControls] = []
    if case .daemon(let daemon) = past {
      let reply = try daemon.call(API.GetControls())
      known = reply.configured + reply.added
    }
    let current = known.last { list in
      list.screen == key.screen && (list.display ?? key.display) == key.display
        && list.controls.contains { $0.name == region }
    }?.controls.last { $0.name == region }
    if let rectangle = current?.rectangle.rectangle { return rectangle }
    var all = selection.query
    all.sessions = .span(.always)
    let sets = try past.controls(all).map(\.counts).filter { $0.key == key }.map(\.set)
    let control = sets.last { $0.controls.contains { $0.name == region } }?.controls
      .first { $0.name == region }
    guard let control else {
      let names = Set(sets.flatMap { $0.controls.map { $0.name.printable() } }).sorted()
      throw Failure(
        "'\(region.printable())' is neither \(RectangleArgument.forms), nor a control of this screen; "
          + "its controls are: \(names.isEmpty ? "none" : names.joined(separator: ", "))")
    }
    return control.rectangle
  }

  /// Returns the reason why there is no result.
  private func nothing(_ past: Past) throws -> any Error {
    try selection.nothing(
      past,
      otherwise: "no touch was counted for controls: describe them in the configuration "
        + "([[control]]), or see 'touchgrid control --help'")
  }
}
