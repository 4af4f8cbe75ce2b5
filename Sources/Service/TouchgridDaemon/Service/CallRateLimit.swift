internal import TouchModel

/// A limit on the rate of calls that leave data behind, such as a session or a geometry: at most
/// `perMinute` calls in a window of one minute.
struct CallRateLimit {
  static let perMinute = 60
  private static let minute: Int64 = 60_000_000

  private var since = Timestamp(microseconds: .min / 2)
  private var spent = 0

  /// Counts one call.
  /// - Returns: false if the limit is exceeded.
  mutating func spend(at moment: Moment) -> Bool {
    if moment.boottime - since >= Self.minute {
      since = moment.boottime
      spent = 0
    }
    spent += 1
    return spent <= Self.perMinute
  }
}
