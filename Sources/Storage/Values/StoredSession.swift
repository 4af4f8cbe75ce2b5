public import TouchModel

/// A session as the store has it.
public struct StoredSession: Hashable, Sendable {
  /// The head. From `session(_:)` with all views and grids, from `sessions(in:)` with none.
  public var record: SessionRecord
  /// The kiosk's calendar day on which it began.
  public var day: Day
  /// Its grids are part of the sums of its day, and it may be dropped.
  public var isRolledUp: Bool
}

extension GridKey {
  /// By screen, display, and what tells geometries apart: an order that is the same every time.
  static func isBefore(_ left: GridKey, _ right: GridKey) -> Bool {
    if left.screen != right.screen { return left.screen < right.screen }
    if left.display != right.display { return left.display < right.display }
    return left.geometry.order.lexicographicallyPrecedes(right.geometry.order)
  }
}

extension DisplayGeometry {
  fileprivate var order: [Double] {
    [Double(pixelWidth), Double(pixelHeight), scale, Double(rotation.rawValue), Double(blockSize)]
  }
}
