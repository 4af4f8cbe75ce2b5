/// The counts of a set of controls on one screen and display geometry, added up over sessions.
public struct SummedControls: Hashable, Sendable {
  public var counts: ControlCounts
  /// The sessions in which the screen had this set and was touched.
  public var sessions: UInt64
  /// The screen in all sessions, with any set of controls or none.
  public var view: FoundView

  public init(counts: ControlCounts, sessions: UInt64, view: FoundView) {
    self.counts = counts
    self.sessions = sessions
    self.view = view
  }

  /// - Returns: nil if they are of another kind, or their view is missing.
  public init?(_ found: FoundCounts) {
    guard let view = found.view,
      let counts = ControlCounts(SubjectCounts(found.counts.subject, found.counts.numbers))
    else { return nil }
    self.init(counts: counts, sessions: found.counts.sessions, view: view)
  }

  /// The order: by screens and displays, then by subjects.
  public static func isBefore(_ left: Self, _ right: Self) -> Bool {
    left.counts.key == right.counts.key
      ? CountSubject.isBefore(left.counts.subject, right.counts.subject)
      : GridKey.isBefore(left.counts.key, right.counts.key)
  }
}
