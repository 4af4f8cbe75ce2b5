/// The totals of a session: what became of every touch that began in it.
public struct SessionTotals: Hashable, Sendable {
  public var begun: UInt64 = 0
  /// Added to the grids.
  public var counted: UInt64 = 0
  public var masked: UInt64 = 0
  public var palms: UInt64 = 0
  /// Suspected ghosts.
  public var ghosts: UInt64 = 0
  /// Not committed yet: still down, or ended so recently that a screen's name may still arrive. In
  /// an ended session: still down long after its end.
  public var stillDown: UInt64 = 0

  // The following are not part of the sum.

  /// Touches in `begun` that were down before the device was opened.
  public var preexisting: UInt64 = 0
  /// Touches in `begun` that were cancelled for another reason than being a palm.
  public var cancelled: UInt64 = 0
  /// Samples outside the device's range or the display.
  public var clamped: UInt64 = 0
  /// How many times the kernel dropped events (`SYN_DROPPED`); touches may have been missed.
  public var drops: UInt64 = 0

  public init() {}

  public var balances: Bool { begun == counted &+ masked &+ palms &+ ghosts &+ stillDown }
}
