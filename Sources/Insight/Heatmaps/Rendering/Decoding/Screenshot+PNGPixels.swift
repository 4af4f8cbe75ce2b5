internal import CCairo

extension Screenshot {
  func pngPixels() throws(ScreenshotError) -> Pixels {
    let source = Source(bytes)
    let surface = unsafe cairo_image_surface_create_from_png_stream(
      { closure, data, length in unsafe Source.read(closure, data, length) },
      Unmanaged.passUnretained(source).toOpaque())
    do {
      return try withExtendedLifetime(source) { () throws(PictureError) in
        try unsafe Surface(owning: surface, sink: nil).pixels()
      }
    } catch {
      // cairo reports damage as a lack of memory.
      throw .broken
    }
  }
}

/// The bytes of a file, which cairo reads piece by piece.
private final class Source {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func read(
    _ closure: UnsafeMutableRawPointer?, _ data: UnsafeMutablePointer<UInt8>?, _ length: UInt32
  ) -> cairo_status_t {
    guard let closure = unsafe closure, let data = unsafe data else {
      return CAIRO_STATUS_READ_ERROR
    }
    let source = unsafe Unmanaged<Source>.fromOpaque(closure).takeUnretainedValue()
    let end = source.position + Int(length)
    guard end <= source.bytes.count else { return CAIRO_STATUS_READ_ERROR }
    for index in 0..<Int(length) {
      unsafe data[index] = source.bytes[source.position + index]
    }
    source.position = end
    return CAIRO_STATUS_SUCCESS
  }
}
