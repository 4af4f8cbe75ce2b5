/// The colour bar of a legend.
public struct ColourBar: Hashable, Sendable {
  /// A mark on the bar.
  public struct Tick: Hashable, Sendable {
    /// The position along the bar: 0...1.
    public var part: Double
    public var text: String
    public init(_ part: Double, _ text: String) {
      self.part = part
      self.text = text
    }
  }

  /// The unit of the numbers, as text.
  public var unit: String
  /// The colours from left to right, evenly spaced.
  public var inks: [Ink]
  /// The marks, the most important ones first. A mark is left out if it would overlap one before
  /// it.
  public var ticks: [Tick]

  public init(unit: String, inks: [Ink], ticks: [Tick]) {
    self.unit = unit
    self.inks = inks
    self.ticks = ticks
  }

  var pixels: Pixels {
    let inks = inks.isEmpty ? [Ink.white] : inks
    return Pixels(width: inks.count, height: 1, values: inks.map(Pixels.value))
  }
}
