/// The counts of a set of controls on one screen and display geometry, added up over sessions.
public struct SummedControls: Hashable, Sendable {
  public var counts: ControlCounts
  /// The sessions in which the screen had this set and was touched.
  public var sessions: UInt64
  /// The sessions that showed the screen, with this set or another, or none.
  public var screenSessions: UInt64
  /// The touches that these counted on the screen.
  public var screenTouches: UInt64
  /// The rectangles that were masked in at least one of them.
  public var masks: [Rectangle]
  /// The height of the lower edge of the display above the floor, in mm; nil if it is unknown.
  public var bottom: Double?

  public init(
    counts: ControlCounts, sessions: UInt64, screenSessions: UInt64, screenTouches: UInt64,
    masks: [Rectangle]
  ) {
    self.counts = counts
    self.sessions = sessions
    self.screenSessions = screenSessions
    self.screenTouches = screenTouches
    self.masks = masks
  }
}
