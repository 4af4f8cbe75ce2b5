public import TouchModel

/// A screenshot that the blocks are drawn on.
public struct Background: Hashable, Sendable {
  /// The largest file to read, in bytes.
  public static let byteLimit = 256 << 20

  public var pixels: Pixels
  /// The file's name for messages, printable.
  public var name: String

  public init(_ pixels: Pixels, name: String) {
    self.pixels = pixels
    self.name = name
  }

  /// Reads a PNG, JPEG or WebP file.
  /// - Parameter name: the file's name for messages, printable.
  public init(file: [UInt8], name: String) throws(PictureError) {
    do throws(ScreenshotError) {
      self.init(try Screenshot(file).pixels(), name: name)
    } catch {
      throw PictureError("\(name) \(error)")
    }
  }

  /// Checks that the screenshot has a display's shape (`agreesWithPicture`).
  /// - Throws: an error with the reason why it does not fit, and the remedy.
  public func fit(_ geometry: DisplayGeometry) throws(PictureError) {
    let (width, height) = (self.pixels.width, self.pixels.height)
    guard !geometry.agreesWithPicture(width: width, height: height) else { return }
    func pixels(_ points: Double) -> Int { Int((points * geometry.scale).rounded()) }
    let wanted = "\(pixels(geometry.width)) x \(pixels(geometry.height))"
    let points =
      geometry.scale == 1
      ? "" : " (or \(Int(geometry.width.rounded())) x \(Int(geometry.height.rounded())) points)"
    let start =
      "\(name) has \(width) x \(height) pixels, and the display shows \(wanted)\(points)"
    if geometry.agreesWithPicture(width: height, height: width) {
      throw PictureError(
        start
          + ": the screenshot is turned by 90 degrees. Rotate it, or select other maps with "
          + "--geometry")
    }
    throw PictureError(
      start
        + ": the screenshot has another aspect ratio. Take a screenshot of this display, or select "
        + "other maps with --geometry")
  }
}
