internal import Text

/// The reason why a picture cannot be shown. The description continues a sentence that begins with
/// the name of the file.
public enum ScreenshotError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  /// The name of the format with its article, if it is known.
  case otherFormat(String?)
  /// The file contradicts its format, or ends too early.
  case broken
  /// The EXIF data of the picture tell viewers to rotate or mirror it.
  case turned
  case animated
  /// A JPEG in the colours of a printer.
  case cmyk
  case tooLarge(width: Int, height: Int, limit: Int)
  /// The decoder of JPEG gave this reason, printable.
  case undecodable(String)

  public var description: String {
    switch self {
    case .empty: "is empty"
    case .otherFormat(let format?): "is \(format); save it as PNG, JPEG or WebP"
    case .otherFormat(nil): "is not a PNG, JPEG or WebP file"
    case .broken: "is broken; save it again"
    case .turned: "has EXIF data that rotate it; save it upright"
    case .animated: "is an animation; save one frame of it"
    case .cmyk: "has CMYK colours; save it in RGB"
    case .tooLarge(let width, let height, let limit):
      "has \(width) x \(height) pixels (the limit is \(Drawing.sideLimit) in each direction, and "
        + "\(groupedDigits(UInt64(limit))) in all); make it smaller"
    case .undecodable(let reason): "cannot be decoded (\(reason)); save it again"
    }
  }
}
