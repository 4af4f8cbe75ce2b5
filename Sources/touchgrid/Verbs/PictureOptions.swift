public import ArgumentParser
import Glibc
public import GridFormats
import HeatmapRendering
import TouchModel

/// The options of all verbs that draw pictures.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw over this screenshot, a PNG of what the person sees.",
      discussion: """
        It must be of the map's display: as large in pixels, or in points, as what is seen there.
        """,
      valueName: "file"), completion: .file(extensions: ["png"]))
  var background: String?

  @Flag(help: "Draw thin lines between all blocks, to see these as they are.")
  var cells = false

  @Flag(
    help: """
      Draw the map alone, without words around it, at its exact size and transparent where there are \
      no touches: to be laid over a screenshot.
      """)
  var bare = false

  @Option(
    help: ArgumentHelp(
      "Pixels of the picture for a point of the display.",
      discussion: """
        Unless given: the screenshot's; without one 1, more for displays of less than 640 points, less \
        for those of more than 4096.
        """,
      valueName: "factor"))
  var scale: Double?

  func validate() throws {
    if let scale, !(0.01...16).contains(scale) {
      throw ValidationError("--scale is a factor from 0.01 to 16.")
    }
    if scale != nil, background != nil {
      throw ValidationError("--background says how large the picture is; leave --scale out.")
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
      png: try readFile(background, limit: Background.byteLimit), name: name)
  }
}

/// The options for the colours.
struct ColourOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The colours of the map, from few to many.", valueName: "name"))
  var map = ColourMap.inferno

  @Flag(help: "Let colours follow the counts themselves, not their logarithm.")
  var linear = false

  @Option(
    help: ArgumentHelp(
      "The value that gets the last colour, so that several pictures can be compared.",
      discussion: "Unless given: the 99th percentile of the touched blocks.", valueName: "value"))
  var max: Double?

  func validate() throws {
    if let max, !(max > 0 && max.isFinite) {
      throw ValidationError("--max is a number above 0.")
    }
  }

  var kind: ColourScale.Kind { linear ? .linear : .log }
}

extension ColourMap: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
  public var defaultValueDescription: String { name }
  public static var allValueStrings: [String] { all.map(\.name) }
}
