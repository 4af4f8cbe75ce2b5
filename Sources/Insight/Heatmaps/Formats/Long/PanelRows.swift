public import Text
public import TouchModel

/// Writes the counts of panels in the long form: a line for each panel and day.
public enum PanelRows {
  public static let columns = [
    "day", "device", "x_minimum", "x_maximum", "x_per_mm", "y_minimum", "y_maximum", "y_per_mm",
    "sessions", "touch_downs", "crossed", "skipped", "pairs", "intervals", "resting_reports",
    "resting_squares", "short", "ghosts",
  ]

  public static func line(_ panel: SummedPanel) -> [JSONValue] {
    let parts = panel.counts.parts
    let lists = [
      parts.touchDowns, parts.crossed, parts.skipped, parts.pairs, parts.intervals,
      parts.restingReports, parts.restingSquares, parts.short, parts.ghosts,
    ]
    var line: [JSONValue] = [.string(panel.day), .string(panel.key.device)]
    for axis in [panel.key.x, panel.key.y] {
      line += [.integer(axis.minimum), .integer(axis.maximum)]
      line.append(axis.resolution == 0 ? .null : .integer(axis.resolution))
    }
    line.append(.integer(panel.sessions))
    for list in lists { line.append(.array(list.map { .integer($0) })) }
    return line
  }
}
