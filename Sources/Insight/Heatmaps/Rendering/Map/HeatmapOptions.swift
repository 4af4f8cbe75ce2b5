public import Text

/// The options for drawing a grid.
public struct HeatmapOptions: Hashable, Sendable {
  public var value = GridValue.mean
  public var colours = ColourMap.inferno
  public var scale = ColourScale.Kind.log
  /// The value that gets the last colour; must be above 0. nil: the 99th percentile of the blocks
  /// with a value above 0. With smoothing: the 99th percentile of the smoothed values above half of
  /// the highest value of a single count, because the colours of lower values fade out.
  public var limit: Double?
  /// The standard deviation of the Gaussian that smooths the values, in points. nil: no smoothing.
  public var smoothing: Double?
  /// Whether to draw thin lines between all blocks.
  public var hasGridLines = false
  public var isBare = false
  public var pixelsPerPoint: Double?

  public init() {}
}

/// The sessions that a picture covers: as text for users, and as members of the metadata.
public struct HeatmapSource: Hashable, Sendable {
  /// Printable text, such as `all days; build=1.4`.
  public var words: String
  public var metadata: [JSONValue.Member]

  public init(words: String, metadata: [JSONValue.Member]) {
    self.words = words
    self.metadata = metadata
  }
}
