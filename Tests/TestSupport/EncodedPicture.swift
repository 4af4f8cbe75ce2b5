internal import CTurboJPEG
internal import CWebP

/// Encodes pictures for tests. Pixels are `ARGB32`: alpha in the highest 8 bits, then red, green and
/// blue, not premultiplied.
public enum EncodedPicture {
  public enum Failure: Error { case jpeg, webp }

  public enum Sampling: CaseIterable, Sendable {
    /// The resolution of colours: full, or half in one or both directions; or no colours.
    case full, halfWidth, half, grey

    fileprivate var value: Int32 {
      let sampling =
        switch self {
        case .full: TJSAMP_444
        case .halfWidth: TJSAMP_422
        case .half: TJSAMP_420
        case .grey: TJSAMP_GRAY
        }
      return Int32(sampling.rawValue)
    }
  }

  public static func jpeg(
    _ pixels: [UInt32], width: Int, sampling: Sampling = .full, isProgressive: Bool = false
  ) throws -> [UInt8] {
    try jpeg(
      pixels, width, TJPF_BGRA, sampling.value, isProgressive ? TJFLAG_PROGRESSIVE : 0)
  }

  /// Encodes the four channels of the pixels as cyan, magenta, yellow and black.
  public static func cmykJPEG(_ pixels: [UInt32], width: Int) throws -> [UInt8] {
    try jpeg(pixels, width, TJPF_CMYK, Int32(TJSAMP_444.rawValue), 0)
  }

  private static func jpeg(
    _ pixels: [UInt32], _ width: Int, _ format: TJPF, _ sampling: Int32, _ flags: Int32
  ) throws -> [UInt8] {
    guard let encoder = unsafe tjInitCompress() else { throw Failure.jpeg }
    defer { unsafe _ = tjDestroy(encoder) }
    var result: UnsafeMutablePointer<UInt8>?
    defer { unsafe tjFree(result) }
    var size: UInt = 0
    let status = unsafe pixels.withUnsafeBytes { buffer in
      unsafe tjCompress2(
        encoder, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(width), 0,
        Int32(pixels.count / width), Int32(format.rawValue), &result, &size, sampling, 95, flags)
    }
    guard status == 0, let start = unsafe result else { throw Failure.jpeg }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(size)))
  }

  public static func webp(_ pixels: [UInt32], width: Int, isLossless: Bool) throws -> [UInt8] {
    var result: UnsafeMutablePointer<UInt8>?
    defer { unsafe WebPFree(result) }
    let (stride, height) = (Int32(4 * width), Int32(pixels.count / width))
    let size = unsafe pixels.withUnsafeBytes { buffer in
      let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return unsafe isLossless
        ? WebPEncodeLosslessBGRA(start, Int32(width), height, stride, &result)
        : WebPEncodeBGRA(start, Int32(width), height, stride, 95, &result)
    }
    guard size > 0, let start = unsafe result else { throw Failure.webp }
    return unsafe Array(UnsafeBufferPointer(start: start, count: size))
  }
}
