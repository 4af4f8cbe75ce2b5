/// The counts of a subject that a query found.
public struct FoundCounts: Hashable, Sendable {
  /// The day of the kiosk's calendar on which the sessions began, `YYYY-MM-DD`; nil for the sum of
  /// all days.
  public var day: String?
  public var counts: SummedCounts
  /// The view that they belong to; nil if they belong to none, or are those of a day.
  public var view: FoundView?

  public init(day: String? = nil, _ counts: SummedCounts, view: FoundView? = nil) {
    self.day = day
    self.counts = counts
    self.view = view
  }
}

/// A screen on a display geometry, in the sessions of a query.
public struct FoundView: Hashable, Sendable {
  /// The sessions that showed it.
  public var sessions: UInt64
  /// The touches that these counted on it.
  public var touches: UInt64
  /// The rectangles that were masked in at least one of them.
  public var masks: [Rectangle]
  /// The height of the lower edge of the display above the floor now, in mm; nil if it is unknown.
  public var bottom: Double?

  public init(sessions: UInt64, touches: UInt64, masks: [Rectangle], bottom: Double? = nil) {
    self.sessions = sessions
    self.touches = touches
    self.masks = masks
    self.bottom = bottom
  }
}

/// All counts of a kind that a query found.
public struct CountAnswer: Hashable, Sendable {
  /// The counts in the order of the days, and within a day in the order of their subjects.
  public var counts: [FoundCounts]
  /// The number of subjects that `CountKind.isHidden` left out.
  public var hidden: Int

  public init(_ counts: [FoundCounts] = [], hidden: Int = 0) {
    self.counts = counts
    self.hidden = hidden
  }
}
