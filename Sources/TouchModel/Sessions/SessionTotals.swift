/// The books of a session: what became of every touch that began in it.
public struct SessionTotals: Hashable, Sendable {
  public var begun: UInt64 = 0
  /// Added to the grids.
  public var counted: UInt64 = 0
  public var masked: UInt64 = 0
  public var palms: UInt64 = 0
  /// Suspected ghosts.
  public var ghosts: UInt64 = 0
  /// Not settled: down, or ended so lately that a screen's name may still arrive. In a session that is
  /// over: still down long after its end.
  public var stillDown: UInt64 = 0

  // Not part of the balance.

  /// Of those begun: down before the device was opened.
  public var preexisting: UInt64 = 0
  /// Of those begun: cancelled for another reason than being a palm.
  public var cancelled: UInt64 = 0
  /// Samples outside the device's range or the display.
  public var clamped: UInt64 = 0
  /// Times that the kernel dropped events (`SYN_DROPPED`); touches may have gone unseen.
  public var drops: UInt64 = 0

  public init() {}

  public var balances: Bool { begun == counted &+ masked &+ palms &+ ghosts &+ stillDown }
}
