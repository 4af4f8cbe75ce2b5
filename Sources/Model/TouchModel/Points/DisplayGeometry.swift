/// The rotation of the picture relative to the panel, clockwise: at 90 degrees the top of the
/// picture lies along the right edge of the panel.
public enum Rotation: Int, CaseIterable, Hashable, Sendable {
  case none = 0
  case quarter = 90
  case half = 180
  case threeQuarters = 270

  var swapsAxes: Bool { self == .quarter || self == .threeQuarters }

  /// Converts normalised panel coordinates to normalised coordinates of the picture.
  public func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    switch self {
    case .none: (x, y)
    case .quarter: (y, 1 - x)
    case .half: (1 - x, 1 - y)
    case .threeQuarters: (1 - y, x)
    }
  }

  /// The rotation that undoes this one.
  public var inverse: Rotation {
    switch self {
    case .none, .half: self
    case .quarter: .threeQuarters
    case .threeQuarters: .quarter
    }
  }
}

/// The size, scale and rotation of one display, and the grid of blocks on it. Grids of different
/// geometries are never added up.
public struct DisplayGeometry: Hashable, Sendable {
  /// The maximum width or height, in pixels.
  public static let pixelLimit = 16_384
  /// The maximum number of blocks in a grid: that of a display of 16,384 x 16,384 pixels at scale 1
  /// with 16-point blocks.
  public static let blockLimit = 1 << 20

  /// The size of the display in pixels, before rotation: 1...16,384.
  public let pixelWidth: Int
  public let pixelHeight: Int
  /// Pixels per point, 0.25...16.
  public let scale: Double
  public let rotation: Rotation
  /// The side of a block, in points: a power of two, 1...256.
  public let blockSize: Int
  /// The size of the picture that the person sees, in points.
  public let width: Double
  public let height: Double
  /// The size of a grid, in blocks; the last column and row may be partial.
  public let columns: Int
  public let rows: Int

  /// - Returns: nil if a value is out of its range or the grid would exceed `blockLimit`.
  public init?(
    pixelWidth: Int, pixelHeight: Int, scale: Double = 1, rotation: Rotation = .none,
    blockSize: Int = 16
  ) {
    guard (1...Self.pixelLimit).contains(pixelWidth), (1...Self.pixelLimit).contains(pixelHeight),
      (0.25...16).contains(scale), (1...256).contains(blockSize),
      blockSize & (blockSize - 1) == 0
    else { return nil }
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.scale = scale
    self.rotation = rotation
    self.blockSize = blockSize
    width = Double(rotation.swapsAxes ? pixelHeight : pixelWidth) / scale
    height = Double(rotation.swapsAxes ? pixelWidth : pixelHeight) / scale
    columns = Int((width / Double(blockSize)).rounded(.up))
    rows = Int((height / Double(blockSize)).rounded(.up))
    guard columns * rows <= Self.blockLimit else { return nil }
  }

  /// The block that contains a point; for a point outside the display, the nearest block.
  @inline(__always)
  public func block(at point: Point) -> Block {
    Block(column: cell(point.x, of: columns), row: cell(point.y, of: rows))
  }

  @inline(__always)
  private func cell(_ position: Double, of count: Int) -> Int {
    // Compare before converting: infinity and NaN have no integer.
    let cell = position / Double(blockSize)
    guard cell > 0 else { return 0 }
    return cell < Double(count) ? Int(cell) : count - 1
  }

  /// The index of a block in a row-major grid.
  public func index(of block: Block) -> Int { block.row * columns + block.column }

  /// The area of a block, in points. The last blocks end at the edge of the display.
  /// - Parameter index: a result of `index(of:)`.
  package func area(ofBlock index: Int) -> Rectangle? {
    let (row, column) = index.quotientAndRemainder(dividingBy: columns)
    let size = Double(blockSize)
    let (x, y) = (Double(column) * size, Double(row) * size)
    return Rectangle(x: x, y: y, width: min(size, width - x), height: min(size, height - y))
  }
}

extension DisplayGeometry {
  /// Returns a guess at the geometry of a display whose panel alone is known. If the ranges of both
  /// axes are at most 8,192 units, they count as pixels. Otherwise the width is 1,024 pixels, and
  /// the height follows from the axes' resolutions, or is 768 pixels without resolutions. nil if a
  /// parameter is out of its range, or if the grid would exceed `blockLimit`.
  public static func guessed(
    from panel: ContactProtocol, rotation: Rotation = .none, scale: Double = 1, blockSize: Int = 16
  ) -> DisplayGeometry? {
    let pixelLimit = 8192
    let x = Int(panel.x.maximum) - Int(panel.x.minimum) + 1
    let y = Int(panel.y.maximum) - Int(panel.y.minimum) + 1
    if x <= pixelLimit, y <= pixelLimit {
      return DisplayGeometry(
        pixelWidth: x, pixelHeight: y, scale: scale, rotation: rotation, blockSize: blockSize)
    }
    var height = 768.0
    if panel.x.resolution > 0, panel.y.resolution > 0 {
      let widthInMillimetres = Double(x) / Double(panel.x.resolution)
      let heightInMillimetres = Double(y) / Double(panel.y.resolution)
      height = (1024 * heightInMillimetres / widthInMillimetres).rounded()
    }
    return DisplayGeometry(
      pixelWidth: 1024, pixelHeight: Int(min(Double(pixelLimit), max(1, height))), scale: scale,
      rotation: rotation, blockSize: blockSize)
  }
}

extension DisplayGeometry {
  /// The largest relative difference between the horizontal and the vertical scale of a picture.
  private static let pictureStretch = 0.01

  /// Whether a picture of this size, in pixels, can show the whole display undistorted: whether it
  /// is the display's picture, scaled by one factor up to 16. Its sides may be off by the rounding
  /// to whole pixels, or by one pixel if it has the display's size in pixels or points, or that size
  /// times a whole number. A picture with only nearly the same ratio, as a browser's window may
  /// have, would be stretched, and touches would appear in the wrong places.
  public func agreesWithPicture(width: Int, height: Int) -> Bool {
    let (across, down) = (Double(width), Double(height))
    let isWhole = [1, scale].contains { pixels in
      (1...16).contains { factor in
        abs(self.width * pixels * Double(factor) - across) <= 1
          && abs(self.height * pixels * Double(factor) - down) <= 1
      }
    }
    if isWhole { return true }
    // The factors of each side that round to the picture's size.
    let lowest = max((across - 0.5) / self.width, (down - 0.5) / self.height)
    let highest = min((across + 0.5) / self.width, (down + 0.5) / self.height)
    return lowest <= highest && lowest > 0 && lowest <= 16 * max(1, scale)
      && abs(across * self.height / (down * self.width) - 1) <= Self.pictureStretch
  }
}
