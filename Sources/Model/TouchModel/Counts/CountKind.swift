internal import Synchronization

/// A kind of counts: whole numbers for each of its subjects, which add up over sessions exactly.
/// The store, its checkpoints and the objects of a fleet treat all kinds alike.
public protocol CountKind: Sendable {
  /// The name in the store and in the objects of a fleet.
  var name: String { get }
  /// Whether only days keep the counts, because those of a session would reveal too much about one
  /// person. They are added to their day when the session ends.
  var isOnlyOfDays: Bool { get }
  /// Returns the tally for the touches of a session; nil if the kind is counted in another way.
  func makeTally() -> (any CountTally)?
  /// - Parameter key: a text that another program may have written.
  /// - Returns: nil if this is not the key of a subject in its canonical form.
  func shape(of key: String) -> CountShape?
  /// Whether counts of this kind can be from the same sessions.
  /// - Parameter counts: each is plausible by itself.
  func agree(_ counts: [SummedCounts]) -> Bool
  /// Whether queries leave counts out, because so few sessions have them that they could reveal
  /// single people.
  func isHidden(_ counts: SummedCounts) -> Bool
  /// Whether exports have separate tables for the kind; if not, its counts are lines of the table
  /// of counts.
  var hasTables: Bool { get }
  /// Whether a fleet adds the counts up over its kiosks.
  var isOfFleets: Bool { get }
  /// What a release of a fleet shows of the counts. Each kind must say so.
  var disclosure: CountDisclosure { get }
  /// Returns the key under which a sum over several kiosks keeps the counts of one of them.
  /// - Parameter key: a valid key.
  func key(_ key: String, at kiosk: String) -> String
}

extension CountKind {
  public var isOnlyOfDays: Bool { false }
  public func makeTally() -> (any CountTally)? { nil }
  public func agree(_ counts: [SummedCounts]) -> Bool { true }
  public func isHidden(_ counts: SummedCounts) -> Bool { false }
  public var hasTables: Bool { false }
  public func key(_ key: String, at kiosk: String) -> String { key }
}

/// The shape of the numbers of a subject.
public struct CountShape: Sendable {
  public var count: Int
  /// Whether the numbers are possible for that many sessions.
  public var isPlausible: @Sendable (_ numbers: [Int64], _ sessions: UInt64) -> Bool
  /// The view that the counts belong to, and the number of its touches that they include; nil if
  /// they belong to no view.
  public var view: (key: GridKey, touches: @Sendable (_ numbers: [Int64]) -> Int64)?

  public init(
    count: Int, view: (key: GridKey, touches: @Sendable ([Int64]) -> Int64)? = nil,
    isPlausible: @escaping @Sendable ([Int64], UInt64) -> Bool
  ) {
    self.count = count
    self.view = view
    self.isPlausible = isPlausible
  }
}

/// The kinds of counts that a store keeps.
public struct CountKinds: Sendable {
  /// All kinds of counts. This is the only list of them.
  private static let list = Mutex(
    CountKinds([ControlKind(), FlowKind(), GestureKind(), PanelKind()]))

  public static var all: CountKinds { list.withLock { $0 } }

  /// Adds kinds. Tests call it before anything is counted or read.
  package static func add(_ kinds: [any CountKind]) {
    list.withLock { $0 = CountKinds($0.kinds + kinds) }
  }

  private let byName: [String: any CountKind]

  public init(_ kinds: [any CountKind]) {
    byName = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
  }

  /// The names of all kinds, sorted.
  public var names: [String] { byName.keys.sorted() }

  /// The kinds in the order of their names.
  var kinds: [any CountKind] { names.compactMap { byName[$0] } }

  public subscript(name: String) -> (any CountKind)? { byName[name] }

  /// The names of the kinds that only days keep, sorted.
  public var onlyOfDays: [String] { byName.values.filter(\.isOnlyOfDays).map(\.name).sorted() }

  /// - Returns: nil if the kind is unknown, or the key is invalid.
  public func shape(of subject: CountSubject) -> CountShape? {
    self[subject.kind]?.shape(of: subject.key)
  }
}
