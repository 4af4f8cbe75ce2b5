public import TouchModel

extension API {
  /// Whether the first touch begins a session (`automatic`), or only clients do (`manual`).
  public typealias SessionMode = SessionRules.Mode
  /// Why a session ended.
  public typealias SessionEnd = TouchModel.SessionEnd

  /// The totals of a session or a day, in touches unless stated otherwise. They add up: `begun` is
  /// the sum of `counted`, `masked`, `palms`, `suspectedGhosts` and `stillDown`.
  public struct Totals: Codable, Hashable, Sendable {
    /// Touches that began.
    public var begun: Int64
    /// Touches added to the grids.
    public var counted: Int64
    /// Touches in masks.
    public var masked: Int64
    /// Touches that the device reported as palms.
    public var palms: Int64
    /// Touches that look like ghosts: no motion, no duration, the same position, in a regular
    /// rhythm.
    public var suspectedGhosts: Int64
    /// Touches that are down, or that ended so recently that the name of their screen may still
    /// arrive.
    public var stillDown: Int64
    /// Of those begun: touches that were down when the device was opened. Not part of the sum.
    public var preexisting: Int64
    /// Of those begun: touches that were cancelled for a reason other than being a palm. Not part
    /// of the sum.
    public var cancelled: Int64
    /// Samples outside the range of the device or outside the display. Not part of the sum.
    public var clampedSamples: Int64
    /// How often the kernel dropped events (`SYN_DROPPED`). Not part of the sum.
    public var drops: Int64

    /// Creates the value from the model's totals. Numbers above `Int64.max` become `Int64.max`.
    package init(_ totals: SessionTotals) {
      begun = Int64(clamping: totals.begun)
      counted = Int64(clamping: totals.counted)
      masked = Int64(clamping: totals.masked)
      palms = Int64(clamping: totals.palms)
      suspectedGhosts = Int64(clamping: totals.ghosts)
      stillDown = Int64(clamping: totals.stillDown)
      preexisting = Int64(clamping: totals.preexisting)
      cancelled = Int64(clamping: totals.cancelled)
      clampedSamples = Int64(clamping: totals.clamped)
      drops = Int64(clamping: totals.drops)
    }

    /// The model's totals. Negative numbers become 0; the daemon never sends any.
    package var sessionTotals: SessionTotals {
      var totals = SessionTotals()
      totals.begun = UInt64(clamping: begun)
      totals.counted = UInt64(clamping: counted)
      totals.masked = UInt64(clamping: masked)
      totals.palms = UInt64(clamping: palms)
      totals.ghosts = UInt64(clamping: suspectedGhosts)
      totals.stillDown = UInt64(clamping: stillDown)
      totals.preexisting = UInt64(clamping: preexisting)
      totals.cancelled = UInt64(clamping: cancelled)
      totals.clamped = UInt64(clamping: clampedSamples)
      totals.drops = UInt64(clamping: drops)
      return totals
    }
  }

  /// A session.
  public struct Session: Codable, Hashable, Sendable {
    /// The id of the session. Ids rise and are never reused.
    public var id: Int64
    /// The day on which it began, in the kiosk's local calendar: `YYYY-MM-DD`. Only replies of
    /// `ListSessions` have it; nil in others.
    public var day: String?
    /// When it began.
    public var beganAtMs: Int64
    /// When it ended. While it runs, the last time when a touch was active.
    public var lastActiveAtMs: Int64
    /// Why it ended; nil while it runs.
    public var end: SessionEnd?
    /// The tags that clients have set, by key.
    public var tags: [String: String]
    /// The totals of its touches.
    public var totals: Totals

    /// Creates the value from a record, without a day. Ignores the record's views and grids.
    package init(_ record: SessionRecord) { self.init(record, day: nil) }

    /// Creates the value from a record. Ignores the record's views and grids.
    /// - Parameter day: the day on which the session began, `YYYY-MM-DD`; nil to omit it.
    package init(_ record: SessionRecord, day: String?) {
      id = record.id
      self.day = day
      beganAtMs = record.began.milliseconds
      lastActiveAtMs = record.lastActive.milliseconds
      end = record.end
      tags = record.tags
      totals = Totals(record.totals)
    }

    /// The model's record of this session, without views and grids.
    package var sessionRecord: SessionRecord {
      SessionRecord(
        id: id, began: WallTime(milliseconds: beganAtMs),
        lastActive: WallTime(milliseconds: lastActiveAtMs), end: end, tags: tags,
        totals: totals.sessionTotals)
    }
  }

  /// A day of the kiosk's local calendar, with sums over the sessions that began on it.
  public struct Day: Codable, Hashable, Sendable {
    /// The day, `YYYY-MM-DD`.
    public var day: String
    /// The number of sessions that began on it.
    public var sessions: Int64
    /// The totals of all these sessions. nil if they are unknown, because the sessions were deleted
    /// and the store is from a version that kept no totals for days.
    public var totals: Totals?
    /// The number of sessions that began in each local hour: 24 numbers. nil if they are unknown,
    /// as with `totals`.
    public var hours: [Int64]?
    /// The number of suspected ghosts on this day while no session ran.
    public var ghostsOutside: Int64

    /// Creates the value. Numbers above `Int64.max` become `Int64.max`.
    /// - Parameters:
    ///   - day: the day, `YYYY-MM-DD`.
    ///   - hours: the number of sessions that began in each local hour: 24 numbers; nil if unknown.
    package init(
      day: String, sessions: UInt64, totals: SessionTotals?, hours: [UInt64]?,
      ghostsOutside: UInt64
    ) {
      self.day = day
      self.sessions = Int64(clamping: sessions)
      self.totals = totals.map { Totals($0) }
      self.hours = hours?.map { Int64(clamping: $0) }
      self.ghostsOutside = Int64(clamping: ghostsOutside)
    }
  }

  /// A span of time. A session is in it if it began at `sinceAtMs` or later and before `untilAtMs`.
  public struct Span: Codable, Hashable, Sendable {
    /// The first millisecond of the span; nil for no lower bound.
    public var sinceAtMs: Int64?
    /// The first millisecond after the span; nil for no upper bound.
    public var untilAtMs: Int64?

    /// Creates a span; nil stands for no bound on that side.
    public init(sinceAtMs: Int64? = nil, untilAtMs: Int64? = nil) {
      self.sinceAtMs = sinceAtMs
      self.untilAtMs = untilAtMs
    }

    /// Creates the span from the model's times.
    package init(since: WallTime?, until: WallTime? = nil) {
      self.init(sinceAtMs: since?.milliseconds, untilAtMs: until?.milliseconds)
    }

    /// The start of the span as the model's type.
    package var since: WallTime? { sinceAtMs.map(WallTime.init(milliseconds:)) }
    /// The end of the span as the model's type.
    package var until: WallTime? { untilAtMs.map(WallTime.init(milliseconds:)) }
  }
}

extension API {
  /// Hours of the day on the kiosk's clock. A session is in them if it began at the hour `from` or
  /// later, and before the hour `until`. If `until` is less than `from`, they go over midnight.
  public struct HourRange: Codable, Hashable, Sendable {
    /// The first hour: 0 to 23.
    public var from: Int64
    /// The first hour after them: 0 to 24.
    public var until: Int64

    /// Creates the range. It must be neither nothing nor the whole day.
    public init(from: Int64, until: Int64) {
      self.from = from
      self.until = until
    }
  }
}

extension SessionRules.Mode: Codable {}
extension TouchModel.SessionEnd: Codable {}
