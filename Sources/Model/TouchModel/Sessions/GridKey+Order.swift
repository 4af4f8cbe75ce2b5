extension GridKey {
  /// The order of keys: by the bytes of screen and display, as SQLite sorts them, then by geometry.
  public static func isBefore(_ left: GridKey, _ right: GridKey) -> Bool {
    if !left.screen.hasSameBytes(as: right.screen) {
      return left.screen.hasBytesBefore(right.screen)
    }
    if !left.display.hasSameBytes(as: right.display) {
      return left.display.hasBytesBefore(right.display)
    }
    return left.geometry.order.lexicographicallyPrecedes(right.geometry.order)
  }
}

extension DisplayGeometry {
  fileprivate var order: [Double] {
    [Double(pixelWidth), Double(pixelHeight), scale, Double(rotation.rawValue), Double(blockSize)]
  }
}
