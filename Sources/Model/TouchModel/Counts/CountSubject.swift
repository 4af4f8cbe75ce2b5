/// What numbers are counted for, such as the controls of a screen or a panel. Subjects are equal if
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

  /// The order of subjects: by the bytes of kind and key. It does not tell which was counted first.
  public static func isBefore(_ left: Self, _ right: Self) -> Bool {
    left.kind == right.kind
      ? left.key.hasBytesBefore(right.key) : left.kind.hasBytesBefore(right.kind)
  }
}

/// The numbers of a subject in one session.
public struct SubjectCounts: Hashable, Sendable {
  public var subject: CountSubject
  /// As many as the subject's `CountShape` has.
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
