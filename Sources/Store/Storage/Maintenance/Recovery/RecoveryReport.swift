/// The result of a recovery: the recovered and the lost data.
public struct RecoveryReport: Hashable, Sendable {
  /// A session that was left out although parts of it were found.
  public struct Lost: Hashable, Sendable {
    public var id: Int64
    /// The day in the kiosk's calendar; nil if it is unknown.
    public var day: String?
    /// The reason why the session was left out.
    public var reason: String
  }

  public var sessions = 0
  /// The days of the first and the last recovered session.
  public var firstDay: String?
  public var lastDay: String?
  public var grids = 0
  /// The sessions that were left out. Sessions of which nothing was found are not listed.
  public var lost: [Lost] = []
  /// Running sessions with an unreadable checkpoint. They are recovered as they were before it.
  public var cutShort: [Int64] = []
  /// The number of days with recovered sums.
  public var days = 0
  /// The days that lost their sums but not all their sessions, and the number of these sessions.
  /// The sums are computed again from them.
  public var daysFromSessions: [String: Int] = [:]
  /// The days that lost their sums and all their sessions.
  public var lostDays: [String] = []
  /// The number of recovered rows of `ghost`: suspected ghosts outside of sessions.
  public var ghosts = 0
  /// The number of views that lost their list of placements.
  public var withoutPlacements = 0
  /// The number of sessions and days that lost their counts of controls, panels or changes of screens.
  public var withoutCounts = 0
  /// The number of damaged places: pages that are unreadable or that no tree leads to, and damaged
  /// rows on other pages.
  public var damagedSpots = 0
  public var pages = 0

  public init() {}
}
