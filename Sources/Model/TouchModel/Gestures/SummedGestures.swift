/// The gestures on one screen and display geometry, or on a control of it, added up over sessions.
public struct SummedGestures: Hashable, Sendable {
  public var key: GridKey
  /// The name of the control on which they began; nil for the whole screen.
  public var control: String?
  /// The sessions with a touch there that began and ended.
  public var sessions: UInt64
  public var view: FoundView
  private var numbers: [Int64]

  /// - Returns: nil if they are of another kind, or their view is missing.
  public init?(_ found: FoundCounts) {
    let counts = found.counts
    guard counts.subject.kind == GestureKind.name, let view = found.view,
      let place = GestureKind.place(of: counts.subject.key),
      counts.numbers.count == GestureKind.numberCount
    else { return nil }
    (key, control) = place
    (self.view, sessions, numbers) = (view, counts.sessions, counts.numbers)
  }

  /// How often the gesture was made.
  public func times(_ gesture: Gesture) -> UInt64 { number(.times, gesture) }

  /// The sessions in which it was made.
  public func sessions(_ gesture: Gesture) -> UInt64 { number(.sessions, gesture) }

  /// How often something observed whether the screen changed after the gesture.
  public func observed(_ gesture: Gesture) -> UInt64 { number(.observed, gesture) }

  /// How often it was observed that the screen did not change.
  public func unanswered(_ gesture: Gesture) -> UInt64 { number(.unanswered, gesture) }

  private func number(_ number: GestureNumber, _ gesture: Gesture) -> UInt64 {
    UInt64(clamping: numbers[GestureKind.index(of: gesture, number)])
  }

  /// The order: by screens and displays, then by controls. The whole screen comes first.
  public static func isBefore(_ left: Self, _ right: Self) -> Bool {
    guard left.key == right.key else { return GridKey.isBefore(left.key, right.key) }
    guard let other = right.control else { return false }
    guard let one = left.control else { return true }
    return one.hasBytesBefore(other)
  }
}
