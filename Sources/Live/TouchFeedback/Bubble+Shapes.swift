public import TouchModel

extension Bubble {
  /// Returns the shapes that draw this bubble alone; empty once it has faded. All shapes except the
  /// trail are centred on `point`.
  public func shapes(
    at time: Timestamp, style: BubbleStyle, surface: Surface = .translucent
  ) -> [Shape] {
    var shapes: [Shape] = []
    self.shapes(at: time, style, surface, into: &shapes)
    return shapes
  }

  /// Appends the shapes of this bubble to `all`, like `shapes(at:style:surface:)`.
  func shapes(at time: Timestamp, _ style: BubbleStyle, _ surface: Surface, into all: inout [Shape])
  {
    let presence = presence(at: time)
    guard presence > 0 else { return }
    let colour = style.coloursByFinger ? FingerColours.colour(ofFinger: finger) : .white
    let size = style.clampedSize
    // On an opaque surface, a trail would hide what lies below.
    if style.hasTrail, surface == .translucent {
      ribbons(at: time, size, colour, presence, into: &all)
    }
    let isBare = style.isRing || surface == .opaque
    if isBare {
      rings(size, colour, presence, surface, into: &all)
    } else {
      let fill = style.coloursByFinger ? colour.faded(by: 0.65) : Self.paleFill
      disc(size, fill, presence, into: &all)
    }
    if style.countsTaps, tap > 1 {
      count(size, presence, hasDisc: !isBare, surface, into: &all)
    }
  }

  private static func ringWidth(_ size: Double) -> Double { max(1.5, size / 16) }

  /// White at 50 %, over a dark shade that keeps the disc visible on a white background.
  private static let paleFill = Colour.white.faded(by: 0.5).over(Colour.dark.faded(by: 0.25))

  /// Appends a disc with a dark ring, and a light line around the ring, so that the bubble is
  /// visible on any background.
  private func disc(_ size: Double, _ fill: Colour, _ presence: Double, into all: inout [Shape]) {
    let line = max(1, size / 44)
    all.append(
      .disc(
        centre: point, radius: size / 2, fill: .clear,
        ring: Colour.white.faded(by: 0.75 * presence), ringWidth: line))
    all.append(
      .disc(
        centre: point, radius: size / 2 - line, fill: fill.faded(by: presence),
        ring: Colour.dark.faded(by: presence), ringWidth: Self.ringWidth(size)))
  }

  /// Appends a bright ring within a dark one, so that the bubble is visible on any background. As
  /// the bubble fades, the rings become paler or, on an opaque surface, thinner.
  private func rings(
    _ size: Double, _ colour: Colour, _ presence: Double, _ surface: Surface,
    into all: inout [Shape]
  ) {
    let opacity = surface == .opaque ? 1 : presence
    let width = Self.ringWidth(size) * (surface == .opaque ? presence : 1)
    all.append(
      .disc(
        centre: point, radius: size / 2, fill: .clear, ring: Colour.dark.faded(by: opacity),
        ringWidth: width))
    all.append(
      .disc(
        centre: point, radius: size / 2 - width, fill: .clear, ring: colour.faded(by: opacity),
        ringWidth: width * 1.5))
  }

  /// Appends the trail: a dark shade with a light ribbon within it, so that it is visible on any
  /// background.
  private func ribbons(
    at time: Timestamp, _ size: Double, _ colour: Colour, _ presence: Double,
    into all: inout [Shape]
  ) {
    let way = trail.way(before: time)
    guard way.count > 1 else { return }
    let edge = max(0.75, size / 44)
    let width = size * 0.45
    let layers = [(width + 2 * edge, Colour.dark.faded(by: 0.3)), (width, colour.faded(by: 0.5))]
    for (width, colour) in layers {
      let polygons = Ribbon.polygons(along: way, width: width, outside: point, size / 2)
      guard !polygons.isEmpty else { return }
      all.append(.area(polygons: polygons, colour: colour.faded(by: presence)))
    }
  }

  /// Appends the number of the tap.
  /// - Parameter hasDisc: Whether the bubble has a disc, which already lies below the number.
  private func count(
    _ size: Double, _ presence: Double, hasDisc: Bool, _ surface: Surface, into all: inout [Shape]
  ) {
    let opacity = surface == .opaque ? 1 : presence
    all.append(
      .disc(
        centre: point, radius: size * 0.32,
        fill: Colour.white.faded(by: hasDisc ? 0.6 * opacity : opacity), ring: .clear, ringWidth: 0)
    )
    let height = size * (tap > 99 ? 0.2 : tap > 9 ? 0.28 : 0.36)
    all.append(
      .label(
        text: String(tap), centre: point, height: height, colour: Colour.dark.faded(by: opacity)))
  }
}
