internal import Text

/// The counts of gestures: a subject is a screen on a display geometry. For each gesture, in the order
/// of `Gesture.allCases`, it has the number of times, and that of the sessions with at least one.
public struct GestureKind: CountKind {
  public static let name = "gestures"
  static let numberCount = 2 * Gesture.allCases.count
  /// The largest count that is believed: 2^53. The sum of a few dozen cannot overflow.
  private static let mostCounted: Int64 = 1 << 53

  public var name: String { Self.name }
  public var isOfFleets: Bool { true }
  public var disclosure: CountDisclosure {
    .nothing(
      reason: "gestures that few sessions made would follow from the touches and other gestures")
  }

  public init() {}

  public func makeTally() -> (any CountTally)? { GestureTally() }

  public func shape(of key: String) -> CountShape? {
    guard let place = Self.screen(of: key) else { return nil }
    return CountShape(
      count: Self.numberCount, view: (place, Self.touches), isPlausible: Self.arePlausible)
  }

  /// The place of the number of times; that of the sessions follows.
  static func place(of gesture: Gesture) -> Int {
    2 * (Gesture.allCases.firstIndex(of: gesture) ?? 0)
  }

  static func subject(_ key: GridKey) -> CountSubject {
    CountSubject(kind: name, key: JSONValue.object(key.subjectMembers).exactText)
  }

  /// - Returns: nil if this is not the key of a screen.
  static func screen(of key: String) -> GridKey? {
    guard let json = try? JSONValue(parsing: key), let place = GridKey(subject: json),
      subject(place).key.hasSameBytes(as: key)
    else { return nil }
    return place
  }

  /// The minimum number of touches in the gestures.
  @Sendable private static func touches(in numbers: [Int64]) -> Int64 {
    Gesture.allCases.reduce(0) { $0 + $1.fewestTouches * numbers[place(of: $1)] }
  }

  @Sendable private static func arePlausible(_ numbers: [Int64], _ sessions: UInt64) -> Bool {
    Gesture.allCases.allSatisfy { gesture in
      let (times, own) = (numbers[place(of: gesture)], numbers[place(of: gesture) + 1])
      return (0...mostCounted).contains(times) && (0...times).contains(own)
        && (own == 0) == (times == 0) && own <= sessions
    }
  }
}
