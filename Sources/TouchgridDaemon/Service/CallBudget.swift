internal import TouchModel

/// How often clients together may ask for what leaves something behind: a record, a geometry.
struct CallBudget {
  static let perMinute = 60
  private static let minute: Int64 = 60_000_000

  private var since = Timestamp(microseconds: .min / 2)
  private var spent = 0

  /// - Returns: false where that is too often.
  mutating func spend(at moment: Moment) -> Bool {
    if moment.boottime - since >= Self.minute {
      since = moment.boottime
      spent = 0
    }
    spent += 1
    return spent <= Self.perMinute
  }
}
