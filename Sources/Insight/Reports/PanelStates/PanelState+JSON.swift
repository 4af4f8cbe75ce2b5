package import Text
internal import TouchModel

/// The states as JSON; `docs/panel.md` documents the members.
extension PanelState {
  /// - Parameter of: the selected sessions.
  package static func json(_ all: [PanelState], of: JSONValue) -> JSONValue {
    [
      "format": "touchgrid-panels", "version": .integer(1), "of": of,
      "panels": .array(all.map { .object($0.members) }),
    ]
  }

  var members: [JSONValue.Member] {
    let unused: JSONValue = [
      "vertical": .array(self.unused(.vertical).map { .integer($0) }),
      "horizontal": .array(self.unused(.horizontal).map { .integer($0) }),
    ]
    let members: KeyValuePairs<String, JSONValue> = [
      "device": .string(key.device), "name": Self.text(name), "x": Self.json(key.x),
      "y": Self.json(key.y), "state": .string(verdict.rawValue), "text": .string(summary),
      "days": .integer(days), "neededDays": .integer(Self.neededDays),
      "firstDay": Self.text(touched?.lowerBound), "lastDay": Self.text(touched?.upperBound),
      "isRecent": .bool(isRecent), "touches": .integer(touches), "unusedLines": unused,
      "unknown": .array(unknown.map { .string($0.rawValue) }),
      "neededSwipes": neededSwipes.map { .integer($0) } ?? .null,
      "findings": .array(findings.map(json)),
      "covers": .array(
        covers.map { cover in
          [
            "display": Self.text(cover.display), "x": .real(cover.rectangle.x),
            "y": .real(cover.rectangle.y), "width": .real(cover.rectangle.width),
            "height": .real(cover.rectangle.height),
          ]
        }),
      "wrongRanges": .array(
        wrongRanges.map {
          [
            "axis": .string($0.axis.rawValue), "text": .string($0.text),
            "remedy": .string($0.remedy),
          ]
        }),
    ]
    return members.map { JSONValue.Member(name: $0.key, value: $0.value) }
  }

  private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  private static func json(_ axis: PanelAxis) -> JSONValue {
    let resolution: JSONValue = axis.resolution > 0 ? .integer(axis.resolution) : .null
    return [
      "minimum": .integer(axis.minimum), "maximum": .integer(axis.maximum), "perMm": resolution,
    ]
  }

  private static func json(_ place: PanelPlace) -> JSONValue {
    [
      "direction": .string("\(place.direction)"),
      "lines": .array([.integer(place.lines.lowerBound), .integer(place.lines.upperBound)]),
      "of": .integer(place.count), "edge": .string(place.edge.rawValue),
    ]
  }

  private func json(_ finding: PanelFinding) -> JSONValue {
    let place = place(finding)
    var lines: JSONValue = .null
    var distance: JSONValue = .null
    if let range = finding.lines {
      lines = .array([.integer(range.lowerBound), .integer(range.upperBound)])
    }
    if let range = place?.millimetres {
      distance = .array([.real(range.lowerBound), .real(range.upperBound)])
    }
    return [
      "kind": .string(finding.kind.rawValue), "cause": .string(finding.cause.rawValue),
      "since": .string(DateText.of(finding.since)), "evidence": .real(finding.evidence),
      "falseAlarmsPerYear": .real(1 / Double(PanelFinding.yearsPerFalseAlarm)),
      "direction": Self.text(finding.direction.map { "\($0)" }), "lines": lines,
      "distanceMm": distance, "edge": Self.text(place?.edge.words),
      "place": place.map(Self.json) ?? .null,
      "zones": .array(finding.zones.map { .integer($0) }),
      "hours": .array(finding.hours.map { .integer($0) }),
      "headline": .string(headline(finding)), "text": .string(finding.text),
      "remedy": .string(finding.remedy),
    ]
  }
}
