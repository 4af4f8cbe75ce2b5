package import TouchModel

/// The findings about a control from its counts. `docs/controls.md` has the rules.
package struct ControlResult: Sendable {
  package let control: Control
  /// The size of the control in mm.
  package let size: (width: Double, height: Double)
  package let sums: ControlSums
  /// The responses of the screen to its touches; nil if none were observed.
  package let responses: ControlResponses?
  /// The sessions in which the screen had the control and was touched.
  package let screenSessions: UInt64
  /// Whether a mask or other controls cover more than half of it, so that its counts mean little.
  package let isCovered: Bool
  /// The share of it that lies on the display, 0...1.
  package let visible: Double
  /// The share of its height that lies out of reach from a wheelchair, 0...1; nil if the display's
  /// height above the floor is unknown.
  package let outOfReach: Double?
  /// Whether a mask covered it for some of the time.
  package let wasMasked: Bool
  /// The variance of the density of accidental touches (in touches per square point).
  let strayVariance: Double
  /// The expected accidental touches among the hits and among the near misses, and the area of
  /// both, in square points.
  package let background: (hits: Double, nearMisses: Double, area: Double)
  /// The near misses without the background: touches that were meant for the control and missed it.
  package let missed: Double
  /// The share of touches meant for the control that hit it, with its 95 % interval; nil if there
  /// are too few touches.
  package let hitShare: Share?
  /// The same share with a wider interval (`safeZ`) for findings, so that few of a hundred controls
  /// are reported wrongly.
  package let safeHitShare: Share?
  /// The distribution of the touches meant for the control about its centre; nil if there are too
  /// few.
  package let aim: Aim?
  /// The change after which `wanted` of the touches would hit; nil if no change is needed or helps.
  package let remedy: ControlRemedy?
  /// The hit share if each side were moved outward by 1 mm, or by 2 mm; nil if it is not known
  /// where the misses lie, or there are too few touches.
  package let larger: (two: Double, four: Double)?
  /// The hit share that a control of 20 x 20 mm at the same place would have; nil if this one is
  /// larger, or there are too few touches.
  package let atTwentyMillimetres: Double?

  /// The distribution of touches about the centre of a control, in mm.
  package struct Aim: Hashable, Sendable {
    /// The mean offset from the centre; x to the right, y down.
    package var x: Double
    package var y: Double
    /// The standard errors of the offset.
    package var errorX: Double
    package var errorY: Double
    /// The standard deviations.
    package var deviationX: Double
    package var deviationY: Double
  }

  /// The smallest number of touches from which shares and offsets are computed.
  package static let fewest = 20.0
  /// The share of touches that should hit a control.
  package static let wanted = 0.99
  /// Half the width of an interval of 95 %, in standard errors.
  static let usualZ = 1.96
  /// Half the width of the interval for findings, in standard errors: 0.1 % lie beyond each end.
  static let safeZ = 3.09

  init(
    _ control: Control, _ sums: ControlSums, _ area: ControlArea, _ stray: ControlBackground?,
    pointSize: Double, room: [ControlSums.Side: Double], visible: Double, outOfReach: Double?,
    wasMasked: Bool, screenSessions: UInt64
  ) {
    // Without the touches around it, nothing says how many aimed at nothing.
    let stray = sums.hasPlaces ? stray : nil
    self.control = control
    self.sums = sums
    responses = ControlResponses(sums)
    self.screenSessions = screenSessions
    let edges = control.rectangle
    let measure = (width: edges.width * pointSize, height: edges.height * pointSize)
    size = measure
    (self.visible, self.outOfReach, self.wasMasked) = (visible, outOfReach, wasMasked)
    isCovered = area.inside.area < visible * edges.width * edges.height / 2
    let whole = stray?.area ?? 1
    let estimate = HitEstimate(
      hits: Double(sums.hits.count), near: Double(sums.nearMisses.count),
      around: stray?.touches ?? 0, inside: stray == nil ? 0 : area.inside.area / whole,
      beside: stray == nil ? 0 : area.near.area / whole)
    let density = stray.map { $0.touches / $0.area } ?? 0
    strayVariance = density / whole
    background = (
      density * area.inside.area, density * area.near.area, area.inside.area + area.near.area
    )
    missed = estimate.missed
    guard estimate.tries >= Self.fewest else {
      (hitShare, safeHitShare, aim) = (nil, nil, nil)
      (remedy, larger, atTwentyMillimetres) = (nil, nil, nil)
      return
    }
    let share = Share(estimate.value, in: estimate.interval(z: Self.usualZ))
    let safe = Share(estimate.value, in: estimate.interval(z: Self.safeZ))
    (hitShare, safeHitShare) = (share, safe)
    let measured = Self.aim(sums, area, density: density, pointSize: pointSize)
    aim = measured
    let misses = ControlSums.Side.allCases.map { side in
      ControlSums.rings.indices.dropLast().map { ring in
        ControlRemedy.Misses(
          touches: Double(sums.beside[side.rawValue][ring]),
          stray: density * area.rings[side.rawValue][ring])
      }
    }
    func grown(_ rings: Int) -> Double {
      let gain = misses.reduce(0) { $0 + $1.prefix(rings).reduce(0) { $0 + $1.meant } }
      return min(1, max(share.value, share.value + gain / estimate.tries))
    }
    larger = sums.hasPlaces ? (grown(1), grown(2)) : nil
    atTwentyMillimetres =
      min(size.width, size.height) >= Self.recommendedSide
      ? nil
      : max(
        share.value,
        measured.hitShare(width: Self.recommendedSide, height: Self.recommendedSide))
    remedy =
      safe.high < Self.wanted
      ? ControlRemedy(misses, tries: estimate.tries, hitShare: share.value, room: room) {
        Self.share(sums, area, stray, after: $0, size: measure, pointSize: pointSize)
      } : nil
  }

  /// Returns the hit share that would result if the sides of the control moved outward. Touches in
  /// the new area become hits, and touches up to 5 mm from the new edges near misses.
  /// - Parameters:
  ///   - growth: the distance in mm for each side.
  ///   - size: the size of the control in mm.
  private static func share(
    _ sums: ControlSums, _ area: ControlArea, _ stray: ControlBackground?, after growth: [Double],
    size: (width: Double, height: Double), pointSize: Double
  ) -> Share {
    var (hits, near) = (Double(sums.hits.count), Double(sums.nearMisses.count))
    var (inside, beside) = (area.inside.area, area.near.area)
    var rest = stray ?? ControlBackground(touches: 0, area: 0)
    let (rings, last) = (ControlSums.rings, ControlSums.rings.count - 1)
    for side in ControlSums.Side.allCases where growth[side.rawValue] > 0 {
      let (touches, areas) = (sums.beside[side.rawValue], area.rings[side.rawValue])
      // Part of the ring beyond 5 mm then lies within 5 mm of the new edge. The rest of that ring
      // tells how many touches aim at nothing.
      let part = growth[side.rawValue] / (rings[last] - ControlSums.nearMiss)
      near += part * Double(touches[last])
      beside += part * areas[last]
      rest.touches -= part * Double(touches[last])
      rest.area -= part * areas[last]
      let covered = covered(sums, beside: side, after: growth, size: size, pointSize: pointSize)
      for ring in 0..<last where rings[ring] <= growth[side.rawValue] {
        let (gained, strip) = (covered * Double(touches[ring]), covered * areas[ring])
        (hits, near) = (hits + gained, near - gained)
        (inside, beside) = (inside + strip, beside - strip)
      }
    }
    if let stray, rest.area <= ControlBackground.leastPart * (inside + beside) { rest = stray }
    let estimate = HitEstimate(
      hits: hits, near: near, around: rest.touches,
      inside: stray == nil ? 0 : inside / rest.area, beside: stray == nil ? 0 : beside / rest.area)
    // Assume half a miss more than was counted, so that the estimate stays below 1.
    let most = 1 - 0.5 / max(1, estimate.tries)
    return Share(min(estimate.value, most), in: estimate.interval(z: usualZ))
  }

  /// Returns the share of the near misses beside a side that the control covers if this side moves
  /// outward far enough. The others lie beside its corners: if the left side moves, they are higher
  /// or lower than the control. How many these are follows from the normal distribution with the
  /// mean and the variance of these near misses. Along a long side people do not aim at the middle,
  /// and none are assumed.
  private static func covered(
    _ sums: ControlSums, beside side: ControlSums.Side, after growth: [Double],
    size: (width: Double, height: Double), pointSize: Double
  ) -> Double {
    let isUpright = [.left, .right].contains(side)
    let (length, near) = (isUpright ? size.height : size.width, sums.nearMisses)
    guard length <= longestTarget else { return 1 }
    let ends: [ControlSums.Side] = isUpright ? [.top, .bottom] : [.left, .right]
    var count = Double(near.count)
    var (sum, square) =
      isUpright ? (Double(near.y), Double(near.yy)) : (Double(near.x), Double(near.xx))
    // Leave out the near misses beside the two sides at its ends, each in the middle of its ring.
    for (end, sign) in zip(ends, [-1.0, 1]) {
      var inner = 0.0
      for (touches, outer) in zip(sums.beside[end.rawValue].dropLast(), ControlSums.rings) {
        let distance = sign * (length + inner + outer) / 2 / pointSize
        count -= Double(touches)
        sum -= Double(touches) * distance
        square -= Double(touches) * distance * distance
        inner = outer
      }
    }
    guard count > 0 else { return 1 }
    let mean = sum / count
    return Normal.within(
      -length / 2 - growth[ends[0].rawValue], length / 2 + growth[ends[1].rawValue],
      mean: mean * pointSize,
      deviation: max(1, square / count - mean * mean).squareRoot() * pointSize)
  }

  private static func aim(
    _ sums: ControlSums, _ area: ControlArea, density: Double, pointSize: Double
  ) -> Aim {
    func rest(_ hits: Int64, _ near: Int64, _ inside: Double, _ beside: Double) -> Double {
      Double(hits) + Double(near) - density * (inside + beside)
    }
    let (hits, near) = (sums.hits, sums.nearMisses)
    let count = max(1, rest(hits.count, near.count, area.inside.area, area.near.area))
    func axis(
      _ first: Double, _ second: Double
    ) -> (mean: Double, error: Double, deviation: Double) {
      let mean = first / count
      // Positions are rounded to whole points, which adds a variance of 1/12.
      let variance = max(0, second / count - mean * mean - 1.0 / 12)
      let deviation = variance.squareRoot() * pointSize
      return (mean * pointSize, deviation / count.squareRoot(), deviation)
    }
    let x = axis(
      rest(hits.x, near.x, area.inside.x, area.near.x),
      rest(hits.xx, near.xx, area.inside.xx, area.near.xx))
    let y = axis(
      rest(hits.y, near.y, area.inside.y, area.near.y),
      rest(hits.yy, near.yy, area.inside.yy, area.near.yy))
    return Aim(
      x: x.mean, y: y.mean, errorX: x.error, errorY: y.error, deviationX: x.deviation,
      deviationY: y.deviation)
  }
}

extension ControlResult.Aim {
  /// The share of touches that would hit a control of this size in mm, if they are normally
  /// distributed.
  func hitShare(width: Double, height: Double) -> Double {
    Normal.within(-width / 2, width / 2, mean: x, deviation: deviationX)
      * Normal.within(-height / 2, height / 2, mean: y, deviation: deviationY)
  }
}
