/// What a legend shows of the colours.
public struct ColourBar: Hashable, Sendable {
  public struct Tick: Hashable, Sendable {
    /// Along the bar: 0...1.
    public var part: Double
    public var text: String
    public init(_ part: Double, _ text: String) {
      self.part = part
      self.text = text
    }
  }

  /// What the numbers count.
  public var unit: String
  /// From left to right, evenly spaced.
  public var inks: [Ink]
  /// The weightiest first: those that have no room beside them are left out.
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
