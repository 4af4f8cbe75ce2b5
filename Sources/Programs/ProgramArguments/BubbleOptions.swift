public import ArgumentParser
public import TouchFeedback

/// The options for the bubbles of the overlay.
public struct BubbleOptions: ParsableArguments {
  // With `.unconditional`, a value that begins with a hyphen is a wrong size and not a missing one.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Diameter of a bubble in points of the display, 8 to 400. Default: 44.", valueName: "points"),
    transform: BubbleOptions.readSize)
  public var size = BubbleStyle().size

  @OptionGroup public var look: BubbleLook

  /// Parses a size.
  /// - Throws: An error that says what a size is.
  private static func readSize(_ text: String) throws -> Double {
    guard let size = Double(text) else {
      throw ValidationError("it must be a number of points, such as 44.")
    }
    return size
  }

  public init() {}

  public func validate() throws {
    guard BubbleStyle.sizes.contains(size) else {
      throw ValidationError("--size takes 8 to 400 points.")
    }
  }

  public var style: BubbleStyle { look.style(size: size) }

  /// The command-line arguments that give the same options.
  public var words: [String] {
    let isUsual = size == BubbleStyle().size
    let digits = size == size.rounded() ? "\(Int(size))" : "\(size)"
    return (isUsual ? [] : ["--size", digits]) + look.words
  }
}
