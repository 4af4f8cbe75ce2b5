public import GridFormats

/// How a grid becomes a picture.
public struct HeatmapOptions: Hashable, Sendable {
  public var value = GridValue.mean
  public var colours = ColourMap.inferno
  public var scale = ColourScale.Kind.log
  /// The value that gets the last colour, above 0; nil: the 99th percentile of the blocks above 0.
  public var limit: Double?
  /// The standard deviation of a Gaussian that blurs what is shown, in points; nil for the blocks as they are.
  public var smoothing: Double?
  /// Thin lines between all blocks.
  public var hasGridLines = false
  public var isBare = false
  public var pixelsPerPoint: Double?

  public init() {}
}

/// Whose touches are shown: in words for people, and as members of the metadata.
public struct HeatmapSource: Hashable, Sendable {
  /// Such as `all days; build=1.4`. Printable.
  public var words: String
  public var metadata: [JSONValue.Member]

  public init(words: String, metadata: [JSONValue.Member]) {
    self.words = words
    self.metadata = metadata
  }
}
