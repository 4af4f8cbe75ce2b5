/// Why a file is not shown, in words that follow its name.
public enum ScreenshotError: Error, Hashable, Sendable, CustomStringConvertible {
  case otherFormat
  /// It contradicts its format, or ends too early.
  case broken
  /// Its EXIF data ask that it be turned before it is looked at.
  case turned
  case animated

  public var description: String {
    switch self {
    case .otherFormat: "is no PNG, JPEG or WebP"
    case .broken: "is broken; save it anew"
    case .turned: "is to be turned by its EXIF data; save it upright"
    case .animated: "is an animation; save a single picture of it"
    }
  }
}
