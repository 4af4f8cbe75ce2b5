package import TouchModel

package struct PanelTestResult: Hashable, Sendable {
  /// The tested panel. All texts are foreign.
  package struct Device: Hashable, Sendable {
    package var name: String
    package var key: String
    /// The display that it lies on; nil if no daemon runs.
    package var display: String?
    package var identifiers: DeviceIdentifiers
    package var contactProtocol: ContactProtocol
    package var surface: PanelSurface
    /// Whether the width of the picture lies along the raw y axis.
    package var isTurned: Bool

    package init(
      name: String, key: String, display: String?, identifiers: DeviceIdentifiers,
      contactProtocol: ContactProtocol, surface: PanelSurface, isTurned: Bool
    ) {
      self.name = name
      self.key = key
      self.display = display
      self.identifiers = identifiers
      self.contactProtocol = contactProtocol
      self.surface = surface
      self.isTurned = isTurned
    }

    /// Whether the panel can report two fingers.
    package var hasSeveralTouches: Bool {
      switch contactProtocol.kind {
      case .single, .slots(1): false
      case .anonymous, .slots: true
      }
    }
  }

  package enum Verdict: String, Hashable, Sendable {
    case passed, failed
    /// The person did no step that measures it.
    case notMeasured
  }

  /// The result for a rule.
  package struct Outcome: Hashable, Sendable {
    package var rule: PanelRule
    /// The worst value; nil if none was measured.
    package var value: Double?
    /// The step with that value.
    package var step: PanelTestStep?
    package var verdict: Verdict {
      value.map { rule.allows($0) ? .passed : .failed } ?? .notMeasured
    }
  }

  package struct Step: Hashable, Sendable {
    package var step: PanelTestStep
    /// The measurements; nil if the person skipped the step.
    package var measures: PanelMeasures?

    package init(step: PanelTestStep, measures: PanelMeasures?) {
      self.step = step
      self.measures = measures
    }

    /// The rules that this step breaks.
    package var broken: [PanelRule] {
      guard let measures else { return [] }
      return PanelRule.allCases.filter { rule in
        rule.value(in: measures, step.kind).map { !rule.allows($0) } ?? false
      }
    }
  }

  package var device: Device
  package var steps: [Step]
  /// The local time of the end of the test: `2026-11-27 14:05`.
  package var time: String
  package var outcomes: [Outcome]

  package init(_ device: Device, _ steps: [Step], time: String) {
    self.device = device
    self.steps = steps
    self.time = time
    let rules = PanelRule.allCases.filter { $0 != .separation || device.hasSeveralTouches }
    outcomes = rules.map { rule in
      guard rule != .range else { return Self.range(of: steps, on: device.surface) }
      let values = steps.compactMap { step in
        step.measures.flatMap { rule.value(in: $0, step.step.kind) }.map { ($0, step.step) }
      }
      let worst = values.max { rule.isLeast ? $0.0 > $1.0 : $0.0 < $1.0 }
      return Outcome(rule: rule, value: worst?.0, step: worst?.1)
    }
  }

  /// Judges the edge that lines reached least. For each edge the best line counts, because people
  /// do not draw every line to the very edge.
  private static func range(of steps: [Step], on surface: PanelSurface) -> Outcome {
    typealias Side = KeyPath<PanelMeasures.Margins, Double>
    let sides: [(side: Side, opposite: Side, length: Double)] = [
      (\.left, \.right, surface.width), (\.right, \.left, surface.width),
      (\.top, \.bottom, surface.height), (\.bottom, \.top, surface.height),
    ]
    var worst = Outcome(rule: .range)
    var isComplete = true
    for (side, opposite, length) in sides {
      let best = steps.compactMap { step -> (value: Double, step: PanelTestStep)? in
        guard let margins = step.measures?.margins else { return nil }
        let value = margins[keyPath: side]
        // A line along an edge shows that the panel senses the edge. Only a line towards it can
        // show the opposite.
        let travel = length - value - margins[keyPath: opposite]
        guard travel >= length / 2 || PanelRule.range.allows(value) else { return nil }
        return (value, step.step)
      }.min { $0.value < $1.value }
      guard let best else {
        isComplete = false
        continue
      }
      guard best.value > worst.value ?? -.infinity else { continue }
      worst.value = best.value
      worst.step = best.step
    }
    return isComplete || worst.verdict == .failed ? worst : Outcome(rule: .range)
  }

  package var verdict: Verdict {
    let verdicts = outcomes.map(\.verdict)
    if verdicts.contains(.failed) { return .failed }
    return verdicts.contains(.notMeasured) ? .notMeasured : .passed
  }
}
