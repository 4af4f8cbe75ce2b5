internal import CCairo

extension Background {
  /// Decodes a PNG file.
  /// - Throws: an error for broken files, and pictures that are too large.
  static func png(_ bytes: [UInt8], _ name: String) throws(PictureError) -> Pixels {
    // The signature is followed by the IHDR chunk: its length, its type, the width and the height.
    guard bytes.count >= 33, Array(bytes[12..<16]) == Array("IHDR".utf8) else {
      throw PictureError("\(name) is a broken PNG: its header is incomplete")
    }
    func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    // cairo takes four times the memory for 16 bits per channel.
    try checkSize((number(16), number(20)), "PNG", name, bytesPerPixel: bytes[24] == 16 ? 16 : 4)
    return try decode(bytes, name)
  }

  private static func decode(_ bytes: [UInt8], _ name: String) throws(PictureError) -> Pixels {
    let source = Source(bytes)
    let surface = unsafe cairo_image_surface_create_from_png_stream(
      { closure, data, length in unsafe Source.read(closure, data, length) },
      Unmanaged.passUnretained(source).toOpaque())
    do {
      return try withExtendedLifetime(source) { () throws(PictureError) in
        try unsafe Surface(owning: surface, sink: nil).pixels()
      }
    } catch {
      throw broken("PNG", name)
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
