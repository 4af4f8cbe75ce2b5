internal import CWebP

extension Screenshot {
  func webpPixels() throws(ScreenshotError) -> Pixels {
    var decoder = unsafe WebPDecoderConfig()
    guard unsafe WebPInitDecoderConfig(&decoder) != 0,
      unsafe WebPGetFeatures(bytes, bytes.count, &decoder.input) == VP8_STATUS_OK,
      unsafe Int(decoder.input.width) == width, unsafe Int(decoder.input.height) == height
    else { throw .broken }
    // Blue, green and red, premultiplied, and alpha: `ARGB32` of cairo.
    unsafe decoder.output.colorspace = MODE_bgrA
    unsafe decoder.output.is_external_memory = 1
    var values = Array(repeating: UInt32(0), count: width * height)
    let status = unsafe values.withUnsafeMutableBytes { buffer in
      unsafe decoder.output.u.RGBA = WebPRGBABuffer(
        rgba: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
        stride: Int32(4 * width), size: buffer.count)
      return unsafe WebPDecode(bytes, bytes.count, &decoder)
    }
    guard status == VP8_STATUS_OK else { throw .broken }
    return Pixels(width: width, height: height, values: values)
  }
}
