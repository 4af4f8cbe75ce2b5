public import TouchModel

extension Bubble {
  /// What is drawn of it, as if it were alone; all but strokes lie around its point.
  public func shapes(
    at time: Timestamp, style: BubbleStyle, surface: Surface = .translucent
  ) -> [Shape] {
    var shapes: [Shape] = []
    self.shapes(at: time, style, surface, into: &shapes)
    return shapes
  }

  /// What is drawn of it.
  func shapes(at time: Timestamp, _ style: BubbleStyle, _ surface: Surface, into all: inout [Shape])
  {
    let presence = presence(at: time)
    guard presence > 0 else { return }
    let colour = style.coloursByFinger ? FingerColours.colour(ofFinger: finger) : .white
    let size = style.clampedSize
    if style.hasTrail { trail(at: time, size, colour, presence, surface, into: &all) }
    let isBare = style.isRing || surface == .opaque
    if isBare {
      rings(size, colour, presence, surface, into: &all)
    } else {
      all.append(
        .disc(
          centre: point, radius: size / 2,
          fill: colour.faded(by: (style.coloursByFinger ? 0.65 : 0.5) * presence),
          ring: Colour.dark.faded(by: presence), ringWidth: Self.ringWidth(size)))
    }
    if style.countsTaps, tap > 1 {
      count(size, presence, hasDisc: !isBare, surface, into: &all)
    }
  }

  private static func ringWidth(_ size: Double) -> Double { max(1.5, size / 22) }

  /// A bright ring within a dark one, so that it is seen on any background. Where nothing can be half
  /// transparent, it grows thin instead of pale.
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

  /// Lines over one another, each shorter, wider and no paler than the one below: they taper and fade. A dark
  /// edge shows them on a bright background.
  private func trail(
    at time: Timestamp, _ size: Double, _ colour: Colour, _ presence: Double, _ surface: Surface,
    into all: inout [Shape]
  ) {
    let layers = 6
    let edge = Self.ringWidth(size) / 2
    var ways: [(points: [Point], width: Double)] = []
    for layer in 1...layers {
      let age = Trail.memory * Int64(layers + 1 - layer) / Int64(layers)
      let points = trail.points(within: age, before: time, distance: 2)
      guard !points.isEmpty else { break }
      let thickness = surface == .opaque ? presence : 1
      ways.append((points, size * 0.45 * Double(layer) / Double(layers) * thickness))
    }
    for (points, width) in ways {
      let dark = Colour.dark.faded(by: surface == .opaque ? 1 : 0.07 * presence)
      all.append(.stroke(points: points, width: width + 2 * edge, colour: dark))
    }
    for (points, width) in ways {
      let bright = colour.faded(by: surface == .opaque ? 1 : 0.11 * presence)
      all.append(.stroke(points: points, width: width, colour: bright))
    }
  }

  /// - Parameter hasDisc: something pale lies below already.
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
