package import Text
internal import TouchModel

/// The result of a test of a panel as JSON; `docs/panel-test.md` documents the members.
extension PanelTestResult {
  package var json: JSONValue {
    [
      "format": "touchgrid-panel-test", "version": .integer(1), "time": .string(time),
      "verdict": .string(verdict.rawValue), "device": device.json,
      "results": .array(outcomes.map(\.json)), "steps": .array(steps.map(\.json)),
    ]
  }
}

private func real(_ value: Double?) -> JSONValue {
  value.map { .real(($0 * 1000).rounded() / 1000) } ?? .null
}

extension PanelTestResult.Device {
  fileprivate var json: JSONValue {
    let kind =
      switch contactProtocol.kind {
      case .slots: "slots"
      case .anonymous: "anonymous"
      case .single: "single"
      }
    func range(_ range: ClosedRange<Int32>) -> JSONValue {
      [.integer(range.lowerBound), .integer(range.upperBound)]
    }
    return [
      "name": .string(name), "key": .string(key), "display": display.map { .string($0) } ?? .null,
      "vendorProduct": .string(identifiers.vendorProduct), "protocol": .string(kind),
      "x": range(surface.x), "y": range(surface.y), "widthMm": real(surface.width),
      "heightMm": real(surface.height), "sizeFrom": .string(surface.sizeSource.rawValue),
    ]
  }
}

extension PanelTestResult.Outcome {
  fileprivate var json: JSONValue {
    [
      "rule": .string(rule.rawValue), "value": real(value),
      (rule.isLeast ? "least" : "most"): .real(rule.limit), "unit": .string(rule.unit),
      "from": .string(rule.source), "verdict": .string(verdict.rawValue),
      "step": step.map { .string($0.name) } ?? .null,
    ]
  }
}

extension PanelTestResult.Step {
  fileprivate var json: JSONValue {
    guard let measures else { return ["step": .string(step.name), "skipped": .bool(true)] }
    func place(_ place: PanelMeasures.Place?) -> JSONValue {
      place.map { ["xMm": real($0.x), "yMm": real($0.y)] } ?? .null
    }
    return [
      "step": .string(step.name), "skipped": .bool(false), "jitterMm": real(measures.jitter),
      "linearityMm": real(measures.linearity), "linearityRmsMm": real(measures.linearityRMS),
      "gapRatio": real(measures.gapRatio),
      "largestGapMm": real(measures.largestGap), "largestGapAt": place(measures.gapPlace),
      "breaks": .integer(measures.breaks), "extraTouches": .integer(measures.extraTouches),
      "extraTouchAt": place(measures.extraPlace),
      "coverage": real(measures.coverage), "rateHz": real(measures.rate),
      "restMm": real(measures.rest), "separationMm": real(measures.separation),
      "broken": .array(broken.map { .string($0.rawValue) }),
    ]
  }
}
