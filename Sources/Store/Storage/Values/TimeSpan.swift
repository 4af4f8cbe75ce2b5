public import TouchModel

/// A span of time from `since` (included) to `until` (excluded); nil means no limit on that side. A
/// session is in the span if it began in it.
public struct TimeSpan: Hashable, Sendable {
  public var since: WallTime?
  public var until: WallTime?

  public init(since: WallTime? = nil, until: WallTime? = nil) {
    self.since = since
    self.until = until
  }

  public static let always = TimeSpan()

  public func contains(_ time: WallTime) -> Bool {
    if let since, time < since { return false }
    if let until, time >= until { return false }
    return true
  }

  /// The first and the last millisecond of the span; nil if it is empty.
  var bounds: ClosedRange<Int64>? {
    let first = since?.milliseconds ?? .min
    guard let until else { return first...Int64.max }
    return until.milliseconds > first ? first...(until.milliseconds - 1) : nil
  }
}
