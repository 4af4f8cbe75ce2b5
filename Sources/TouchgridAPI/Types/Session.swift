public import TouchModel

extension API {
  public typealias SessionMode = SessionRules.Mode
  public typealias SessionEnd = TouchModel.SessionEnd

  public struct Totals: Codable, Hashable, Sendable {
    public var begun: Int64
    public var counted: Int64
    public var masked: Int64
    public var palms: Int64
    public var suspectedGhosts: Int64
    public var stillDown: Int64
    public var preexisting: Int64
    public var cancelled: Int64
    public var clampedSamples: Int64
    public var drops: Int64

    public init(_ totals: SessionTotals) {
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

    /// Negative numbers, which no daemon sends, become 0.
    public var sessionTotals: SessionTotals {
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

  public struct Session: Codable, Hashable, Sendable {
    public var id: Int64
    public var day: String?
    public var beganAtMs: Int64
    public var lastActiveAtMs: Int64
    public var end: SessionEnd?
    public var tags: [String: String]
    public var totals: Totals

    /// Of a record's head; its views and grids do not matter.
    public init(_ record: SessionRecord) { self.init(record, day: nil) }

    /// - Parameter day: `YYYY-MM-DD`.
    public init(_ record: SessionRecord, day: String?) {
      id = record.id
      self.day = day
      beganAtMs = record.began.milliseconds
      lastActiveAtMs = record.lastActive.milliseconds
      end = record.end
      tags = record.tags
      totals = Totals(record.totals)
    }

    /// The head of a record.
    public var sessionRecord: SessionRecord {
      SessionRecord(
        id: id, began: WallTime(milliseconds: beganAtMs),
        lastActive: WallTime(milliseconds: lastActiveAtMs), end: end, tags: tags,
        totals: totals.sessionTotals)
    }
  }

  public struct Day: Codable, Hashable, Sendable {
    public var day: String
    public var sessions: Int64
    public var totals: Totals?
    public var hours: [Int64]?
    public var ghostsOutside: Int64

    /// - Parameters:
    ///   - day: `YYYY-MM-DD`.
    ///   - hours: 24 numbers.
    public init(
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

  public struct Span: Codable, Hashable, Sendable {
    public var sinceAtMs: Int64?
    public var untilAtMs: Int64?

    public init(since: WallTime? = nil, until: WallTime? = nil) {
      sinceAtMs = since?.milliseconds
      untilAtMs = until?.milliseconds
    }

    public var since: WallTime? { sinceAtMs.map(WallTime.init(milliseconds:)) }
    public var until: WallTime? { untilAtMs.map(WallTime.init(milliseconds:)) }
  }
}

extension SessionRules.Mode: Codable {}
extension TouchModel.SessionEnd: Codable {}
