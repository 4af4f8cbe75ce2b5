import ArgumentParser
import Heatmaps
import Reports
import Storage
import Text
import TouchModel

struct PanelStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Shows the state of each touchscreen: faults, since when, and what to do.",
    discussion: """
      The daemon counts what each touchscreen senses; masked touches count nothing. From that this \
      command finds dead lines, jitter, a lower report rate, touches that nobody made, a shifted \
      calibration, and silence. To find each kind takes \(PanelState.neededDays) days with touches. \
      docs/panel-rules.md has the rules, and how often they are wrong. With a daemon the state is that \
      of now, with --store that of the store's last day.

      Dead lines are found sooner if each layout of the app's screens has a tag of its own \
      (--layout-tag). After a repair, --since leaves out the days before. You need the role "read".

      Exit status: 0 no fault was found; 1 a fault was found; 3 nothing is known: no touch was counted, \
      no touchscreen, or an error; 64 usage error; 65 the file is not a store, or is of another \
      version.

      --json prints all of it; docs/panel.md has the members.
      """)

  @Option(
    help: ArgumentHelp(
      "Only this touchscreen: its key or name, as 'touchgrid devices' prints them. A store has keys.",
      valueName: "name"), completion: .devices)
  var device: String?

  @OptionGroup var time: SpanOptions

  @Option(
    help: ArgumentHelp(
      "The tag of sessions that names the layout of the app's screens.", valueName: "key"))
  var layoutTag = PanelGathering.standardLayoutTag

  @Option(
    help: ArgumentHelp(
      "Also draw the panel, with frames around its faults: .png, .svg or .pdf.",
      discussion: "It shows where touches began in the last \(PanelState.recentDays) days.",
      valueName: "file"),
    completion: .file(extensions: PictureFormat.allCases.map(\.rawValue)))
  var picture: String?

  @Option(
    help: ArgumentHelp(
      "Also write the state to this file, for Prometheus (docs/metrics.md).", valueName: "file"),
    completion: .file(extensions: ["prom"]))
  var metrics: String?

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var past: StoredDataOptions

  func validate() throws {
    _ = try format()
    if metrics == "-" || metrics == "" {
      throw ValidationError("--metrics needs the name of a file; the output is the state in words.")
    }
    if metrics != nil, picture != nil {
      throw ValidationError("--metrics cannot be combined with --picture: call the command twice.")
    }
  }

  private func format() throws -> PictureFormat? {
    guard let picture else { return nil }
    guard let ending = FileEnding(picture)?.text.lowercased(),
      let format = PictureFormat(rawValue: ending)
    else {
      throw ValidationError("'\(picture.printable())' does not end in .png, .svg or .pdf.")
    }
    return format
  }

  func run() throws {
    let states: [PanelState]
    do { states = try show() } catch { throw Panel.unknown(error) }
    let isFaulty = states.contains { $0.verdict == .faulty }
    do { try writeFiles(states) } catch {
      guard isFaulty else { throw Panel.unknown(error) }
      // Continue: the states matter more than the file.
      writeError(String(describing: error))
    }
    if isFaulty { throw ExitCode.failure }
    if states.isEmpty || states.contains(where: { $0.verdict == .untouched }) {
      throw ExitCode(Panel.unknown)
    }
  }

  /// Collects and prints the states.
  private func show() throws -> [PanelState] {
    let past = try past.open(writing: picture ?? metrics)
    let span = time.span
    let states = try Progress.during("panel") {
      try PanelGathering(past: past, span: span, layoutTag: layoutTag).states(of: device)
    }
    if json {
      try writeLines([PanelState.json(states, of: SessionFilter().json(in: span)).text])
    } else if states.isEmpty {
      let isSum = try past.sessions(in: .always).isEmpty && !Sessions.areUnknown(past, span)
      writeError(
        isSum
          ? "the store has no counts of touchscreens, like the sum of a fleet: import the objects "
            + "of one kiosk" : "no touch was counted in this time")
    } else {
      try writeLines(FactSheet.lines(states.map(\.sheet), width: Terminal.width))
    }
    return states
  }

  private func writeFiles(_ states: [PanelState]) throws {
    if let metrics {
      let lines = PanelMetrics(states).lines
      try writeFile(Array(lines.map { $0 + "\n" }.joined().utf8), to: metrics)
    }
    if let picture, let format = try format() { try draw(states, as: format, to: picture) }
  }

  private func draw(_ states: [PanelState], as format: PictureFormat, to path: String) throws {
    guard !states.isEmpty else { return }
    guard states.count == 1 || format == .pdf else {
      throw Failure(
        "a .\(format.rawValue) shows one touchscreen, and there are \(states.count); name one with "
          + "--device, or write a .pdf")
    }
    let drawings = try states.compactMap { try PanelMap($0).sheet?.drawing() }
    try writeFile(try format.bytes(drawings), to: path)
  }
}
