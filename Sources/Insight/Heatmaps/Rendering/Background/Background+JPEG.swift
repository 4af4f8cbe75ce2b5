internal import CTurboJPEG

extension Background {
  /// Decodes a JPEG file.
  /// - Throws: an error for broken files, pictures that are too large, and those in the colours of
  ///   printers.
  static func jpeg(_ bytes: [UInt8], _ name: String) throws(PictureError) -> Pixels {
    guard let decoder = unsafe tjInitDecompress() else {
      throw PictureError("\(name) cannot be read: there is no memory for it")
    }
    defer { unsafe _ = tjDestroy(decoder) }
    var (width, height, sampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let length = UInt(bytes.count)
    guard
      unsafe tjDecompressHeader3(
        decoder, bytes, length, &width, &height, &sampling, &colours) == 0
    else { throw broken("JPEG", name) }
    guard colours != TJCS_CMYK.rawValue, colours != TJCS_YCCK.rawValue else {
      throw PictureError("\(name) is a JPEG in the colours of printers (CMYK); save it as RGB")
    }
    let size = (width: Int(width), height: Int(height))
    try checkSize(size, "JPEG", name)
    // Damaged data, which a decoder would fill with grey, are an error as well.
    let flags = TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS
    let pixels = unsafe Pixels(size) { target in
      unsafe tjDecompress2(
        decoder, bytes, length, target, width, 4 * width, height, Int32(TJPF_BGRA.rawValue), flags)
        == 0
    }
    guard let pixels else { throw broken("JPEG", name) }
    return pixels
  }
}
