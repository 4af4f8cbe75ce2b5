public import TouchModel

/// A screenshot that blocks are drawn over.
public struct Background: Hashable, Sendable {
  /// The largest file that is read.
  public static let byteLimit = 256 << 20

  public var pixels: Pixels
  /// How messages call it: the file's name, printable.
  public var name: String

  public init(_ pixels: Pixels, name: String) {
    self.pixels = pixels
    self.name = name
  }

  /// Whether it is of what the person sees on this display: as large in pixels or in points, to within a pixel
  /// of rounding.
  public func fits(_ geometry: DisplayGeometry) -> Bool {
    fits(pixels.width, pixels.height, geometry)
  }

  private func fits(_ width: Int, _ height: Int, _ geometry: DisplayGeometry) -> Bool {
    [1, geometry.scale].contains { factor in
      let (right, down) = (geometry.width * factor, geometry.height * factor)
      return abs(right - Double(width)) <= 1 && abs(down - Double(height)) <= 1
    }
  }

  /// - Throws: where it does not fit, with a reason and a way.
  public func fit(_ geometry: DisplayGeometry) throws(PictureError) {
    guard !fits(geometry) else { return }
    func pixels(_ points: Double) -> Int { Int((points * geometry.scale).rounded()) }
    let wanted = "\(pixels(geometry.width)) x \(pixels(geometry.height))"
    let points =
      geometry.scale == 1
      ? "" : " (or \(Int(geometry.width.rounded())) x \(Int(geometry.height.rounded())) points)"
    let start =
      "\(name) has \(self.pixels.width) x \(self.pixels.height) pixels, and what is seen on the "
      + "display has \(wanted)\(points)"
    if fits(self.pixels.height, self.pixels.width, geometry) {
      throw PictureError(
        start + ": it lies on its side. Turn it as the person sees it, or name with --geometry the "
          + "maps that it belongs to")
    }
    let sides = Double(self.pixels.width) / Double(self.pixels.height)
    let isScaled = abs(sides / (geometry.width / geometry.height) - 1) < 0.01
    throw PictureError(
      start
        + (isScaled
          ? ": it was made larger or smaller. Resize it to \(wanted)"
          : ": it is of another shape. Take a screenshot on this display")
        + ", or name with --geometry the maps that it belongs to")
  }
}
