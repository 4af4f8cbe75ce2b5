internal import Heatmaps
internal import Text
internal import TouchModel

extension Report {
  /// The data that the page is drawn from, and that programs can read. `docs/report.md` documents
  /// each member.
  var json: JSONValue {
    [
      "format": "touchgrid-report", "version": .integer(1), "title": .string(title),
      "made": made.json, "program": .string("touchgrid \(version)"), "span": .string(span),
      "tags": object(tags), "weekdays": weekdays?.json ?? .null, "hours": hours?.json ?? .null,
      "lastTouch": timeJSON(lastTouch), "days": .array(days.map(\.json)),
      "choices": .array(choices.map(\.json)), "sessions": .array(sessions.map(\.json)),
      "devices": .array(devices.map(\.json)),
      "panels": panels.map { .array($0.map(\.page)) } ?? .null,
      "ghostsOutsideSessions": ghostsOutsideSessions.map { .integer($0) } ?? .null,
      "findings": .array(findings.map(json)), "screens": .array(screens.map(\.json)),
      "flows": flows.map { .object($0.members) } ?? .null, "lengths": lengths?.json ?? .null,
      "comparison": comparison?.page ?? .null,
      "colours": ["inferno": Self.stops(.inferno)],
    ]
  }

  private func json(_ finding: Finding) -> JSONValue {
    [
      "kind": .string(finding.kind.rawValue), "text": .string(finding.text),
      "screen": screens.firstIndex { $0.key == finding.key }.map { .integer($0) } ?? .null,
      "controls": .array(finding.controls.map { .string($0) }),
      "sessions": .integer(finding.sessions),
      "places": .array(
        finding.places.map { .array([$0.x, $0.y, $0.width, $0.height].map { .real($0) }) }),
    ]
  }

  /// Returns 129 evenly spaced colours of a map. They include all of its stops.
  private static func stops(_ map: ColourMap) -> JSONValue {
    .array(
      (0...128).map { step in
        let colour = map.colour(at: Double(step) / 128)
        return .array([colour.red, colour.green, colour.blue].map { .integer($0) })
      })
  }
}

extension Report.Time {
  fileprivate var json: JSONValue { ["at": .integer(at.milliseconds), "text": .string(text)] }
}

extension Report.Weekdays {
  fileprivate var json: JSONValue {
    ["days": .array(numbers.map { .integer($0) }), "text": .string(text)]
  }
}

extension Report.Hours {
  fileprivate var json: JSONValue {
    ["from": .integer(from), "until": .integer(until), "text": .string(text)]
  }
}

extension Report.Choice {
  fileprivate var json: JSONValue {
    [
      "id": .string(id), "kind": .string(kind.rawValue), "name": .string(name),
      "since": timeJSON(since), "until": timeJSON(until),
    ]
  }
}

extension Report.Session {
  fileprivate var json: JSONValue {
    [
      "choice": .string(choice), "id": .integer(id), "began": began.json,
      "durationMs": .integer(durationMilliseconds), "ending": .string(ending),
      "tags": object(tags), "totals": totals.json,
    ]
  }
}

extension Report.Day {
  fileprivate var json: JSONValue {
    [
      "day": .string(day), "sessions": .integer(sessions), "totals": totals?.json ?? .null,
      "hours": hours.map { .array($0.map { .integer($0) }) } ?? .null,
    ]
  }
}

extension Report.Lengths {
  fileprivate var json: JSONValue {
    [
      "limitsMs": .array(Self.limits.map { .integer($0) }),
      "sessions": .array(sessions.map { .integer($0) }), "oneTouch": .integer(oneTouch),
    ]
  }
}

extension Report.Device {
  fileprivate var json: JSONValue {
    [
      "key": .string(key), "name": name.map { .string($0) } ?? .null,
      "displays": .array(displays.map { .string($0) }),
      "tally": tally.map {
        [
          "touches": .integer($0.touches), "drops": .integer($0.drops),
          "suspectedGhosts": .integer($0.suspectedGhosts), "echoes": .integer($0.echoes),
          "unrecorded": .integer($0.unrecorded),
        ]
      } ?? .null,
    ]
  }
}

extension Report.Screen {
  fileprivate var json: JSONValue {
    [
      "screen": .string(key.screen), "display": .string(key.display),
      "geometry": key.geometry.json,
      "maps": .object(
        maps.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value.json) }),
      "screenshot": picture.map {
        [
          "type": .string($0.type.rawValue), "width": .integer($0.width),
          "height": .integer($0.height), "data": .string(base64($0.bytes)),
        ]
      } ?? .null,
      "remark": remark.map { .string($0) } ?? .null,
      "controls": .array(controls.map { .object($0.layout) }),
      "spots": .array(spots.map(\.json)),
    ]
  }
}

extension Report.Map {
  fileprivate var json: JSONValue {
    let counts = Layer.allCases.map { layer in
      JSONValue.Member(
        name: layer.rawValue, value: layers[layer].map { .string(base64($0.bytes)) } ?? .null)
    }
    return [
      "sessions": .integer(sessions), "days": .integer(days),
      "shownMs": .integer(shownMilliseconds), "touches": .integer(touches),
      "masks": .array(
        masks.map { .array([$0.x, $0.y, $0.width, $0.height].map { .real($0) }) }),
      "layers": .object(counts),
    ]
  }
}

extension SessionTotals {
  fileprivate var json: JSONValue {
    [
      "begun": .integer(begun), "counted": .integer(counted), "masked": .integer(masked),
      "palms": .integer(palms), "suspectedGhosts": .integer(ghosts),
      "swallowed": .integer(swallowed), "stillDown": .integer(stillDown),
      "preexisting": .integer(preexisting), "cancelled": .integer(cancelled),
      "clampedSamples": .integer(clamped), "drops": .integer(drops),
    ]
  }
}

private func timeJSON(_ time: Report.Time?) -> JSONValue { time?.json ?? .null }

private func object(_ texts: [String: String]) -> JSONValue {
  .object(texts.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) })
}
