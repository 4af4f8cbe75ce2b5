public import Text
public import TouchModel

/// Writes the counts of controls of one day in the long form: one line for each control of each set
/// that the day's sessions touched.
public enum ControlRows {
  /// The columns of the table `controls`.
  public static let columns: [String] =
    GridRows.keyColumns + [
      "control", "x", "y", "width", "height", "counts_rage", "point_mm", "set_sessions",
    ] + scatterColumns("hits") + scatterColumns("near_misses") + besideColumns
    + ["retried", "rage_runs", "rage_taps", "rage_sessions", "responses", "sessions"]

  private static func scatterColumns(_ name: String) -> [String] {
    [name] + ["x", "y", "xx", "yy", "xy"].map { "\(name)_\($0)" }
  }

  /// Columns such as `beside_left_5`: the touches on the left in the ring up to 5 mm.
  private static let besideColumns = ["left", "right", "top", "bottom"].flatMap { side in
    ControlSums.rings.map { "beside_\(side)_\(Int($0))" }
  }

  /// Returns the lines of one set.
  /// - Parameter day: the day, `YYYY-MM-DD`.
  public static func lines(_ summed: SummedControls, day: String) -> [[JSONValue]] {
    let set = summed.counts.set
    return set.controls.indices.map { index in
      let (control, sums) = (set.controls[index], summed.counts[index])
      let edges = control.rectangle
      let place: [JSONValue] = [
        .string(control.name), .real(edges.x), .real(edges.y), .real(edges.width),
        .real(edges.height), .bool(control.countsRage), .real(set.pointSize),
        .integer(summed.sessions),
      ]
      let counts = scatter(sums.hits) + scatter(sums.nearMisses) + sums.beside.joined()
      let rage = [sums.retried, sums.rageRuns, sums.rageTaps, sums.rageSessions]
      return GridRows.key(summed.counts.key, day) + place
        + (counts + rage).map { .integer($0) }
        + [.array(sums.responses.map { .integer($0) }), .integer(sums.sessions)]
    }
  }

  private static func scatter(_ scatter: ControlSums.Scatter) -> [Int64] {
    [scatter.count, scatter.x, scatter.y, scatter.xx, scatter.yy, scatter.xy]
  }
}
