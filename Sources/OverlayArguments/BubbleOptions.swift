public import ArgumentParser
public import TouchFeedback

/// The options for the bubbles of the overlay.
public struct BubbleOptions: ParsableArguments {
  // With `.unconditional`, a value that begins with a hyphen is a wrong size and not a missing one.
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

  /// The command-line arguments that give the same options.
  public var words: [String] {
    let isUsual = size == BubbleStyle().size
    let digits = size == size.rounded() ? "\(Int(size))" : "\(size)"
    return (isUsual ? [] : ["--size", digits]) + look.words
  }
}
