internal import CCairo
internal import Text

extension Background {
  /// Reads a PNG file.
  /// - Parameter name: the file's name for messages, printable.
  /// - Throws: an error for other formats, broken files, and pictures that are too large. The size
  ///   is checked before memory is allocated.
  public init(png bytes: [UInt8], name: String) throws(PictureError) {
    guard bytes.starts(with: PNGFile.signature) else {
      throw PictureError(Self.otherFormat(bytes, name))
    }
    // The signature is followed by the IHDR chunk: its length, its type, the width and the height.
    guard bytes.count >= 33, Array(bytes[12..<16]) == Array("IHDR".utf8) else {
      throw PictureError("\(name) is a broken PNG: its header is incomplete")
    }
    func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    let (width, height) = (number(16), number(20))
    guard width > 0, height > 0 else {
      throw PictureError("\(name) is a broken PNG: it has no size")
    }
    // cairo takes four times the memory for 16 bits per channel.
    let limit = bytes[24] == 16 ? Drawing.pixelLimit / 4 : Drawing.pixelLimit
    guard width <= Drawing.sideLimit, height <= Drawing.sideLimit, width * height <= limit else {
      throw PictureError(
        "\(name) has \(width) x \(height) pixels (the limit is \(Drawing.sideLimit) in each "
          + "direction, and \(groupedDigits(UInt64(limit))) in all); make it smaller")
    }
    self.init(try Self.decode(bytes, name), name: name)
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
      throw PictureError("\(name) is a broken PNG and cannot be read; save it again")
    }
  }

  private static func otherFormat(_ bytes: [UInt8], _ name: String) -> String {
    let kinds: [(name: String, start: [UInt8])] = [
      ("JPEG", [0xff, 0xd8, 0xff]), ("GIF", Array("GIF8".utf8)), ("WebP", Array("RIFF".utf8)),
      ("BMP", Array("BM".utf8)), ("PDF", Array("%PDF".utf8)),
    ]
    guard !bytes.isEmpty else { return "\(name) is empty; a screenshot must be a PNG" }
    let kind = kinds.first { bytes.starts(with: $0.start) }?.name
    return
      "\(name) is \(kind.map { "a \($0)" } ?? "not a PNG"); a screenshot must be a PNG: ImageMagick's "
      + "'convert' and most image viewers can convert it"
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
