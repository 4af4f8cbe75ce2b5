import Glibc

/// A CUSUM: evidence that adds up while it speaks for a fault, and starts anew where it does not.
struct Evidence: Hashable, Sendable {
  /// The evidence at which there is an alarm.
  static let alarm = 14.0
  /// What one day adds at most: one or two strange days alone are no alarm. Somebody who wipes the
  /// panel makes skips and pairs.
  static let dayLimit = 5.0
  /// The evidence is not kept beyond this, so that a repaired panel is found to be good.
  private static let limit = 2 * alarm

  private(set) var value = 0.0
  /// The day on which it began to add up.
  private(set) var since: Int?

  var isAlarm: Bool { value >= Self.alarm }

  /// Adds the logarithm of the likelihood ratio of a day.
  mutating func add(_ ratio: Double, on day: Int) {
    value = min(Self.limit, max(0, value + min(ratio, Self.dayLimit)))
    if value == 0 { since = nil } else if since == nil { since = day }
  }
}

/// Probabilities of counts.
enum CountTest {
  /// ln of the probability of at most `part` from the line, if `drawn` touches are drawn at random
  /// from `all`, of which `line` are in the line: the lower tail of the hypergeometric distribution.
  static func logLower(part: Double, drawn: Double, line: Double, all: Double) -> Double {
    let lowest = max(0, drawn + line - all)
    func choose(_ n: Double, _ k: Double) -> Double {
      lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    }
    // The counts were rounded one by one, so they may not fit exactly.
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

  /// A standard deviation that single strange values do not change much: 1.48 times the median
  /// distance from the median.
  var robustDeviation: Double? {
    guard let median else { return nil }
    return map { abs($0 - median) }.median.map { 1.4826 * $0 }
  }
}
