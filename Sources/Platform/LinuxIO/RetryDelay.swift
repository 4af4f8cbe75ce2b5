/// The delay before the next attempt. It doubles with each call of `next`, up to a limit.
package struct RetryDelay {
  private let shortest: Int
  private let longest: Int
  private var milliseconds: Int

  /// Whether the delay that `next` last returned was the longest.
  package private(set) var isLongest = false

  /// Creates a delay.
  /// - Parameters:
  ///   - shortest: the first delay, in ms.
  ///   - longest: the limit, in ms.
  package init(shortest: Int = 100, longest: Int = 5000) {
    self.shortest = shortest
    self.longest = longest
    milliseconds = shortest
  }

  /// Returns the next delay, in ms.
  package mutating func next() -> Int {
    isLongest = milliseconds == longest
    defer { milliseconds = min(milliseconds * 2, longest) }
    return milliseconds
  }

  package mutating func reset() { self = RetryDelay(shortest: shortest, longest: longest) }
}
