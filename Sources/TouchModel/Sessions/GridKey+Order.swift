extension GridKey {
  /// By screen, display, and what tells geometries apart: an order that is the same every time.
  public static func isBefore(_ left: GridKey, _ right: GridKey) -> Bool {
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
