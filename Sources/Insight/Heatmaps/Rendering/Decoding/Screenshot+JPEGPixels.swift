internal import CTurboJPEG
internal import Text

extension Screenshot {
  func jpegPixels() throws(ScreenshotError) -> Pixels {
    guard let decoder = unsafe tjInitDecompress() else { throw .undecodable("out of memory") }
    defer { unsafe _ = tjDestroy(decoder) }
    func failure() -> ScreenshotError {
      let text = unsafe tjGetErrorStr2(decoder).map { unsafe String(cString: $0) }
      return .undecodable((text ?? "unknown error").printable())
    }
    var (foundWidth, foundHeight, sampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, -1)
    // Ignore the result: this function also refuses some subsamplings that `tjDecompress2` decodes.
    _ = unsafe tjDecompressHeader3(
      decoder, bytes, UInt(bytes.count), &foundWidth, &foundHeight, &sampling, &colours)
    guard ![TJCS_CMYK, TJCS_YCCK].map({ Int32($0.rawValue) }).contains(colours) else {
      throw .cmyk
    }
    guard Int(foundWidth) == width, Int(foundHeight) == height else { throw failure() }
    var values = Array(repeating: UInt32(0), count: width * height)
    // The decoder only warns if data are missing or damaged, and draws the rest in grey. Stop then.
    let status = unsafe values.withUnsafeMutableBytes { buffer in
      unsafe tjDecompress2(
        decoder, bytes, UInt(bytes.count),
        buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), foundWidth, 4 * foundWidth,
        foundHeight, Int32(TJPF_BGRA.rawValue), TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS)
    }
    guard status == 0 else { throw failure() }
    return Pixels(width: width, height: height, values: values)
  }
}
