public import TouchModel

extension Store {
  /// So far apart two sessions are of different days, in milliseconds, whatever the calendar says.
  private static let dayLength: Int64 = 24 * 3_600_000

  /// The time by which sessions are old enough to be dropped: nothing brings back what a clock that jumped to
  /// 2099 has dropped.
  ///
  /// The clock's last five days of use are looked at, this one included, in the order in which they were recorded;
  /// the third latest is believed. As long as the clock is right on three of any five, nothing is dropped too
  /// early, however far it was off on the others; and it need not be right at this moment. In honest life what is
  /// believed is two days of use behind.
  ///
  /// - Returns: nil while too little was recorded to tell.
  public func believedTime(at now: WallTime) throws(StoreError) -> WallTime? {
    var times = [now.milliseconds]
    var id = Int64.max
    while times.count < 5, let time = times.last {
      let (from, below) = time.subtractingReportingOverflow(Self.dayLength)
      let (to, above) = time.addingReportingOverflow(Self.dayLength)
      let earlier = try database.first(
        """
        SELECT id, began FROM session
        WHERE id < ?1 AND (began <= ?2 OR began >= ?3) ORDER BY id DESC LIMIT 1
        """, [.integer(id), .integer(below ? .min : from), .integer(above ? .max : to)]
      ) { ($0.integer(0), $0.integer(1)) }
      guard let earlier else { break }
      id = earlier.0
      times.append(earlier.1)
    }
    guard times.count >= 3 else { return nil }
    return WallTime(milliseconds: times.sorted(by: >)[2])
  }
}
