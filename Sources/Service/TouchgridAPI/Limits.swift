extension API.WatchActivity {
  /// The values that the daemon accepts for `idleAfterMs`: 5 s to one day.
  package static let idleRange: ClosedRange<Int64> = 5000...86_400_000
}

extension API.AddResponse {
  /// The time after which an observer stops to wait for a change, in ms.
  public static let limitMs: Int64 = 2500
}

extension API.StoreFailed {
  /// The code of a call with a span that covers only a part of a day from which sessions were
  /// deleted. The sums of that day cannot be divided.
  public static let onlyWholeDays = "onlyWholeDays"
  /// The code of a call with hours whose span covers sessions that were deleted, or that were
  /// recorded in another time zone.
  public static let hoursUnknown = "hoursUnknown"
}
