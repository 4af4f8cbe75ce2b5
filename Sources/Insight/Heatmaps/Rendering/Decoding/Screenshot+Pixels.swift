extension Screenshot {
  /// Decodes the picture. The decoder gets only the parts of the file that define the picture.
  /// - Throws: an error for damaged files.
  public func pixels() throws(ScreenshotError) -> Pixels {
    switch type {
    case .png: try pngPixels()
    case .jpeg: try jpegPixels()
    case .webp: try webpPixels()
    }
  }
}
