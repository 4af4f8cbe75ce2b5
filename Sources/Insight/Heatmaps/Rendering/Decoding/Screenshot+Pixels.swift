extension Screenshot {
  /// Decodes the picture. The decoder gets only the parts of the file that define the picture.
  /// - Throws: an error for damaged files, and for pictures that are too large. The size is checked
  ///   before memory is allocated.
  public func pixels() throws(ScreenshotError) -> Pixels {
    // cairo takes four times the memory for a PNG with 16 bits per channel.
    let limit = isDeep ? Drawing.pixelLimit / 4 : Drawing.pixelLimit
    guard width <= Drawing.sideLimit, height <= Drawing.sideLimit, width * height <= limit else {
      throw .tooLarge(width: width, height: height, limit: limit)
    }
    return switch type {
    case .png: try pngPixels()
    case .jpeg: try jpegPixels()
    case .webp: try webpPixels()
    }
  }

  /// Whether this is a PNG with 16 bits per channel. The number is in the chunk IHDR, after the
  /// size.
  private var isDeep: Bool { type == .png && bytes[24] == 16 }
}
