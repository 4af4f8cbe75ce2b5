/// The appearance of touches.
public struct BubbleStyle: Hashable, Sendable {
  /// The allowed diameters of a bubble, in points.
  public static let sizes = 8.0...400.0

  /// The diameter of a bubble, in points. A value outside of `sizes` is drawn as the nearest limit,
  /// and NaN as 44.
  public var size = 44.0
  /// Whether only the ring is drawn, without the disc in it.
  public var isRing = false
  /// Whether fingers have different colours, instead of white. At touch-down, a finger gets the
  /// first of ten colours that no other finger on the display has. The idea comes from KWin.
  public var coloursByFinger = false
  /// Whether the recent path of each finger is drawn.
  public var hasTrail = false
  /// Whether taps that follow others at the same place are numbered: 2 for a double tap.
  public var countsTaps = false

  public init() {}

  var clampedSize: Double {
    size.isNaN ? 44 : min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound)
  }
}

/// The kind of surface that shapes are drawn on.
public enum Surface: Hashable, Sendable {
  /// Pixels can be partly transparent.
  case translucent
  /// Each pixel is either drawn or not: X11 without a compositing manager.
  case opaque
}
