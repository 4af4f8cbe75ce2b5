public import TouchModel

/// A picture of what the app shows: the bytes of a file, less what is no part of the picture. A report is sent
/// on, and nobody expects it to tell by whom, where and with what its screenshots were taken.
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
      throw .otherFormat
    }
    guard picture.width > 0, picture.height > 0 else { throw .broken }
    (width, height, bytes) = (picture.width, picture.height, picture.bytes)
  }

  /// What is left of a file.
  typealias Picture = (width: Int, height: Int, bytes: [UInt8])

  /// Whether it can be laid under a map: by the rule that `touchgrid heatmap --background` has, too.
  public func fits(_ geometry: DisplayGeometry) -> Bool {
    geometry.agreesWithPicture(width: width, height: height)
  }
}
