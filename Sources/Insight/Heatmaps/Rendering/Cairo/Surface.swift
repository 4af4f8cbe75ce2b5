internal import CCairo

/// A surface that cairo draws on: an image in memory, or a PDF that is written piece by piece.
@safe struct Surface: ~Copyable {
  let pointer: OpaquePointer
  /// Receives the bytes of a PDF while the surface exists; nil for an image.
  private let sink: Sink?

  /// Creates a transparent image; the size is in pixels.
  init(width: Int, height: Int) throws(PictureError) {
    let surface = unsafe cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, Int32(clamping: width), Int32(clamping: height))
    self = try unsafe Self(owning: surface, sink: nil)
  }

  /// Returns an image with these pixels.
  static func holding(_ pixels: Pixels) throws(PictureError) -> Surface {
    let surface = try Surface(width: pixels.width, height: pixels.height)
    unsafe cairo_surface_flush(surface.pointer)
    let stride = unsafe Int(cairo_image_surface_get_stride(surface.pointer))
    guard let data = unsafe cairo_image_surface_get_data(surface.pointer) else {
      throw PictureError("cairo cannot allocate an image")
    }
    unsafe pixels.values.withUnsafeBytes { values in
      guard let from = values.baseAddress else { return }
      for row in 0..<pixels.height {
        unsafe UnsafeMutableRawPointer(data + row * stride)
          .copyMemory(from: from + 4 * pixels.width * row, byteCount: 4 * pixels.width)
      }
    }
    unsafe cairo_surface_mark_dirty(surface.pointer)
    return surface
  }

  /// Returns an empty PDF. `setPage` sets the size of each page.
  static func pdf() throws(PictureError) -> Surface {
    let sink = Sink()
    let surface = unsafe cairo_pdf_surface_create_for_stream(
      { closure, data, length in unsafe Sink.write(closure, data, length) },
      Unmanaged.passUnretained(sink).toOpaque(), 1, 1)
    return try unsafe Self(owning: surface, sink: sink)
  }

  /// Takes ownership of a surface that cairo has created. If the surface has an error, destroys it
  /// and throws.
  init(owning surface: OpaquePointer?, sink: Sink?) throws(PictureError) {
    guard let surface = unsafe surface else { throw PictureError("cairo cannot create a picture") }
    let status = unsafe cairo_surface_status(surface)
    if status != CAIRO_STATUS_SUCCESS { unsafe cairo_surface_destroy(surface) }
    try cairoCheck(status)
    unsafe pointer = surface
    self.sink = sink
  }

  // cairo may write the last bytes of a PDF here. The sink still exists then.
  deinit { unsafe cairo_surface_destroy(pointer) }

  /// Sets the size of the next page, in PDF points.
  func setPage(width: Double, height: Double) {
    unsafe cairo_pdf_surface_set_size(pointer, width, height)
  }

  func setMetadata(_ key: cairo_pdf_metadata_t, _ text: String) {
    unsafe cairo_pdf_surface_set_metadata(pointer, key, text)
  }

  /// Ends a PDF and returns its bytes.
  func finishedBytes() throws(PictureError) -> [UInt8] {
    unsafe cairo_surface_finish(pointer)
    try unsafe cairoCheck(cairo_surface_status(pointer))
    return sink?.bytes ?? []
  }

  func png() throws(PictureError) -> [UInt8] {
    let sink = Sink()
    let status = unsafe cairo_surface_write_to_png_stream(
      pointer, { closure, data, length in unsafe Sink.write(closure, data, length) },
      Unmanaged.passUnretained(sink).toOpaque())
    try cairoCheck(status)
    return withExtendedLifetime(sink) { sink.bytes }
  }

  /// Returns the pixels of an image.
  func pixels() throws(PictureError) -> Pixels {
    let format = unsafe cairo_image_surface_get_format(pointer)
    // Since version 1.17.2, cairo decodes a PNG with 16 bits per channel to a floating-point
    // format.
    guard format == CAIRO_FORMAT_ARGB32 || format == CAIRO_FORMAT_RGB24 else {
      return try converted().pixels()
    }
    unsafe cairo_surface_flush(pointer)
    let width = unsafe Int(cairo_image_surface_get_width(pointer))
    let height = unsafe Int(cairo_image_surface_get_height(pointer))
    let stride = unsafe Int(cairo_image_surface_get_stride(pointer))
    guard let data = unsafe cairo_image_surface_get_data(pointer), width > 0, height > 0 else {
      throw PictureError("cairo gives no access to the pixels of an image")
    }
    var values = unsafe [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      for row in 0..<height {
        guard let line = unsafe buffer.baseAddress.map({ unsafe $0 + row * width }) else { break }
        unsafe UnsafeMutableRawPointer(line)
          .copyMemory(from: data + row * stride, byteCount: 4 * width)
      }
      count = width * height
    }
    // Without an alpha channel the highest 8 bits are undefined.
    if format == CAIRO_FORMAT_RGB24 {
      for index in values.indices { values[index] |= 0xff00_0000 }
    }
    return Pixels(width: width, height: height, values: values)
  }

  /// Returns a copy of the image with 8 bits per channel.
  private func converted() throws(PictureError) -> Surface {
    let surface = unsafe try Surface(
      width: Int(cairo_image_surface_get_width(pointer)),
      height: Int(cairo_image_surface_get_height(pointer)))
    try Canvas(surface).paint(self)
    return surface
  }
}

/// Collects the bytes that cairo writes.
final class Sink {
  fileprivate(set) var bytes: [UInt8] = []

  fileprivate static func write(
    _ closure: UnsafeMutableRawPointer?, _ data: UnsafePointer<UInt8>?, _ length: UInt32
  ) -> cairo_status_t {
    guard let closure = unsafe closure, let data = unsafe data else {
      return CAIRO_STATUS_WRITE_ERROR
    }
    let sink = unsafe Unmanaged<Sink>.fromOpaque(closure).takeUnretainedValue()
    unsafe sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
    return CAIRO_STATUS_SUCCESS
  }
}

func cairoCheck(_ status: cairo_status_t) throws(PictureError) {
  guard status != CAIRO_STATUS_SUCCESS else { return }
  let text = unsafe cairo_status_to_string(status).map { unsafe String(cString: $0) }
  throw PictureError("cairo cannot draw this: \(text ?? "error \(status.rawValue)")")
}
