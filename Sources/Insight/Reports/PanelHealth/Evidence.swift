import Glibc

/// A CUSUM: it adds up evidence for a fault, and restarts at 0 when the evidence against it
/// prevails.
struct Evidence: Hashable, Sendable {
  /// The evidence at which there is an alarm.
  static let alarm = 14.0
  /// The maximum that one day adds, so that one or two unusual days cause no alarm. Wiping the
  /// panel, for example, looks like skips and pairs.
  static let dayLimit = 5.0
  /// The maximum of the evidence, so that a repaired panel is soon found healthy.
  private static let limit = 2 * alarm

  private(set) var value = 0.0
  /// The day since which the evidence has been above 0.
  private(set) var since: Int?

  var isAlarm: Bool { value >= Self.alarm }

  /// Adds the log-likelihood ratio of a day: of the fault to a healthy panel.
  mutating func add(_ ratio: Double, on day: Int) {
    value = min(Self.limit, max(0, value + min(ratio, Self.dayLimit)))
    if value == 0 { since = nil } else if since == nil { since = day }
  }
}

/// Probabilities of counts.
enum CountTest {
  /// The natural logarithm of the lower tail of the hypergeometric distribution.
  /// - Parameters:
  ///   - part: the drawn touches that are in the line; the tail is "at most this many".
  ///   - drawn: the number of touches drawn at random.
  ///   - line: the touches of the line.
  ///   - all: all touches.
  static func logLower(part: Double, drawn: Double, line: Double, all: Double) -> Double {
    let lowest = max(0, drawn + line - all)
    func choose(_ n: Double, _ k: Double) -> Double {
      lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    }
    // The counts were rounded separately, so they may be inconsistent.
    var value = max(part, lowest)
    let first = choose(line, value) + choose(all - line, drawn - value) - choose(all, drawn)
    var (term, sum) = (1.0, 1.0)
    while value > lowest, term > sum * 1e-9 {
      term *= value * (all - line - drawn + value) / ((line - value + 1) * (drawn - value + 1))
      sum += term
      value -= 1
    }
    return min(0, first + log(sum))
  }
}

extension [Double] {
  /// The median; nil if there are no values.
  var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }

  /// A robust standard deviation: 1.48 times the median absolute deviation. Outliers change it
  /// little.
  var robustDeviation: Double? {
    guard let median else { return nil }
    return map { abs($0 - median) }.median.map { 1.4826 * $0 }
  }
}
