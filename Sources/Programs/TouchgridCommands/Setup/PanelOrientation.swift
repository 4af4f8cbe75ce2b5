import TouchModel

/// The orientation of a touchscreen relative to its picture: one of four rotations, with or without
/// mirroring.
struct PanelOrientation: Equatable {
  /// A corner; each coordinate is 0 (left, top) or 1 (right, bottom).
  struct Corner: Hashable {
    var x: Int
    var y: Int

    init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }

    /// The corner nearest to a position. Both coordinates are 0...1 within the range.
    init(nearest x: Double, _ y: Double) { self.init(x < 0.5 ? 0 : 1, y < 0.5 ? 0 : 1) }
  }

  /// The positions of the touchscreen's corners in the picture, in the order of `corners`.
  private let images: [Corner]

  private static let corners = [Corner(0, 0), Corner(1, 0), Corner(1, 1), Corner(0, 1)]

  /// - Parameters: the corners of the touchscreen, in raw units, at the top left, top right and
  ///   bottom right corner of the picture.
  /// - Returns: nil if these are not three successive corners.
  init?(topLeft: Corner, topRight: Corner, bottomRight: Corner) {
    let touched = [topLeft, topRight, bottomRight]
    let found = Self.all.first { way in
      zip(touched, Self.corners).allSatisfy { way.apply($0) == $1 }
    }
    guard let found else { return nil }
    self = found
  }

  private init(_ images: [Corner]) { self.images = images }

  /// The orientation that results from a calibration matrix, followed by a rotation.
  private init(_ matrix: CalibrationMatrix, _ rotation: Rotation) {
    images = Self.corners.map { corner in
      let point = matrix.apply(Double(corner.x), Double(corner.y))
      let turned = rotation.apply(point.x, point.y)
      return Corner(nearest: turned.x, turned.y)
    }
  }

  private func apply(_ corner: Corner) -> Corner {
    images[Self.corners.firstIndex(of: corner) ?? 0]
  }

  /// The calibration for each of the eight orientations, without a rotation of the display.
  private static let calibrations = [
    "1 0 0 0 1 0", "0 -1 1 1 0 0", "-1 0 1 0 -1 1", "0 1 0 -1 0 1",
    "-1 0 1 0 1 0", "1 0 0 0 -1 1", "0 1 0 1 0 0", "0 -1 1 -1 0 1",
  ].compactMap { CalibrationMatrix($0) }

  private static let all = calibrations.map { PanelOrientation($0, .none) }

  private var swapsAxes: Bool { images[0].x == images[1].x }

  /// Whether the picture is wide along the y axis of a touchscreen with this calibration.
  func isAcross(_ matrix: CalibrationMatrix) -> Bool {
    swapsAxes != PanelOrientation(matrix, .none).swapsAxes
  }

  /// Returns the configuration for it: the rotation of the display, and the calibration of the
  /// touchscreen if that must change.
  /// - Parameters:
  ///   - matrix: the current calibration of the touchscreen.
  ///   - isTurned: whether the compositor rotates the picture by 90 or 270 degrees, so that it
  ///     exchanges width and height.
  func settings(
    for matrix: CalibrationMatrix, isTurned: Bool
  ) -> (rotation: Rotation, calibration: CalibrationMatrix?) {
    let rotations: [Rotation] = isTurned ? [.quarter, .threeQuarters] : [.none, .half]
    if let rotation = rotations.first(where: { PanelOrientation(matrix, $0) == self }) {
      return (rotation, nil)
    }
    let calibration = Self.calibrations.first {
      PanelOrientation($0, rotations[0]) == self
    }
    return (rotations[0], calibration)
  }
}
