internal import Text

/// A limit for a good panel. `docs/panel-test.md` gives the source of each.
package enum PanelRule: String, Hashable, Sendable, CaseIterable {
  case jitter, linearity, linearityRMS, gaps, breaks, extraTouches, coverage, rate, range, rest,
    separation

  /// The name of the measured value.
  package var title: String {
    switch self {
    case .jitter: "Jitter within 10 mm of a line"
    case .linearity: "Distance from a straight line"
    case .linearityRMS: "The same, root mean square"
    case .gaps: "A gap, by its neighbours"
    case .breaks: "Contacts that were lost"
    case .extraTouches: "Touches that nobody made"
    case .coverage: "Part of a side that a line covers"
    case .rate: "Reports of a moving finger"
    case .range: "From a line's end to the edge"
    case .rest: "Motion of a finger that rests"
    case .separation: "Nearest two fingers"
    }
  }

  package var unit: String {
    switch self {
    case .jitter, .linearity, .linearityRMS, .range, .rest, .separation: "mm"
    case .rate: "Hz"
    case .coverage: "%"
    case .gaps, .breaks, .extraTouches: ""
    }
  }

  package var limit: Double {
    switch self {
    case .jitter, .rest: 1
    case .linearity: 2
    case .linearityRMS: 0.5
    case .gaps: 1.8
    case .breaks, .extraTouches: 0
    case .coverage: 90
    case .rate: 60
    case .range: 0.5
    case .separation: 20
    }
  }

  /// Whether the limit is a minimum, not a maximum.
  package var isLeast: Bool { self == .rate || self == .coverage }

  package var source: String {
    switch self {
    case .jitter: "Windows HLK"
    case .linearity, .linearityRMS, .gaps, .rate, .range, .rest: "ChromeOS"
    case .breaks, .extraTouches, .coverage, .separation: "Touchgrid"
    }
  }

  /// The limit as text, such as `at most 1 mm`.
  package var limitWords: String {
    (isLeast ? "at least " : "at most ") + shortestDigits(limit) + (unit.isEmpty ? "" : " \(unit)")
  }

  /// A value with its unit, such as `0.42 mm`.
  package func words(_ value: Double) -> String {
    let number =
      switch self {
      case .breaks, .extraTouches: String(Int(value))
      case .coverage, .rate: String(Int(value.rounded(isLeast ? .down : .up)))
      default: Self.hundredths(value, up: !isLeast)
      }
    return unit.isEmpty ? number : "\(number) \(unit)"
  }

  /// Rounds away from the limit, so that a value that breaks the limit does not seem to keep it.
  private static func hundredths(_ value: Double, up: Bool) -> String {
    let hundredths = Int((value * 100 - 1e-6).rounded(up ? .up : .down))
    let fraction = String(hundredths % 100)
    return hundredths.isMultiple(of: 100)
      ? String(hundredths / 100)
      : "\(hundredths / 100).\(fraction.count < 2 ? "0" : "")\(fraction)"
  }

  /// Returns whether a value keeps the limit. Tolerates rounding errors.
  package func allows(_ value: Double) -> Bool {
    isLeast ? value >= limit - 1e-9 : value <= limit + 1e-9
  }

  /// The value in the measures of a step; nil if that step does not measure it.
  func value(in measures: PanelMeasures, _ kind: PanelTestStep.Kind) -> Double? {
    switch self {
    case .jitter: measures.jitter
    case .linearity: measures.linearity
    case .linearityRMS: measures.linearityRMS
    case .gaps: measures.gapRatio
    // Two fingers that meet may become one touch and then two again.
    case .breaks: kind == .twoFingers ? nil : Double(measures.breaks)
    case .extraTouches: Double(measures.extraTouches)
    case .coverage: measures.coverage.map { $0 * 100 }
    case .rate: measures.rate
    // The range is not judged by single lines: for each edge, the best line counts
    // (`PanelTestResult`).
    case .range: nil
    case .rest: measures.rest
    case .separation: measures.separation
    }
  }
}
