/// A kind of counts: whole numbers for each of its subjects, which add up over sessions exactly.
/// The store, its checkpoints and the objects of a fleet treat all kinds alike.
public protocol CountKind: Sendable {
  /// The name in the store and in the objects of a fleet.
  var name: String { get }
  /// Whether only days keep the counts: a session's own would tell too much of one person. They are
  /// added to their day when the session ends.
  var isOnlyOfDays: Bool { get }
  /// - Parameter key: a text of another program, perhaps.
  /// - Returns: nil if this is not the key of a subject, in the one form that it has.
  func shape(of key: String) -> CountShape?
  /// Whether counts of this kind can be those of the same sessions.
  /// - Parameter counts: each is plausible by itself.
  func agree(_ counts: [SummedCounts]) -> Bool
  /// Whether a fleet adds the counts up over its kiosks.
  var isOfFleets: Bool { get }
  /// Returns the key under which a sum over several kiosks keeps the counts of one of them.
  /// - Parameter key: a valid key.
  func key(_ key: String, at kiosk: String) -> String
}

extension CountKind {
  public var isOnlyOfDays: Bool { false }
  public var isOfFleets: Bool { true }
  public func agree(_ counts: [SummedCounts]) -> Bool { true }
  public func key(_ key: String, at kiosk: String) -> String { key }
}

/// The numbers that a subject has.
public struct CountShape: Sendable {
  public var count: Int
  /// How a release of a fleet shows the numbers.
  public var parts: CountParts
  /// The view that the numbers belong to; nil if they belong to none.
  public var view: GridKey?
  /// Whether the numbers can be those of that many sessions.
  public var isPlausible: @Sendable (_ numbers: [Int64], _ sessions: UInt64) -> Bool

  public init(
    count: Int, parts: CountParts, view: GridKey? = nil,
    isPlausible: @escaping @Sendable ([Int64], UInt64) -> Bool
  ) {
    self.count = count
    self.parts = parts
    self.view = view
    self.isPlausible = isPlausible
  }

  /// Returns how many touches of the view plausible numbers include.
  public func touches(in numbers: [Int64]) -> Int64 {
    guard parts.size > 0 else { return 0 }
    return stride(from: 0, to: numbers.count, by: parts.size).reduce(0) { sum, start in
      parts.touches.reduce(sum) { $0.addingReportingOverflow(numbers[start + $1]).partialValue }
    }
  }
}

/// The parts into which the numbers of a subject divide, one after another. A release of a fleet
/// shows a part only if enough sessions on enough kiosks are behind it.
public struct CountParts: Sendable, Equatable {
  /// No release shows anything of the subject.
  public static let hidden = CountParts(size: 0)

  /// How many numbers a part has; 0 if no release shows any.
  public var size: Int
  /// The place in a part of the number of its sessions; nil if they are those of the subject.
  public var sessions: Int?
  /// The places in a part that count touches of the subject's view, each touch at most once.
  public var touches: [Int]
  /// For each part, the rectangle on the view, in points, whose taps it counts; empty if parts count
  /// no taps of a place.
  public var areas: [Rectangle]
  /// The keys of the subjects of the same kind whose numbers include those of this one.
  public var totals: [String]

  public init(
    size: Int, sessions: Int? = nil, touches: [Int] = [], areas: [Rectangle] = [],
    totals: [String] = []
  ) {
    self.size = size
    self.sessions = sessions
    self.touches = touches
    self.areas = areas
    self.totals = totals
  }
}

/// The kinds of counts that a store keeps.
public struct CountKinds: Sendable {
  /// All kinds of counts. This is the only list of them.
  public static let all = CountKinds([ControlKind(), FlowKind(), PanelKind()])

  private let byName: [String: any CountKind]

  public init(_ kinds: [any CountKind]) {
    byName = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
  }

  public subscript(name: String) -> (any CountKind)? { byName[name] }

  /// The names of the kinds that only days keep, sorted.
  public var onlyOfDays: [String] { byName.values.filter(\.isOnlyOfDays).map(\.name).sorted() }

  /// - Returns: nil if the kind is unknown, or this is not the key of one of its subjects.
  public func shape(of subject: CountSubject) -> CountShape? {
    self[subject.kind]?.shape(of: subject.key)
  }
}
