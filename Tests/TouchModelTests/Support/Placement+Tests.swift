import Testing

@testable import TouchModel

extension Placement {
  /// Returns a panel of 4,096 x 4,096 raw units on a display of 1,024 x 768 pixels by default.
  static func test(
    x: ClosedRange<Int32> = 0...4095, y: ClosedRange<Int32> = 0...4095,
    matrix: CalibrationMatrix = .identity, display: String = "DSI-1",
    width: Int = 1024, height: Int = 768, scale: Double = 1, rotation: Rotation = .none
  ) -> Placement? {
    guard
      let geometry = DisplayGeometry(
        pixelWidth: width, pixelHeight: height, scale: scale, rotation: rotation)
    else { return nil }
    return Placement(
      device: "1209:0001@test", x: Range(minimum: x.lowerBound, maximum: x.upperBound),
      y: Range(minimum: y.lowerBound, maximum: y.upperBound), matrix: matrix, display: display,
      geometry: geometry, displaySource: .configuration)
  }

  func block(_ x: Int32, _ y: Int32) -> Block { locate(rawX: x, rawY: y).block }
}

extension Timestamp {
  static func ms(_ milliseconds: Int64) -> Timestamp {
    Timestamp(microseconds: milliseconds * 1000)
  }
}

func rectangle(
  _ x: Double, _ y: Double, _ width: Double = 10, _ height: Double = 10
) throws -> Rectangle {
  try #require(Rectangle(x: x, y: y, width: width, height: height))
}
