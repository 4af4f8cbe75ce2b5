public import TouchModel

/// A screenshot of the app: a picture file without its metadata. Reports are shared, and must not
/// reveal the author, the place or the device of a screenshot.
public struct Screenshot: Hashable, Sendable {
  public enum Kind: String, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case webp = "image/webp"
  }

  /// The usual endings of such files, without the dot.
  public static let fileEndings = ["png", "jpg", "jpeg", "webp"]

  public let type: Kind
  /// The size in pixels.
  public let width: Int
  public let height: Int
  public let bytes: [UInt8]

  /// Reads a picture file. The format is detected from its first bytes, not from its name.
  /// - Throws: an error, also for a picture that is too large to be decoded. All programs that show
  ///   pictures have the same limit.
  public init(_ file: [UInt8]) throws(ScreenshotError) {
    let picture: Picture
    if file.starts(with: Self.pngSignature) {
      (type, picture) = (.png, try Self.png(FileBytes(file)))
    } else if file.starts(with: [0xff, 0xd8, 0xff]) {
      (type, picture) = (.jpeg, try Self.jpeg(FileBytes(file)))
    } else if file.starts(with: Array("RIFF".utf8)),
      file.dropFirst(8).starts(with: Array("WEBP".utf8))
    {
      (type, picture) = (.webp, try Self.webp(FileBytes(file)))
    } else {
      throw file.isEmpty ? .empty : .otherFormat(Self.otherFormat(of: file))
    }
    (width, height, bytes) = (picture.width, picture.height, picture.bytes)
    guard width > 0, height > 0 else { throw .broken }
    // cairo takes four times the memory for a PNG with 16 bits per channel. That number is in the
    // chunk IHDR, after the size.
    let limit = type == .png && bytes[24] == 16 ? Drawing.pixelLimit / 4 : Drawing.pixelLimit
    guard width <= Drawing.sideLimit, height <= Drawing.sideLimit, width * height <= limit else {
      throw .tooLarge(width: width, height: height, limit: limit)
    }
    if type == .png { try checkExpansion() }
  }

  /// Returns the name of the file's format, with its article; nil if it is unknown.
  private static func otherFormat(of file: [UInt8]) -> String? {
    let starts: [(name: String, at: Int, text: String)] = [
      ("a GIF", 0, "GIF8"), ("a BMP", 0, "BM"), ("a PDF", 0, "%PDF"), ("a TIFF", 0, "II*\0"),
      ("a TIFF", 0, "MM\0*"), ("an AVIF", 4, "ftypavif"), ("a HEIF", 4, "ftyphe"),
      ("a HEIF", 4, "ftypmif1"),
    ]
    return starts.first { file.dropFirst($0.at).starts(with: $0.text.utf8) }?.name
  }

  /// The size of a picture in pixels, and the parts of its file that are kept.
  typealias Picture = (width: Int, height: Int, bytes: [UInt8])

  /// Returns whether the picture fits under a map of this geometry. The rule is the same as for
  /// `touchgrid heatmap --background`.
  public func fits(_ geometry: DisplayGeometry) -> Bool {
    geometry.agreesWithPicture(width: width, height: height)
  }
}
