internal import CWebP

extension Background {
  /// Decodes a WebP file.
  /// - Throws: an error for broken files, animations, and pictures that are too large.
  static func webp(_ bytes: [UInt8], _ name: String) throws(PictureError) -> Pixels {
    var features = WebPBitstreamFeatures()
    guard unsafe WebPGetFeatures(bytes, bytes.count, &features) == VP8_STATUS_OK else {
      throw broken("WebP", name)
    }
    guard features.has_animation == 0 else {
      throw PictureError("\(name) is an animation; save one frame of it")
    }
    let size = (width: Int(features.width), height: Int(features.height))
    try checkSize(size, "WebP", name)
    let pixels = unsafe Pixels(size) { target in
      let (length, stride) = (4 * size.width * size.height, Int32(4 * size.width))
      return unsafe WebPDecodeBGRAInto(bytes, bytes.count, target, length, stride) != nil
    }
    guard let pixels else { throw broken("WebP", name) }
    return pixels
  }
}
