internal import Text
internal import TouchModel

/// The result of a test of a panel for a terminal, and the texts that the page shares.
package struct PanelTestText {
  package let result: PanelTestResult

  package init(_ result: PanelTestResult) { self.result = result }

  package func lines(width: Int) -> [String] {
    let rows = result.outcomes.map { outcome in
      [
        outcome.rule.title, Self.value(outcome), outcome.rule.limitWords, outcome.rule.source,
        Self.words(outcome.verdict), outcome.verdict == .failed ? outcome.step?.name ?? "" : "",
      ]
    }
    let table = TextTable(
      [
        .init("MEASURED", canShrink: true), .init("VALUE", isNumber: true), .init("LIMIT"),
        .init("FROM"), .init("RESULT"), .init("WORST AT"),
      ], rows: rows
    ).lines(width: width)
    return facts.flatMap { wrapped($0, to: width) } + [""] + table + [""]
      + (places + [conclusion]).flatMap { wrapped($0, to: width) }
  }

  static func value(_ outcome: PanelTestResult.Outcome) -> String {
    outcome.value.map { outcome.rule.words($0) } ?? "-"
  }

  static func words(_ verdict: PanelTestResult.Verdict) -> String {
    switch verdict {
    case .passed: "passed"
    case .failed: "FAILED"
    case .notMeasured: "not measured"
    }
  }

  /// The device and the method of measurement, as lines.
  var facts: [String] {
    let device = result.device
    let surface = device.surface
    let kind =
      switch device.contactProtocol.kind {
      case .slots(let count): "up to \(count) touches at once (multitouch protocol B)"
      case .anonymous: "multitouch protocol A"
      case .single: "one touch at a time"
      }
    let source =
      switch surface.sizeSource {
      case .option: "measured by hand"
      case .kernel: "by its driver"
      case .monitor: "by its monitor"
      }
    let place = device.display.map { ", on \($0.printable())" } ?? ""
    return [
      "\(device.name.printable()) (\(device.key.printable(limit: 300)))\(place)",
      "\(kind); x \(surface.x.lowerBound) to \(surface.x.upperBound), "
        + "y \(surface.y.lowerBound) to \(surface.y.upperBound); "
        + "\(roundedDigits(surface.width)) x \(roundedDigits(surface.height)) mm (\(source))",
      result.time,
    ]
  }

  /// The places where the panel lost a finger or reported a touch without one.
  var places: [String] {
    result.steps.flatMap { step -> [String] in
      guard let measures = step.measures else { return [] }
      var lines: [String] = []
      if !Set(step.broken).isDisjoint(with: [.breaks, .gaps]), let gap = measures.largestGap,
        let place = measures.gapPlace
      {
        lines.append(
          "\(step.step.name): the greatest gap, \(PanelRule.range.words(gap)), is at \(raw(place))."
        )
      }
      if let place = measures.extraPlace {
        lines.append("\(step.step.name): the first extra touch began at \(raw(place)).")
      }
      return lines
    }
  }

  private func raw(_ place: PanelMeasures.Place) -> String {
    let surface = result.device.surface
    return "raw x \(Self.raw(place.x / surface.width, surface.x)), "
      + "y \(Self.raw(place.y / surface.height, surface.y))"
  }

  private static func raw(_ part: Double, _ range: ClosedRange<Int32>) -> Int {
    let length = Double(range.upperBound) - Double(range.lowerBound)
    return Int((Double(range.lowerBound) + part * length).rounded())
  }

  var conclusion: String {
    let failed = result.outcomes.count { $0.verdict == .failed }
    let missing = result.outcomes.count { $0.verdict == .notMeasured }
    switch result.verdict {
    case .passed: return "The panel keeps all limits."
    case .failed: return "The panel breaks \(counted(failed, "limit"))."
    case .notMeasured:
      return "The panel breaks no limit, but \(counted(missing, "limit")) could not be measured."
    }
  }
}
