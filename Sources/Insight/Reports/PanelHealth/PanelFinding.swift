internal import Text
public import TouchModel

/// A sign that a panel is failing.
public struct PanelFinding: Hashable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// An electrode, or several next to each other, senses nothing or too little.
    case line
    /// Touches are reported beside where people touch.
    case drift
    /// Touches are reported as if the panel had been stretched or turned.
    case distortion
    /// Resting contacts tremble more than before.
    case jitter
    /// The panel reports contacts less often than before.
    case rate
    /// Contacts without a finger.
    case ghosts
    /// No touches at times when people used to touch the panel.
    case silence
  }

  /// The likely cause.
  public enum Cause: String, Sendable, CaseIterable {
    /// An electrode or its connection is broken, and fingers on it become two contacts.
    case splitLine
    /// An electrode or its connection is broken, and fingers on it are moved to its neighbours or
    /// get lost.
    case deadLine
    /// Several adjacent electrodes are broken: a connector, a crack, or an object that covers them.
    case deadBand
    /// The panel or its mounting has moved, or its calibration is wrong.
    case calibration
    /// Electrical noise: a charger or power supply, or bad grounding.
    case power
    /// A cause that recurs at the same few hours every day, such as sunlight on the panel.
    case sun
    /// Water, cleaning, or an object that lies on the panel for a while.
    case water
    /// The controller or its cable.
    case controller
    /// A part of the panel is damaged, wet or under pressure.
    case surface
    /// The panel, its cable or its driver has failed, or the place is closed.
    case absent
  }

  public var kind: Kind
  public var cause: Cause
  /// The direction of the lines; nil if the finding is not about lines.
  public var direction: PanelCounts.Direction?
  /// The lines of the finding; nil if it is not about lines.
  public var lines: ClosedRange<Int>?
  /// The zones of a finding of jitter; empty for the whole panel.
  public var zones: [Int] = []
  /// The hours of the kiosk's clock at which ghosts appear; empty for other findings.
  public var hours: [Int] = []
  /// The first day with the fault, in days since 1970-01-01.
  public var since: Int
  /// The strength of the finding: the log-likelihood ratio of a fault to a healthy panel, or -ln of
  /// the probability of chance.
  public var evidence: Double
  /// The fault, its first day and its likely cause, in a sentence or two.
  public var text: String
}

/// A date as text.
enum DateText {
  /// - Parameter number: days since 1970-01-01.
  static func of(_ number: Int) -> String {
    // Days of the proleptic Gregorian calendar, counted from 0000-03-01 in eras of 400 years.
    let days = number + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let day = days - era * 146_097
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let rest = day - (365 * year + year / 4 - year / 100)
    let month = (5 * rest + 2) / 153
    let calendarMonth = month < 10 ? month + 3 : month - 9
    let calendarYear = year + era * 400 + (calendarMonth <= 2 ? 1 : 0)
    let dayOfMonth = rest - (153 * month + 2) / 5 + 1
    return "\(padded(calendarYear, 4))-\(padded(calendarMonth))-\(padded(dayOfMonth))"
  }
}

/// Numbers in the sentences of findings.
enum PanelWords {
  /// A number with one digit after the point.
  static func tenths(_ value: Double) -> String {
    let tenths = Int((min(abs(value), 1e9) * 10).rounded())
    return "\(value < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
  }

  /// Hours of a day, such as `9-10, 12-16`.
  static func hours(_ hours: [Int]) -> String {
    var ranges: [Range<Int>] = []
    for hour in hours {
      if let last = ranges.last, last.upperBound == hour {
        ranges[ranges.count - 1] = last.lowerBound..<(hour + 1)
      } else {
        ranges.append(hour..<(hour + 1))
      }
    }
    return ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ", ")
  }

  static func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }

  /// The position of lines on a panel, as text.
  static func place(
    _ lines: ClosedRange<Int>, _ direction: PanelCounts.Direction, axis: PanelAxis
  ) -> String {
    let axisName = direction == .vertical ? "x" : "y"
    let length = Double(axis.maximum) - Double(axis.minimum) + 1
    let (low, high) = (
      Double(lines.lowerBound) / Double(direction.lines),
      Double(lines.upperBound + 1) / Double(direction.lines)
    )
    guard axis.resolution > 0 else {
      return
        "at \(Int((100 * low).rounded()))-\(Int((100 * high).rounded())) % of its \(axisName) axis"
    }
    let size = length / Double(axis.resolution)
    return "at \(Int((size * low).rounded()))-\(Int((size * high).rounded())) mm "
      + "of the \(Int(size.rounded())) mm of its \(axisName) axis"
  }
}
