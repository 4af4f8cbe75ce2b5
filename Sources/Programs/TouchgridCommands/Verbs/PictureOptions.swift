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
        It may be scaled, but must have the shape of the display after rotation.
        """,
      valueName: "file"), completion: .file(extensions: Screenshot.fileEndings))
  var background: String?

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
    if scale != nil, background != nil {
      throw ValidationError(
        "--scale cannot be combined with --background, which sets the size of the picture.")
    }
  }

  /// The first of these options that the user gave; nil for none.
  var given: String? {
    if background != nil { return "--background" }
    if cells { return "--cells" }
    if bare { return "--bare" }
    return scale == nil ? nil : "--scale"
  }

  /// Reads the screenshot; nil if the user named none.
  func readBackground() throws -> Background? {
    guard let background else { return nil }
    let name = background.printable(limit: 4096)
    return try Background(
      file: try readFile(background, limit: Background.byteLimit), name: name)
  }
}
