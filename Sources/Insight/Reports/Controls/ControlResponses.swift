internal import TouchModel

/// The responses of the screen to touches of a control, as far as they were observed.
package struct ControlResponses: Hashable, Sendable {
  /// The touches that were observed.
  package let touches: Int64
  /// The observed touches after which nothing changed.
  package let without: Int64
  /// The median time in ms until the screen changed; nil if it never changed.
  package let medianMilliseconds: Double?
  /// The touches by bin, as in `ControlSums.responses`.
  private let bins: [Int64]

  /// The longest acceptable response in ms: Nielsen's limit of 1 s for an uninterrupted flow of
  /// thought (1993), rounded up to the limit of a bin.
  static let longest: Int64 = 1024
  /// The share of touches without a response that is still acceptable.
  static let deadShare = 0.05

  /// - Returns: nil if nothing was observed.
  init?(_ sums: ControlSums) {
    bins = sums.responses
    touches = bins.reduce(0, &+)
    guard touches > 0, let without = bins.last else { return nil }
    self.without = without
    medianMilliseconds = Self.median(bins.dropLast())
  }

  /// Whether certainly more than `deadShare` of the touches had no response.
  var isDead: Bool {
    Double(touches) >= ControlResult.fewest
      && Share(Double(without), of: Double(touches), z: ControlResult.safeZ).low > Self.deadShare
  }

  /// Whether certainly more than half of the responses took longer than `longest`.
  var isSlow: Bool {
    let answered = touches - without
    return Double(answered) >= ControlResult.fewest
      && Share(Double(late - without), of: Double(answered), z: ControlResult.safeZ).low > 0.5
  }

  /// The touches without a response, or with a late one.
  var late: Int64 {
    zip(bins, ControlSums.responseLimits + [.max]).filter { $0.1 > Self.longest }
      .reduce(0) { $0 + $1.0 }
  }

  /// Times are assumed to be spread evenly within a bin.
  private static func median(_ bins: ArraySlice<Int64>) -> Double? {
    let half = Double(bins.reduce(0, &+)) / 2
    guard half > 0 else { return nil }
    var (sum, lower) = (0.0, 0.0)
    for (count, limit) in zip(bins, ControlSums.responseLimits) {
      if sum + Double(count) >= half {
        return lower + (Double(limit) - lower) * (half - sum) / Double(count)
      }
      (sum, lower) = (sum + Double(count), Double(limit))
    }
    return lower
  }
}

extension ControlResponses {
  /// The touches without a response, as text.
  var deadWords: String { "no response to \(without) of \(touches) touches" }

  /// The delay of the responses, as text.
  var slowWords: String { "responds late: half after \(seconds) s or more" }

  /// The median in seconds.
  var seconds: String { "\(((medianMilliseconds ?? 0) / 100).rounded() / 10)" }
}
