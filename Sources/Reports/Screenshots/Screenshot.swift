public import TouchModel

/// A picture of what the app shows, as its file is.
public struct Screenshot: Hashable, Sendable {
  public enum Kind: String, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case webp = "image/webp"
  }

  public let type: Kind
  /// In pixels.
  public let width: Int
  public let height: Int
  public let bytes: [UInt8]

  /// By the first bytes of the file, whatever its name is.
  /// - Returns: nil for anything but PNG, JPEG or WebP with a size.
  public init?(_ bytes: [UInt8]) {
    let found: (Kind, Size?) =
      if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
        (.png, Self.png(bytes))
      } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
        (.jpeg, Self.jpeg(bytes))
      } else if bytes.starts(with: Array("RIFF".utf8)),
        bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
      {
        (.webp, Self.webp(bytes))
      } else {
        (.png, nil)
      }
    guard let size = found.1, size.width > 0, size.height > 0 else { return nil }
    type = found.0
    (width, height) = size
    self.bytes = bytes
  }

  /// Whether it can be laid over a display without distorting it: the ratio of its sides is that of the
  /// display as the person sees it, to a hundredth. A browser's window, or a picture of the panel before
  /// it was turned, is off by more.
  public func fits(_ geometry: DisplayGeometry) -> Bool {
    let (across, down) = (Double(width) * geometry.height, Double(height) * geometry.width)
    return abs(across - down) <= 0.01 * max(across, down)
  }

  private typealias Size = (width: Int, height: Int)

  /// PNG, section 11.2.2: the header comes first.
  private static func png(_ bytes: [UInt8]) -> Size? {
    guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    return (big(bytes, 16, 4), big(bytes, 20, 4))
  }

  /// ITU T.81, B.2.2: the frame header, behind any number of other segments.
  private static func jpeg(_ bytes: [UInt8]) -> Size? {
    var at = 2
    while at + 9 < bytes.count {
      guard bytes[at] == 0xff else { return nil }
      let marker = bytes[at + 1]
      switch marker {
      // Fill bytes before a marker; markers without a length.
      case 0xff: at += 1
      case 0x01, 0xd0...0xd8: at += 2
      case 0xc0...0xcf where ![0xc4, 0xc8, 0xcc].contains(marker):
        return (big(bytes, at + 7, 2), big(bytes, at + 5, 2))
      default: at += 2 + big(bytes, at + 2, 2)
      }
    }
    return nil
  }

  /// RFC 9649, sections 2.5 to 2.7: lossy, lossless, extended.
  private static func webp(_ bytes: [UInt8]) -> Size? {
    guard bytes.count >= 30 else { return nil }
    func little(_ at: Int, _ count: Int) -> Int {
      bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8 ": return (little(26, 2) & 0x3fff, little(28, 2) & 0x3fff)
    case "VP8L":
      let bits = little(21, 4)
      return (bits & 0x3fff + 1, bits >> 14 & 0x3fff + 1)
    case "VP8X": return (little(24, 3) + 1, little(27, 3) + 1)
    default: return nil
    }
  }

  private static func big(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
    bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
  }
}
