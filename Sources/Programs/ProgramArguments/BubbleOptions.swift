public import ArgumentParser
public import TouchFeedback

/// The options for the bubbles of the overlay.
public struct BubbleOptions: ParsableArguments {
  // With `.unconditional`, the parser reports a value that begins with a hyphen as invalid, not as
  // missing.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Diameter of a bubble in points of the display, 8 to 400. Default: 44.", valueName: "points"),
    transform: BubbleOptions.readDiameter)
  public var diameter = BubbleStyle().size

  @OptionGroup public var appearance: BubbleAppearance

  /// Parses a diameter.
  /// - Throws: An error that explains the valid diameters.
  private static func readDiameter(_ text: String) throws -> Double {
    guard let diameter = Double(text) else {
      throw ValidationError("it must be a number of points, such as 44.")
    }
    return diameter
  }

  public init() {}

  public func validate() throws {
    guard BubbleStyle.sizes.contains(diameter) else {
      throw ValidationError("--diameter takes 8 to 400 points.")
    }
  }

  public var style: BubbleStyle { appearance.style(size: diameter) }

  /// The command-line arguments that give the same options.
  public var arguments: [String] {
    let isUsual = diameter == BubbleStyle().size
    let digits = diameter == diameter.rounded() ? "\(Int(diameter))" : "\(diameter)"
    return (isUsual ? [] : ["--diameter", digits]) + appearance.arguments
  }
}
