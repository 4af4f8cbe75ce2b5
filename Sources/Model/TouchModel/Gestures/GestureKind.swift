internal import Text

/// The counts of gestures: a subject is a screen on a display geometry, or a control of it by its
/// name. It has `GestureNumber.allCases` for each gesture, in the order of `Gesture.allCases`.
public struct GestureKind: CountKind {
  public static let name = "gestures"
  static let numberCount = Gesture.allCases.count * GestureNumber.allCases.count
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
    guard let place = Self.place(of: key) else { return nil }
    return CountShape(
      count: Self.numberCount, view: (place.screen, Self.touches), isPlausible: Self.arePlausible)
  }

  static func index(of gesture: Gesture, _ number: GestureNumber) -> Int {
    GestureNumber.allCases.count * (Gesture.allCases.firstIndex(of: gesture) ?? 0) + number.rawValue
  }

  /// - Parameter control: the name of a control; nil for the whole screen.
  static func subject(_ key: GridKey, control: String? = nil) -> CountSubject {
    let members = control.map { [JSONValue.Member(name: "control", value: .string($0))] } ?? []
    return CountSubject(
      kind: name, key: JSONValue.object(key.subjectMembers + members).exactText)
  }

  /// - Returns: nil if this is not the key of a screen or control.
  static func place(of key: String) -> (screen: GridKey, control: String?)? {
    guard let json = try? JSONValue(parsing: key), let screen = GridKey(subject: json) else {
      return nil
    }
    let control = json["control"]?.string
    return subject(screen, control: control).key.hasSameBytes(as: key) ? (screen, control) : nil
  }

  /// The minimum number of touches in the gestures.
  @Sendable private static func touches(in numbers: [Int64]) -> Int64 {
    Gesture.allCases.reduce(0) { $0 + $1.fewestTouches * numbers[index(of: $1, .times)] }
  }

  @Sendable private static func arePlausible(_ numbers: [Int64], _ sessions: UInt64) -> Bool {
    Gesture.allCases.allSatisfy { gesture in
      func number(_ which: GestureNumber) -> Int64 { numbers[index(of: gesture, which)] }
      let (times, own, observed) = (number(.times), number(.sessions), number(.observed))
      return (0...mostCounted).contains(times) && (0...times).contains(own)
        && (own == 0) == (times == 0) && own <= sessions && (0...times).contains(observed)
        && (0...observed).contains(number(.unanswered))
    }
  }
}

/// The numbers of a gesture, in their order in the store.
enum GestureNumber: Int, CaseIterable {
  case times
  /// The sessions in which it was made.
  case sessions
  /// The times that something observed whether the screen changed.
  case observed
  /// Those of them after which it did not change.
  case unanswered
}
