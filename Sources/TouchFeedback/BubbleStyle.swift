/// How touches are drawn.
public struct BubbleStyle: Hashable, Sendable {
  /// How large a bubble may be, in points.
  public static let sizes = 8.0...400.0

  /// Of a bubble, in points: its diameter. Beyond `sizes` the nearest of them is drawn.
  public var size = 44.0
  /// The ring alone, not the disc in it.
  public var isRing = false
  /// A colour for each finger of a hand, in the order of landing, in place of white: ten (KWin's idea).
  public var coloursByFinger = false
  /// Where the finger was a moment ago.
  public var hasTrail = false
  /// The number of a tap that follows others at the same place: 2 in a double tap.
  public var countsTaps = false

  public init() {}

  var clampedSize: Double {
    size.isNaN ? 44 : min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound)
  }
}

/// What the shapes are drawn on.
public enum Surface: Hashable, Sendable {
  /// Something below can shine through.
  case translucent
  /// Each pixel is drawn or not (X11 without a compositing manager).
  case opaque
}
