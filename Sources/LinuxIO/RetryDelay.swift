/// How long to wait before the next attempt: longer each time, up to some seconds.
package struct RetryDelay {
  private let shortest: Int
  private let longest: Int
  private var milliseconds: Int

  /// It has waited as long as it ever does.
  package private(set) var isLongest = false

  /// In milliseconds.
  package init(shortest: Int = 100, longest: Int = 5000) {
    self.shortest = shortest
    self.longest = longest
    milliseconds = shortest
  }

  /// In milliseconds.
  package mutating func next() -> Int {
    isLongest = milliseconds == longest
    defer { milliseconds = min(milliseconds * 2, longest) }
    return milliseconds
  }

  package mutating func reset() { self = RetryDelay(shortest: shortest, longest: longest) }
}
