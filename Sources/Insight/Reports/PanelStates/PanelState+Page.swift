internal import Heatmaps
internal import Text
internal import TouchModel

/// The state for the page of a report; `docs/report.md` documents the members.
extension PanelState {
  var page: JSONValue {
    let picture = JSONValue.Member(name: "picture", value: PanelMap(self).page)
    return .object(members + [picture])
  }
}

extension PanelMap {
  /// The picture for the page of a report, which draws it.
  fileprivate var page: JSONValue {
    guard let grid else { return .null }
    let geometry = grid.key.geometry
    return [
      "columns": .integer(geometry.columns), "rows": .integer(geometry.rows),
      "shape": shape.map { .real($0) } ?? .null, "isSeen": .bool(state.sight != nil),
      "days": .integer(PanelState.recentDays),
      "touches": .string(base64(SparseGrid(grid).bytes)), "frames": .array(areas.map(\.json)),
    ]
  }
}

extension PanelMap.Area {
  fileprivate var json: JSONValue {
    [
      "finding": .integer(finding), "column": .integer(min(from.column, to.column)),
      "row": .integer(min(from.row, to.row)),
      "columns": .integer(abs(to.column - from.column) + 1),
      "rows": .integer(abs(to.row - from.row) + 1),
    ]
  }
}
