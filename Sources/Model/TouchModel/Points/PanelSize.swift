/// The size of a display's visible area, in mm.
public struct PanelSize: Hashable, Sendable {
  /// The horizontal side before rotation.
  public let width: Double
  public let height: Double
  /// The accepted lengths of a side, in mm.
  public static let sides = 10.0...10_000.0

  /// - Returns: nil if a side is out of range.
  public init?(width: Double, height: Double) {
    guard Self.sides.contains(width), Self.sides.contains(height) else { return nil }
    self.width = width
    self.height = height
  }

  /// The size of a point, in mm, rounded to 1/10,000 mm, the same in both directions.
  /// - Returns: nil if the size is impossible for a point, or if the ratio of the sides differs
  ///   from the display's by more than a tenth.
  public func pointSize(on geometry: DisplayGeometry) -> Double? {
    let pixels = Double(geometry.pixelWidth) / Double(geometry.pixelHeight)
    guard abs(width / height / pixels - 1) <= 0.1 else { return nil }
    let size = (width * height / (geometry.width * geometry.height)).squareRoot()
    let rounded = (size * 10_000).rounded() / 10_000
    return ControlSet.pointSizes.contains(rounded) ? rounded : nil
  }
}
