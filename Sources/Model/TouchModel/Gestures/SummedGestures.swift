/// The gestures on one screen and display geometry, added up over sessions.
public struct SummedGestures: Hashable, Sendable {
  public var key: GridKey
  /// The sessions with a touch on the screen that began and ended there.
  public var sessions: UInt64
  public var view: FoundView
  private var numbers: [Int64]

  /// - Returns: nil if they are of another kind, or their view is missing.
  public init?(_ found: FoundCounts) {
    let counts = found.counts
    guard counts.subject.kind == GestureKind.name, let view = found.view,
      let key = GestureKind.screen(of: counts.subject.key),
      counts.numbers.count == GestureKind.numberCount
    else { return nil }
    (self.key, self.view, sessions, numbers) = (key, view, counts.sessions, counts.numbers)
  }

  /// How often the gesture was made.
  public func times(_ gesture: Gesture) -> UInt64 {
    UInt64(clamping: numbers[GestureKind.place(of: gesture)])
  }

  /// The sessions in which it was made.
  public func sessions(_ gesture: Gesture) -> UInt64 {
    UInt64(clamping: numbers[GestureKind.place(of: gesture) + 1])
  }

  public static func isBefore(_ left: Self, _ right: Self) -> Bool {
    GridKey.isBefore(left.key, right.key)
  }
}
