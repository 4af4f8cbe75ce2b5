/// How long to wait before the next attempt: longer each time, up to some seconds.
struct RetryDelay {
  private static let shortest = 100
  private static let longest = 5000
  private var milliseconds = RetryDelay.shortest

  /// In milliseconds.
  mutating func next() -> Int {
    defer { milliseconds = min(milliseconds * 2, Self.longest) }
    return milliseconds
  }

  mutating func reset() { milliseconds = Self.shortest }
}
