/// The reason why a picture cannot be shown. The description continues a sentence that begins with
/// the name of the file.
public enum ScreenshotError: Error, Hashable, Sendable, CustomStringConvertible {
  case otherFormat
  /// The file contradicts its format, or ends too early.
  case broken
  /// The EXIF data of the picture ask viewers to turn or mirror it.
  case turned
  case animated

  public var description: String {
    switch self {
    case .otherFormat: "is not a PNG, JPEG or WebP file"
    case .broken: "is broken; save it again"
    case .turned: "has EXIF data that rotate it; save it upright"
    case .animated: "is an animation; save one frame of it"
    }
  }
}
