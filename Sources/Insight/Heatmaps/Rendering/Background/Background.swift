internal import Text
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

  /// Reads a PNG, JPEG or WebP file. The format is detected from its first bytes.
  /// - Parameter name: the file's name for messages, printable.
  /// - Throws: an error for other formats, broken files, and pictures that are too large. The size
  ///   is checked before memory is allocated.
  public init(_ file: [UInt8], name: String) throws(PictureError) {
    let pixels =
      if file.starts(with: PNGFile.signature) {
        try Self.png(file, name)
      } else if file.starts(with: [0xff, 0xd8, 0xff]) {
        try Self.jpeg(file, name)
      } else if file.starts(with: Array("RIFF".utf8)),
        file.dropFirst(8).starts(with: Array("WEBP".utf8))
      {
        try Self.webp(file, name)
      } else {
        throw PictureError(
          file.isEmpty
            ? "\(name) is empty; a screenshot must be a PNG, JPEG or WebP file"
            : "\(name) is not a PNG, JPEG or WebP file: save the screenshot as one of these")
      }
    self.init(pixels, name: name)
  }

  /// - Parameter bytesPerPixel: what the decoder takes.
  static func checkSize(
    _ size: (width: Int, height: Int), _ format: String, _ name: String, bytesPerPixel: Int = 4
  ) throws(PictureError) {
    guard size.width > 0, size.height > 0 else {
      throw PictureError("\(name) is a broken \(format): it has no size")
    }
    let (side, limit) = (Drawing.sideLimit, Drawing.pixelLimit * 4 / bytesPerPixel)
    guard size.width <= side, size.height <= side, size.width * size.height <= limit else {
      throw PictureError(
        "\(name) has \(size.width) x \(size.height) pixels (the limit is \(side) in each direction, "
          + "and \(groupedDigits(UInt64(limit))) in all); make it smaller")
    }
  }

  static func broken(_ format: String, _ name: String) -> PictureError {
    PictureError("\(name) is a broken \(format) and cannot be read; save it again")
  }

  /// Checks that the screenshot has a display's shape (`agreesWithPicture`).
  /// - Throws: an error that says why it does not fit and what to do.
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

extension Pixels {
  /// Decodes a picture.
  /// - Parameter decode: writes the blue, green, red and alpha of each pixel, one byte each, and
  ///   returns whether it could.
  /// - Returns: nil if it could not.
  init?(
    _ size: (width: Int, height: Int), _ decode: (UnsafeMutablePointer<UInt8>?) -> Bool
  ) {
    let pixels = size.width * size.height
    var isDecoded = false
    var values = unsafe [UInt32](unsafeUninitializedCapacity: pixels) { buffer, count in
      isDecoded = unsafe decode(
        UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: UInt8.self))
      count = isDecoded ? pixels : 0
    }
    guard isDecoded else { return nil }
    for index in values.indices {
      values[index] = Self.premultiplied(UInt32(littleEndian: values[index]))
    }
    self.init(width: size.width, height: size.height, values: values)
  }

  /// Returns a pixel whose colours are multiplied by its opacity.
  private static func premultiplied(_ value: UInt32) -> UInt32 {
    let alpha = value >> 24
    guard alpha < 255 else { return value }
    func channel(_ shift: UInt32) -> UInt32 {
      (((value >> shift & 255) * alpha + 127) / 255) << shift
    }
    return alpha << 24 | channel(16) | channel(8) | channel(0)
  }
}
