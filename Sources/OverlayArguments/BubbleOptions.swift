public import ArgumentParser
public import TouchFeedback

/// How the overlay's bubbles are drawn.
public struct BubbleOptions: ParsableArguments {
  // What begins with a hyphen is a wrong size, and none that is missing.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Diameter of a bubble in points of the display, 8 to 400.", valueName: "points"))
  public var size = BubbleStyle().size

  @OptionGroup public var look: BubbleLook

  public init() {}

  public func validate() throws {
    guard BubbleStyle.sizes.contains(size) else {
      throw ValidationError("--size takes 8 to 400 points.")
    }
  }

  public var style: BubbleStyle { look.style(size: size) }

  /// The arguments that say the same.
  public var words: [String] {
    let isUsual = size == BubbleStyle().size
    let digits = size == size.rounded() ? "\(Int(size))" : "\(size)"
    return (isUsual ? [] : ["--size", digits]) + look.words
  }
}
