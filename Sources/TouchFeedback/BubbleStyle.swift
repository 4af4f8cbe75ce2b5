/// How touches are drawn.
public struct BubbleStyle: Hashable, Sendable {
  /// How large a bubble may be, in points.
  public static let sizes = 8.0...400.0

  /// Of a bubble, in points: its diameter.
  public var size = 44.0
  /// The ring alone, not the disc in it.
  public var isRing = false
  /// A colour for each finger of a hand that lands, in place of white.
  public var coloursByFinger = false
  /// Where the finger was a moment ago.
  public var hasTrail = false
  /// The number of a tap that follows others at the same place: 2 in a double tap.
  public var countsTaps = false

  public init() {}
}

/// What the shapes are drawn on.
public enum Surface: Hashable, Sendable {
  /// Something below can shine through.
  case translucent
  /// Each pixel is drawn or not (X11 without a compositing manager).
  case opaque
}
