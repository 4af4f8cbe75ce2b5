internal import Heatmaps
package import Text
package import TouchModel

/// The comparison as one JSON object; `docs/statistics.md` documents its members.
extension ComparisonReport {
  package var json: JSONValue {
    [
      "format": "touchgrid-comparison", "version": .integer(2), "direction": "B minus A",
      "layer": .string(layer.rawValue), "level": .real(level),
      "confidence": .real(ScreenComparison.confidence),
      "leastTouchedSessions": .integer(Comparison.minimumTouchedSessions), "a": a.json, "b": b.json,
      "controls": controls.json, "screens": .array(screens.map(\.json)),
      "onlyInA": .array(onlyA.map(\.json)),
      "onlyInB": .array(onlyB.map(\.json)),
    ]
  }
}

extension GridKey {
  fileprivate var json: JSONValue {
    ["screen": .string(screen), "display": .string(display), "geometry": geometry.json]
  }
}

extension ScreenComparison {
  fileprivate var json: JSONValue {
    [
      "screen": .string(a.key.screen), "display": .string(a.key.display),
      "geometry": geometry.json, "a": a.totals, "b": b.totals,
      "compared": .integer(result.compared), "verdicts": verdicts,
      "detectable": result.detectable.map { .real($0) } ?? .null,
      "blocks": .array(blocks.map(json)), "merged": .array(mergedCells.map(json)),
      "lacksSessions": .bool(lacksSessions),
    ]
  }

  /// The number of blocks and merged cells with each verdict.
  package var verdicts: JSONValue {
    .object(
      Comparison.Verdict.allCases.map {
        JSONValue.Member(name: $0.rawValue, value: .integer(result.count($0)))
      })
  }

  /// Returns a block as JSON. Members without a value are left out; a masked or untouched block has
  /// only its place and verdict.
  private func json(_ block: BlockFinding) -> JSONValue {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ value: JSONValue) {
      members.append(JSONValue.Member(name: name, value: value))
    }
    add("column", .integer(block.block.column))
    add("row", .integer(block.block.row))
    add("verdict", .string(block.finding.verdict.rawValue))
    guard block.finding.verdict != .masked, block.finding.verdict != .untouched else {
      return .object(members)
    }
    if let cell = block.cell { add("cell", .integer(cell)) }
    return .object(
      members
        + numbers(
          a.sample(block.index), b.sample(block.index), a.touchedSessions[block.index],
          b.touchedSessions[block.index], block.finding))
  }

  private func json(_ cell: Cell) -> JSONValue {
    let place: [JSONValue.Member] = [
      JSONValue.Member(name: "size", value: .integer(cell.side * geometry.blockSize)),
      JSONValue.Member(name: "column", value: .integer(cell.block.column)),
      JSONValue.Member(name: "row", value: .integer(cell.block.row)),
      JSONValue.Member(
        name: "blocks",
        value: .array(cell.blocks.map { [.integer($0.column), .integer($0.row)] })),
      JSONValue.Member(name: "verdict", value: .string(cell.finding.verdict.rawValue)),
    ]
    return .object(
      place + numbers(cell.a, cell.b, cell.touchedA, cell.touchedB, cell.finding))
  }

  /// Returns the counts of both sides, and the test if there is one.
  private func numbers(
    _ a: Sample, _ b: Sample, _ touchedA: UInt64, _ touchedB: UInt64,
    _ finding: Comparison.Finding
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ value: JSONValue) {
      members.append(JSONValue.Member(name: name, value: value))
    }
    add("sumA", .integer(a.sum))
    add("sumB", .integer(b.sum))
    add("touchedSessionsA", .integer(touchedA))
    add("touchedSessionsB", .integer(touchedB))
    add("meanA", .real(a.mean))
    add("meanB", .real(b.mean))
    add("difference", .real(finding.test?.difference ?? b.mean - a.mean))
    if let test = finding.test {
      let interval = test.interval(confidence: Self.confidence)
      add("low", .real(interval.lowerBound))
      add("high", .real(interval.upperBound))
      add("standardError", .real(test.standardError))
      add("welchStandardError", .real(test.welchStandardError))
      add("degreesOfFreedom", .real(test.degreesOfFreedom))
      add("welchP", .real(test.welchP))
    }
    if let p = finding.p { add("p", .real(p)) }
    if let q = finding.q { add("q", .real(q)) }
    return members
  }
}

extension SummedGrid {
  package var totals: JSONValue {
    [
      "sessions": .integer(sessions), "days": .integer(days),
      "shownMs": .integer(shownMilliseconds), "touches": .integer(touches),
    ]
  }
}
