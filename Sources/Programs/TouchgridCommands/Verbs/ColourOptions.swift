public import ArgumentParser
public import Heatmaps

struct ColourOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The colours of the map, from low to high values.", valueName: "name"))
  var colourMap = ColourMap.inferno

  @Flag(help: "Use a linear colour scale instead of a logarithmic one.")
  var linear = false

  @Option(
    help: ArgumentHelp(
      "The value at which the colours end. Set it for pictures that you want to compare.",
      discussion: "Default: the 99th percentile of the touched blocks.", valueName: "value"),
    transform: readNumber)
  var max: Double?

  func validate() throws {
    if let max, !(max > 0 && max.isFinite) {
      throw ValidationError("--max takes a number above 0.")
    }
  }

  var kind: ColourScale.Kind { linear ? .linear : .log }
}

extension ColourMap: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
  public var defaultValueDescription: String { name }
  public static var allValueStrings: [String] { all.map(\.name) }
  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
