import ArgumentParser
import Heatmaps
import Storage
import Text
import TouchModel
import TouchgridAPI

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Exports days as CSV and NDJSON, or as objects for a fleet.",
    discussion: """
      Writes a folder for each day of the kiosk's calendar, DIR/day=2026-11-21, with the tables \
      grids (the touched blocks), views (the sessions that showed a screen, which a mean is divided \
      by), sessions and days, each as .csv and .ndjson. docs/export.md describes the columns and \
      shows queries.

      Each day is replaced completely or not at all. Days of the span that are no longer in the \
      store are removed from DIR, if it still has at least one day of the span. The current day is written with what it has so far. DIR must be \
      new, empty or from an earlier export.

      With --fleet, the above does not apply. It writes one object for each day that is over and has \
      changed since the last export, for a fleet of kiosks: \
      DIR/in/KIOSK/GENERATION/DAY/rREVISION.ndjson.gz. DIR/state.json records what was written: use \
      one DIR for each kiosk, always the same, or days count twice. It reads the store's file, so \
      --socket, --since, --until, --layer and --format cannot be used with it. docs/fleet.md \
      describes the objects.
      """)

  @Option(
    help: ArgumentHelp(

      "The first day.",
      discussion: "2026-11-21, 2026-11 (its first day), today, yesterday, or a time ago: 7d, 2w.",
      valueName: "day"), transform: TimeArgument.read)
  var since: TimeArgument?

  @Option(
    help: ArgumentHelp(
      "The last day (inclusive), as --since; 2026-11 stands for its last day.", valueName: "day"),
    transform: TimeArgument.read)
  var until: TimeArgument?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The folder to write to; it is created if it does not exist.", valueName: "dir"),
    completion: .directory)
  var output: String

  @Option(help: "The format: csv, ndjson or both.")
  var format = ExportFormat.both

  @Option(
    help: ArgumentHelp(
      "The layer: taps, trail or dwell. May be repeated. Default: all layers."))
  var layer: [Layer] = []

  @Flag(help: "Write the objects of a fleet instead.")
  var fleet = false

  @Option(
    help: ArgumentHelp(
      "The name of this kiosk in the fleet.",
      discussion: "1 to 63 of a-z, 0-9 and -, not beginning with -. Needed by --fleet.",
      valueName: "name"))
  var kiosk: String?

  @OptionGroup var past: StoredDataOptions

  func validate() throws {
    if fleet {
      guard let kiosk else {
        throw ValidationError("--fleet needs the kiosk's name: --kiosk NAME.")
      }
      guard ObjectName.isKiosk(kiosk) else {
        throw ValidationError(
          "--kiosk must be 1 to 63 of a-z, 0-9 and -, and must not begin with -.")
      }
      guard since == nil, until == nil, layer.isEmpty, format == .both else {
        throw ValidationError(
          "--fleet exports all days with all layers: leave --since, --until, --layer and --format out."
        )
      }
      guard past.socket.socket == nil else {
        throw ValidationError("--fleet reads the store's file: use --store instead of --socket.")
      }
      return
    }
    guard kiosk == nil else { throw ValidationError("--kiosk needs --fleet.") }
    let span = try days()
    if let first = span.first, let last = span.last, last < first {
      throw ValidationError("--until must not be before --since.")
    }
  }

  private func days() throws -> (first: Day?, last: Day?) {
    (try Self.day(since, "since"), try Self.day(until, "until", isLast: true))
  }

  /// Returns the day that an option names; nil if it is not given. Times within a day are rejected,
  /// because the sums of days cannot be split.
  /// - Parameter isLast: whether a month means its last day, not its first.
  private static func day(
    _ time: TimeArgument?, _ option: String, isLast: Bool = false
  ) throws -> Day? {
    let day: Day?
    switch time {
    case nil: return nil
    case .day(let date): day = Day(date.dateText)
    case .month where isLast:
      day = time?.end(now: .now).map { Day(local: WallTime(milliseconds: $0.milliseconds - 1)) }
    case .month, .wholeDay, .daysAgo: day = time?.start(now: .now).map { Day(local: $0) }
    case .minute, .today, .minutesAgo:
      throw ValidationError(
        "An export covers whole days; --\(option) takes a day such as 2026-11-21, 2026-11, yesterday "
          + "or 7d.")
    }
    guard let day else {
      throw ValidationError("--\(option) must be in the years 0 to 9999.")
    }
    return day
  }

  func run() throws {
    if let kiosk, fleet { return try exportForFleet(kiosk) }
    let span = try days()
    func isWanted(_ day: Day) -> Bool {
      day >= span.first ?? day && day <= span.last ?? day
    }
    let past = try past.open()
    let progress = Progress("export")
    // Compare days by name, not by time: if the kiosk is in another time zone, its days begin at
    // other times than on this machine.
    let all = try past.days(in: .always)
    guard !all.isEmpty else {
      throw NothingToShow("the store has no sessions; nothing was written")
    }
    let known = all.filter { Day($0.day).map(isWanted) ?? false }
    guard !known.isEmpty else {
      throw Failure(
        "no session began on these days; without --since and --until all days are exported")
    }
    // The store is already open, and this process opens no other file of it, so root can now become
    // the owner of the output's folder.
    try ProcessIdentity.becomeOwner(ofOutput: output + "/" + ExportFolder.marker)
    let folder = try ExportFolder(output)
    let present = try folder.present(isWanted)
    let gone = Set(present.map(\.text)).subtracting(known.map { $0.day })
    let layers = layer.isEmpty ? Layer.allCases : Layer.allCases.filter(layer.contains)
    let export = DayExport(forms: format.forms, layers: layers, past: past)
    progress.begin(known.count, "days")
    for day in known {
      if let date = Day(day.day) { try folder.replace(date) { try export.write(day, to: $0) } }
      progress.advance()
    }
    for day in present where gone.contains(day.text) { try folder.remove(day) }
  }
}

extension Export {
  private func exportForFleet(_ kiosk: String) throws {
    let path = past.store ?? StoredDataOptions.standardStore
    try ProcessIdentity.becomeOwner(ofStore: path)
    let store = try Store(reading: path)
    var export = try FleetExport(
      store, to: try FleetFolder(output), kiosk: kiosk, at: .now, timeZone: TimeZoneName.current)
    let progress = Progress("export")
    try export.run(progress)
    let report = export.report
    if report.beganGeneration {
      writeError(
        "the store is not the one of earlier exports: a backup was put back, or it is a new store. What "
          + "the fleet has stays; new sessions are added in a new generation")
    }
    for day in report.unknown {
      writeError(
        "\(day) is left as it is from now on: sessions of it were deleted, and the sums that remain "
          + "cannot be divided between the store before and after a backup was put back")
    }
    try writeLines([
      "\(counted(report.written.count, "object")) written, \(report.unchanged) unchanged"
    ])
  }
}

/// The option `--format` of an export.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
  case csv, ndjson, both

  var forms: [LongForm] {
    switch self {
    case .csv: [.csv]
    case .ndjson: [.ndjson]
    case .both: [.csv, .ndjson]
    }
  }
}
