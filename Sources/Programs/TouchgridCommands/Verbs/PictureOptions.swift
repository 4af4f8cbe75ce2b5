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
        picture of the screen that 'touchgrid picture' keeps, if there is one.
        """,
      valueName: "file"), completion: .file(extensions: Screenshot.fileEndings))
  var background: String?

  @Flag(name: .customLong("no-background"), help: "Draw on no screenshot.")
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
      throw ValidationError("--background cannot be combined with --no-background.")
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

  /// Returns the picture of a screen that `touchgrid picture` keeps; nil if there is none that fits,
  /// or the options ask for another background or for none.
  func keptBackground(_ key: GridKey) -> Background? {
    guard background == nil, !noBackground, !bare, scale == nil,
      let kept = PictureFolder(path: PictureFolder.standard)
        .picture(of: key.screen, size: PictureSize(key.geometry)),
      kept.picture.fits(key.geometry)
    else { return nil }
    return try? Background(
      file: kept.picture.bytes, name: kept.file.printable(limit: 4096))
  }

  /// Reads the screenshot; nil if the user named none.
  func readBackground() throws -> Background? {
    guard let background else { return nil }
    let name = background.printable(limit: 4096)
    return try Background(
      file: try readFile(background, limit: Background.byteLimit), name: name)
  }
}
