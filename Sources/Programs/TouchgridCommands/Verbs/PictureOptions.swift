import ArgumentParser
import Glibc
import Heatmaps
import Text
import TouchModel

/// The options of all verbs that draw pictures.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw on this screenshot of the display (PNG, JPEG or WebP).",
      discussion: """
        It may be scaled, but must have the shape of the display after rotation. Default: the \
        picture of the screen, if 'touchgrid picture' has one; none with --bare or --scale.
        """,
      valueName: "file"), completion: .file(extensions: Screenshot.fileEndings))
  var background: String?

  @Flag(help: "Draw on no screenshot.")
  var noBackground = false

  @Flag(help: "Draw thin lines between the blocks.")
  var cells = false

  @Flag(
    help: """
      Draw only the map, at its exact size and transparent where there are no touches, to put it over \
      a screenshot.
      """)
  var bare = false

  @Option(
    help: ArgumentHelp(
      "Pixels of the picture per point of the display.",
      discussion: """
        Default: the scale of the screenshot. Without a screenshot: 1, more if the longer side of \
        the display is at most 320 points, less if it is above 4096.
        """,
      valueName: "factor"), transform: readNumber)
  var scale: Double?

  func validate() throws {
    if let scale, !(0.01...16).contains(scale) {
      throw ValidationError("--scale takes 0.01 to 16.")
    }
    if noBackground, background != nil {
      throw ValidationError("--no-background cannot be combined with --background.")
    }
    if scale != nil, background != nil {
      throw ValidationError(
        "--scale cannot be combined with --background, which sets the size of the picture.")
    }
  }

  /// The first of these options that the user gave; nil for none.
  var given: String? {
    if background != nil { return "--background" }
    if noBackground { return "--no-background" }
    if cells { return "--cells" }
    if bare { return "--bare" }
    return scale == nil ? nil : "--scale"
  }

  /// Finds the screenshots that the user wants.
  /// - Throws: an error if the screenshot that the user named cannot be read.
  func backgrounds() throws -> Backgrounds {
    guard let background else {
      return noBackground || bare || scale != nil ? .none : .folder(ScreenshotFolder())
    }
    let name = background.printable(limit: 4096)
    return .one(
      try Background(file: try readFile(background, limit: Background.byteLimit), name: name))
  }
}

/// The screenshots to draw maps on.
enum Backgrounds {
  case none
  /// The screenshot that the user named. It shows one screen.
  case one(Background)
  case folder(ScreenshotFolder)

  /// Checks a screenshot that the user named.
  /// - Throws: an error if the maps are of several screens.
  func check(_ keys: [GridKey]) throws(Failure) {
    guard case .one = self, Set(keys.map(\.screen)).count > 1 else { return }
    throw Failure(
      "a screenshot shows one screen; name one of these:\n"
        + HeatmapNames.arguments(keys))
  }

  /// Returns the screenshot for a map; nil for none. A screenshot in the folder that cannot be used
  /// only causes a warning.
  /// - Throws: an error if the screenshot that the user named does not fit the map.
  func background(for key: GridKey) throws -> Background? {
    switch self {
    case .none: return nil
    case .one(let background):
      try background.fit(key.geometry)
      return background
    case .folder(let folder):
      do {
        guard let screenshot = try folder.screenshot(of: key) else { return nil }
        return Background(try screenshot.pixels(), name: key.screen.printable())
      } catch {
        writeError("\(key.screen.printable()): \(error)")
        return nil
      }
    }
  }
}
