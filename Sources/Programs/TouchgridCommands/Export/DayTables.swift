import Heatmaps
import Storage
import Text
import TouchModel
import TouchgridAPI

/// The tables in the folder of a day.
enum DayTable: String, CaseIterable {
  case days, views, grids, controls, visits, steps, funnels, panels, counts, sessions

  var columns: [String] {
    switch self {
    case .days:
      ["day", "sessions"] + Self.totalsColumns + ["ghosts_outside_sessions", "hours"]
    case .views: GridRows.viewColumns
    case .grids: GridRows.columns
    case .controls: ControlRows.columns
    case .visits: FlowRows.visitColumns
    case .steps: FlowRows.stepColumns
    case .funnels: FlowRows.funnelColumns
    case .panels: PanelRows.columns
    case .counts: ["day", "kind", "subject", "sessions", "places", "counts"]
    case .sessions:
      ["day", "session", "began", "last_active", "ended", "end", "tags"] + Self.totalsColumns
    }
  }

  /// The columns of the totals: first `begun` and the columns that add up to it, then the others.
  private static let totalsColumns = [
    "begun", "counted", "masked", "palms", "suspected_ghosts", "swallowed", "still_down",
    "preexisting", "cancelled", "clamped_samples", "drops",
  ]

  private static func line(_ totals: SessionTotals) -> [JSONValue] {
    [
      totals.begun, totals.counted, totals.masked, totals.palms, totals.ghosts, totals.swallowed,
      totals.stillDown, totals.preexisting, totals.cancelled, totals.clamped, totals.drops,
    ].map { .integer($0) }
  }

  static func line(_ day: API.Day) -> [JSONValue] {
    let totals = day.totals.map { line($0.sessionTotals) }
    return [.string(day.day), .integer(day.sessions)]
      + (totals ?? totalsColumns.map { _ in .null })
      + [.integer(day.ghostsOutside)]
      + [day.hours.map { .array($0.map { .integer($0) }) } ?? .null]
  }

  static func line(_ counts: SummedCounts, day: Day) -> [JSONValue] {
    let places = counts.places
    return [
      .string(day.text), .string(counts.subject.kind), .string(counts.subject.key),
      .integer(counts.sessions), .array(places.map { .integer($0) }),
      .array(places.map { .integer(counts.numbers[Int($0)]) }),
    ]
  }

  static func line(_ session: SessionRecord, day: Day) -> [JSONValue] {
    let lastActive = JSONValue.string(session.lastActive.utcText)
    let tags = session.tags.sorted { $0.key < $1.key }
      .map { JSONValue.Member(name: $0.key, value: .string($0.value)) }
    return [
      .string(day.text), .integer(session.id), .string(session.began.utcText), lastActive,
      session.end == nil ? .null : lastActive, session.end.map { .string($0.rawValue) } ?? .null,
      .object(tags),
    ] + line(session.totals)
  }
}

/// Writes the tables of a day.
struct DayExport {
  var forms: [LongForm]
  var layers: [Layer]
  var past: Past

  func write(_ day: API.Day, to folder: borrowing DayFolder) throws {
    guard let date = Day(day.day) else {
      throw Failure("the daemon sent '\(day.day.printable())', which is not a day")
    }
    try write([DayTable.line(day)], .days, to: folder)
    let sessions = try past.sessions(on: date)
    try write(sessions.map { DayTable.line($0, day: date) }, .sessions, to: folder)
    let controls = try past.controls(GridQuery(.day(date), layer: .taps))
    try write(
      controls.flatMap { ControlRows.lines($0, day: day.day) }, .controls, to: folder)
    let flows = try past.flows(on: date).counts
    try write(FlowRows.visits(flows, day: day.day), .visits, to: folder)
    try write(FlowRows.steps(flows, day: day.day), .steps, to: folder)
    try write(FlowRows.funnels(flows, day: day.day), .funnels, to: folder)
    try write(past.panels(of: .day(date)).map(PanelRows.line), .panels, to: folder)
    let others = CountKinds.all.names.filter { CountKinds.all[$0]?.hasTables == false }
    if !others.isEmpty {
      let counts = try others.flatMap { try past.counts(CountQuery($0, .day(date))).counts }
      try write(counts.map { DayTable.line($0.counts, day: date) }, .counts, to: folder)
    }
    // Read one layer after the other, so that only one is in memory at a time.
    for (index, layer) in layers.enumerated() {
      let grids = try past.grids(GridQuery(.day(date), layer: layer))
      if index == 0 {
        try write(grids.map { GridRows.view($0, day: day.day) }, .views, to: folder)
      }
      try write(.grids, to: folder, isContinued: index > 0) { form, writer throws(Failure) in
        for grid in grids { try GridRows.add(grid, day: day.day, form, to: &writer) }
      }
    }
  }

  private func write(
    _ lines: [[JSONValue]], _ table: DayTable, to folder: borrowing DayFolder
  ) throws(Failure) {
    try write(table, to: folder) { _, writer throws(Failure) in
      for line in lines { try writer.add(line) }
    }
  }

  private func write(
    _ table: DayTable, to folder: borrowing DayFolder, isContinued: Bool = false,
    _ body: (LongForm, inout LongWriter<Failure>) throws(Failure) -> Void
  ) throws(Failure) {
    for form in forms {
      let file = try folder.file("\(table.rawValue).\(form.rawValue)")
      var writer = LongWriter<Failure>(
        form, table.columns, hasHeader: !isContinued
      ) { bytes throws(Failure) in try file.append(bytes) }
      try body(form, &writer)
      try writer.finish()
    }
  }
}
