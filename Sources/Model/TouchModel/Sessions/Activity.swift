/// The time of the last touch, with the precision for clients with the role `signal`.
///
/// The time is rounded up to whole spans, for all touches alike. Therefore it reveals neither the
/// times of single keys in a mask nor which touches were masked: see docs/privacy.md.
public struct Activity: Hashable, Sendable {
  public enum State: String, Codable, CaseIterable, Sendable {
    /// There is a touch, or there was one recently.
    case active
    /// There was no touch for a while.
    case idle
  }

  /// The length of a span, in µs.
  public static let span: Int64 = 5_000_000

  /// The end of the span of the last touch, on `CLOCK_BOOTTIME`; nil if there was no touch. The
  /// spans begin at the multiples of `span`.
  public private(set) var lastSpanEnd: Timestamp?

  init() {}

  mutating func note(_ time: Timestamp) {
    let end = time + (Self.span - time.microseconds % Self.span)
    lastSpanEnd = max(lastSpanEnd ?? end, end)
  }

  /// The state for a client.
  /// - Parameters:
  ///   - idleAfter: the time without a touch after which the client's state is idle, in µs.
  ///   - start: the time since which touches have been observed, on `CLOCK_BOOTTIME`.
  ///   - isTouched: whether a finger is down.
  ///   - now: the current time on `CLOCK_BOOTTIME`.
  /// - Returns: nil if touches have been observed for a shorter time than `idleAfter`, and there
  ///   was none.
  public func state(
    idleAfter: Int64, since start: Timestamp, isTouched: Bool, at now: Timestamp
  ) -> State? {
    if isTouched { return .active }
    if now >= idleTime(idleAfter: idleAfter, since: start) { return .idle }
    return lastSpanEnd == nil ? nil : .active
  }

  /// The time at which the state becomes `idle` if there is no touch before, on `CLOCK_BOOTTIME`.
  public func idleTime(idleAfter: Int64, since start: Timestamp) -> Timestamp {
    (lastSpanEnd ?? start) + idleAfter
  }
}
