/// A thing that has counts, such as the controls of a screen or a panel. Subjects are equal if
/// their bytes are.
public struct CountSubject: Hashable, Sendable {
  /// The name of its `CountKind`.
  public let kind: String
  /// A JSON text that distinguishes the subject from the others of its kind.
  public let key: String

  public init(kind: String, key: String) {
    self.kind = kind
    self.key = key
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.kind == right.kind && left.key.hasSameBytes(as: right.key)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    key.hashBytes(into: &hasher)
  }

  /// The order of subjects: by the bytes of kind and key. It does not reveal which was counted
  /// first.
  public static func isBefore(_ left: Self, _ right: Self) -> Bool {
    left.kind == right.kind
      ? left.key.hasBytesBefore(right.key) : left.kind.hasBytesBefore(right.kind)
  }
}

/// The numbers of a subject in one session.
public struct SubjectCounts: Hashable, Sendable {
  public var subject: CountSubject
  /// The numbers, as many as the subject's `CountShape` has.
  public var numbers: [Int64]

  public init(_ subject: CountSubject, _ numbers: [Int64]) {
    self.subject = subject
    self.numbers = numbers
  }
}

/// The numbers of a subject, added up over sessions.
public struct SummedCounts: Hashable, Sendable {
  public var subject: CountSubject
  /// The number of sessions that have counts of this subject.
  public var sessions: UInt64
  public var numbers: [Int64]

  public init(_ subject: CountSubject, sessions: UInt64, _ numbers: [Int64]) {
    self.subject = subject
    self.sessions = sessions
    self.numbers = numbers
  }
}

extension SummedCounts {
  /// The indexes of the numbers that are not 0, ascending. Texts contain only these numbers.
  public var places: [Int64] { numbers.indices.filter { numbers[$0] != 0 }.map { Int64($0) } }

  /// Creates counts from the numbers that are not 0.
  /// - Returns: nil if the places do not ascend or exceed the shape, or if the numbers are
  ///   impossible.
  public init?(
    _ subject: CountSubject, _ shape: CountShape, sessions: UInt64, places: [Int64],
    counts: [Int64]
  ) {
    guard places.count == counts.count, zip(places, places.dropFirst()).allSatisfy(<),
      places.first ?? 0 >= 0, places.last ?? 0 < Int64(shape.count), !counts.contains(0)
    else { return nil }
    var numbers = Array(repeating: Int64(0), count: shape.count)
    for (place, count) in zip(places, counts) { numbers[Int(place)] = count }
    guard sessions > 0, shape.isPlausible(numbers, sessions) else { return nil }
    self.init(subject, sessions: sessions, numbers)
  }
}
