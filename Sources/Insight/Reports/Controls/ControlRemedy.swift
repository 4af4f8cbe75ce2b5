package import TouchModel

/// A change that makes more touches hit a control: it moves some sides outward by some mm.
package struct ControlRemedy: Hashable, Sendable {
  /// The distance in mm by which each side moves outward: the outer edge of a ring, or 0.
  package let growth: [Double]
  /// The resulting hit share, with its 95 % interval, if people aim as before. It is modelled, and
  /// therefore below 1.
  package let hitShare: Share
  /// The sides that cannot move that far, because another control or the edge of the display is
  /// nearer; with the free distance in mm.
  package let blocked: [ControlSums.Side: Double]

  /// The touches in one ring on one side.
  struct Misses {
    var touches: Double
    /// The expected number of accidental touches among them.
    var stray: Double
    /// The touches that were meant for the control.
    var meant: Double { touches - stray }
  }

  /// Two opposite sides. They move by the same distance, unless the misses clearly lie on one side.
  private struct Axis {
    let sides: [ControlSums.Side]
    var rings = 0
  }

  /// The smallest share of the misses for which an axis is changed.
  private static let leastPart = 0.1
  /// The difference between the sides that counts as clear, in standard errors.
  private static let clear = 2.5
  /// The ratio of the misses of two sides below which only the side with more of them moves.
  private static let oneSided = 0.2

  /// - Parameters:
  ///   - misses: for each side, the rings up to 5 mm.
  ///   - tries: the touches meant for the control, of which `hitShare` hit it.
  ///   - room: for each side, the distance in mm to the next control or the edge of the display.
  ///   - after: returns the hit share after the sides have moved outward by the given distances in
  ///     mm.
  /// - Returns: nil if no change helps.
  init?(
    _ misses: [[Misses]], tries: Double, hitShare: Double, room: [ControlSums.Side: Double],
    after: ([Double]) -> Share
  ) {
    func sum(_ sides: [ControlSums.Side], _ rings: Range<Int>) -> Misses {
      sides.flatMap { misses[$0.rawValue][rings] }.reduce(Misses(touches: 0, stray: 0)) {
        Misses(touches: $0.touches + $1.touches, stray: $0.stray + $1.stray)
      }
    }
    let all = 0..<(misses.first?.count ?? 0)
    let missed = tries * (1 - hitShare)
    var axes = [[ControlSums.Side.left, .right], [.top, .bottom]].compactMap { pair -> Axis? in
      let both = sum(pair, all)
      guard both.meant >= Self.leastPart * missed,
        both.meant > Self.clear * both.touches.squareRoot()
      else { return nil }
      let (one, other) = (sum([pair[0]], all), sum([pair[1]], all))
      let difference = one.meant - other.meant
      let isClear = abs(difference) > Self.clear * both.touches.squareRoot()
      guard isClear, min(one.meant, other.meant) < Self.oneSided * max(one.meant, other.meant)
      else {
        return Axis(sides: pair)
      }
      return Axis(sides: [difference > 0 ? pair[0] : pair[1]])
    }
    func gain() -> Double {
      axes.reduce(0) { $0 + sum($1.sides, 0..<$1.rings).meant }
    }
    // Apply the change that gains most per mm, by one ring or more, until too many misses are no
    // longer certain.
    while true {
      let left = missed - gain()
      let isEnough = left - left.magnitude.squareRoot() <= (1 - ControlResult.wanted) * tries
      let steps = axes.indices.flatMap { axis in
        let from = axes[axis].rings
        let start = from == 0 ? 0 : ControlSums.rings[from - 1]
        return all.dropFirst(from).map { ring -> (axis: Int, rings: Int, gain: Double) in
          let gain = sum(axes[axis].sides, from..<(ring + 1)).meant
          return (axis, ring + 1, gain / (ControlSums.rings[ring] - start))
        }
      }
      guard !isEnough, let best = steps.max(by: { $0.gain < $1.gain }), best.gain > 0 else { break }
      axes[best.axis].rings = best.rings
    }
    var growth = ControlSums.Side.allCases.map { _ in 0.0 }
    for axis in axes where axis.rings > 0 {
      for side in axis.sides { growth[side.rawValue] = ControlSums.rings[axis.rings - 1] }
    }
    guard growth.contains(where: { $0 > 0 }) else { return nil }
    self.growth = growth
    self.hitShare = after(growth)
    blocked = room.filter { side, free in growth[side.rawValue] > free }
  }

  /// The remedy in words: `4 mm taller`, or `+2 mm at the top`.
  package var words: String {
    func words(_ low: ControlSums.Side, _ high: ControlSums.Side, _ both: String) -> [String] {
      let (one, other) = (growth[low.rawValue], growth[high.rawValue])
      if one == other { return one > 0 ? ["\(Int(one + other)) mm \(both)"] : [] }
      return [low, high].filter { growth[$0.rawValue] > 0 }.map {
        "+\(Int(growth[$0.rawValue])) mm \($0.words)"
      }
    }
    return (words(.top, .bottom, "taller") + words(.left, .right, "wider")).joined(separator: ", ")
  }
}

extension ControlSums.Side {
  /// The side in words.
  package var words: String {
    switch self {
    case .left: "on the left"
    case .right: "on the right"
    case .top: "at the top"
    case .bottom: "at the bottom"
    }
  }
}
