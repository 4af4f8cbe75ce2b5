public import ArgumentParser
public import TouchFeedback

/// The options for the look of bubbles, except their diameter. The overlay and the subtitles of
/// videos share them.
public struct BubbleAppearance: ParsableArguments {
  /// The values of `--colour-by`.
  public enum ColourRule: String, CaseIterable, ExpressibleByArgument, Sendable { case finger }

  @Flag(help: "Draw only a ring, without a disc.")
  public var ring = false

  @Option(
    help: ArgumentHelp(
      "Use colours instead of white; finger: one of ten colours for each finger that is down.",
      valueName: "what"))
  public var colourBy: ColourRule?

  @Flag(help: "Draw the recent path of each finger.")
  public var trail = false

  @Flag(help: "Number repeated taps at the same place, such as 2 for a double tap.")
  public var count = false

  public init() {}

  /// Returns the style that these options describe.
  /// - Parameter size: The diameter of a bubble, in points.
  public func style(size: Double) -> BubbleStyle {
    var style = BubbleStyle()
    style.size = size
    style.isRing = ring
    style.coloursByFinger = colourBy == .finger
    style.hasTrail = trail
    style.countsTaps = count
    return style
  }

  /// The command-line arguments that give the same options.
  public var arguments: [String] {
    var arguments: [String] = []
    if ring { arguments.append("--ring") }
    if let colourBy { arguments += ["--colour-by", colourBy.rawValue] }
    if trail { arguments.append("--trail") }
    if count { arguments.append("--count") }
    return arguments
  }
}
