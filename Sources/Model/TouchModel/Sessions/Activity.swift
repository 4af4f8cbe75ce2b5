/// When people last touched, as exactly as clients with the role `signal` may learn it.
///
/// The time is rounded up to whole spans, for all touches alike. So nobody can tell from it when
/// single keys in a mask were touched, or which touches were masked: see docs/privacy.md.
public struct Activity: Hashable, Sendable {
  public enum State: String, Codable, CaseIterable, Sendable {
    /// Somebody touches, or did so recently.
    case active
    /// Nobody has touched for a while.
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
  ///   - idleAfter: how long nobody touches before the client counts that as idle, in µs.
  ///   - start: since when touches have been observed, on `CLOCK_BOOTTIME`.
  ///   - isTouched: whether a finger is down.
  ///   - now: on `CLOCK_BOOTTIME`.
  /// - Returns: nil if touches have been observed for a shorter time than `idleAfter`, and there
  ///   was none.
  public func state(
    idleAfter: Int64, since start: Timestamp, isTouched: Bool, at now: Timestamp
  ) -> State? {
    if isTouched { return .active }
    if now >= idleTime(idleAfter: idleAfter, since: start) { return .idle }
    return lastSpanEnd == nil ? nil : .active
  }

  /// When the state becomes `idle` if nobody touches until then, on `CLOCK_BOOTTIME`.
  public func idleTime(idleAfter: Int64, since start: Timestamp) -> Timestamp {
    (lastSpanEnd ?? start) + idleAfter
  }
}
