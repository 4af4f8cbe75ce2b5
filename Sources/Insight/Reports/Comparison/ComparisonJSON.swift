internal import Heatmaps
package import Text
package import TouchModel

/// The comparison as one JSON object; `docs/statistics.md` documents its members.
extension ComparisonReport {
  package var json: JSONValue {
    [
      "format": "touchgrid-comparison", "version": .integer(1), "direction": "B minus A",
      "layer": .string(layer.rawValue), "level": .real(level),
      "confidence": .real(ScreenComparison.confidence),
      "leastTouchedSessions": .integer(Comparison.minimumTouchedSessions), "a": a.json, "b": b.json,
      "screens": .array(screens.map(\.json)), "onlyInA": .array(onlyA.map(\.json)),
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
      "blocks": .array(blocks.map(json)),
    ]
  }

  /// The number of blocks with each verdict.
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
    let (meanA, meanB) = (a.means(block.index), b.means(block.index))
    add("sumA", .integer(a.sum[block.index]))
    add("sumB", .integer(b.sum[block.index]))
    add("touchedSessionsA", .integer(a.touchedSessions[block.index]))
    add("touchedSessionsB", .integer(b.touchedSessions[block.index]))
    add("meanA", .real(meanA))
    add("meanB", .real(meanB))
    add("difference", .real(block.finding.test?.difference ?? meanB - meanA))
    if let test = block.finding.test {
      let interval = test.interval(confidence: Self.confidence)
      add("low", .real(interval.lowerBound))
      add("high", .real(interval.upperBound))
      add("standardError", .real(test.standardError))
      add("welchStandardError", .real(test.welchStandardError))
      add("degreesOfFreedom", .real(test.degreesOfFreedom))
      add("welchP", .real(test.welchP))
    }
    if let p = block.finding.p { add("p", .real(p)) }
    if let q = block.finding.q { add("q", .real(q)) }
    return .object(members)
  }
}

extension SummedGrid {
  package var totals: JSONValue {
    [
      "sessions": .integer(sessions), "days": .integer(days),
      "shownMs": .integer(shownMilliseconds), "touches": .integer(touches),
    ]
  }

  /// Returns the mean count per session of one block; 0 without sessions.
  package func means(_ index: Int) -> Double {
    sessions == 0 ? 0 : Double(sum[index]) / Double(sessions)
  }
}
