/// What was saved of a damaged store, and what was not.
public struct RecoveryReport: Hashable, Sendable {
  /// Sessions that something was found of.
  public struct Lost: Hashable, Sendable {
    public var id: Int64
    /// The kiosk's day; nil where it is not known.
    public var day: String?
    /// Why it was left out.
    public var reason: String
  }

  public var sessions = 0
  /// The days of the first and the last of them.
  public var firstDay: String?
  public var lastDay: String?
  public var grids = 0
  /// Left out whole; those of which nothing was found are not among them.
  public var lost: [Lost] = []
  /// Sessions that ran, and of which a checkpoint cannot be read: they are as they were before it.
  public var cutShort: [Int64] = []
  /// Days whose sums were kept.
  public var days = 0
  /// Days whose sums were lost, and how many of their sessions are there: their sums are made anew of these.
  public var daysFromSessions: [String: Int] = [:]
  /// Days whose sums were lost, and all their sessions.
  public var lostDays: [String] = []
  /// Days with suspected ghosts outside of sessions, and so on: rows of `ghost`.
  public var ghosts = 0
  /// Views whose list of placements was lost.
  public var withoutPlacements = 0
  /// Pages that could not be read, and rows on the others.
  public var damagedSpots = 0
  public var pages = 0

  public init() {}
}
