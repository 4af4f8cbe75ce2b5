package import TouchModel

/// The results of all controls of one layout of a screen.
package struct ScreenControlResults: Sendable {
  package let summed: SummedControls
  /// The results, the most urgent one first.
  package let results: [ControlResult]

  package var key: GridKey { summed.counts.key }
  package var set: ControlSet { summed.counts.set }

  package init(_ summed: SummedControls) {
    self.summed = summed
    let (set, geometry) = (summed.counts.set, summed.counts.key.geometry)
    let display = Rectangle.whole(geometry)
    let sums = set.controls.indices.map { summed.counts[$0] }
    // The controls that a mask covered for part of the time. The share of that time is unknown.
    var wasMasked = Set<Int>()
    let masks = set.controls.indices.map { control in
      summed.view.masks.filter { mask in
        let hides = mask.part(of: set.controls[control].rectangle) > 0.5
        if hides, sums[control].hits.count > 0 { wasMasked.insert(control) }
        return !hides || sums[control].hits.count == 0
      }
    }
    let areas = ControlArea.all(set, on: geometry, masks: masks)
    let stray = ControlBackground.all(sums, areas)
    results = set.controls.indices.map { control in
      let edges = set.controls[control].rectangle
      return ControlResult(
        set.controls[control], sums[control], areas[control], stray[control],
        pointSize: set.pointSize, room: set.room(around: control, on: geometry),
        visible: display.map { edges.part(in: $0) } ?? 0,
        outOfReach: summed.view.bottom.flatMap { bottom in
          display.flatMap(edges.clipped)?.outOfReach(
            bottom: bottom, displayHeight: geometry.height, pointSize: set.pointSize)
        }, wasMasked: wasMasked.contains(control),
        screenSessions: summed.sessions)
    }.sorted { $0.urgency > $1.urgency }
  }
}

extension ControlResult {
  /// The urgency of a change. Certain misses weigh most, then missing or late responses and rage
  /// taps, then possible misses, then hits.
  var urgency: Double {
    let tries = hitShare == nil ? 0 : Double(sums.hits.count) + missed
    let certain = safeHitShare.map { max(0, Self.wanted - $0.high) * tries } ?? 0
    let annoyed =
      switch verdict {
      case .dead: Double(responses?.without ?? 0)
      case .slow: Double(responses?.late ?? 0)
      case .rage: Double(sums.rageSessions)
      default: 0.0
      }
    let doubt = verdict == .doubtful ? missed : 0
    return certain * 1e9 + annoyed * 1e6 + doubt * 1e3 + missed + Double(sums.hits.count) / 1e9
  }

  /// The state of a control, as one word.
  package enum Verdict: String, Sendable {
    /// People miss it: certainly fewer than 99 % of the touches meant for it hit it.
    case missed
    /// People may miss it: fewer than 99 % hit it, but that may be due to chance.
    case doubtful
    /// Many touches change nothing on the screen.
    case dead
    /// The screen responds late to most touches.
    case slow
    /// People tap it again and again.
    case rage
    /// Probably no touch was meant for it: it has no more touches than chance explains.
    case untouched
    /// A mask or other controls cover more than half of it, or it is not on the display.
    case covered
    /// There are too few touches or sessions to tell.
    case tooFew
    case fine
  }

  /// The longest side along which people aim at the middle, in mm.
  static let longestTarget = 20.0
  /// The smallest recommended sides, in CSS pixels: WCAG 2.5.8 and 2.5.5.
  private static let (minimumTarget, enhancedTarget) = (24.0, 44.0)
  /// The smallest recommended side, in mm (Colle and Hiszem 2004).
  static let recommendedSide = 20.0
  /// The share of the sessions above which rage taps are a finding.
  static let rageShare = 0.02

  package var verdict: Verdict {
    if isCovered || visible < 0.5 { return .covered }
    if safeHitShare.map({ $0.high < Self.wanted }) == true { return .missed }
    if isDead { return .dead }
    if isSlow { return .slow }
    let rage = Share(Double(sums.rageSessions), of: Double(screenSessions), z: Self.safeZ)
    if Double(screenSessions) >= Self.fewest, rage.low > Self.rageShare { return .rage }
    if let hitShare { return hitShare.high < Self.wanted ? .doubtful : .fine }
    return isUntouched && Double(screenSessions) >= Self.fewest ? .untouched : .tooFew
  }

  /// Whether many of its touches certainly change nothing.
  var isDead: Bool { Double(screenSessions) >= Self.fewest && responses?.isDead == true }

  /// Whether the screen certainly responds late to most of its touches.
  var isSlow: Bool { Double(screenSessions) >= Self.fewest && responses?.isSlow == true }

  /// Whether its hits and near misses are no more than the accidental touches that are expected.
  private var isUntouched: Bool {
    let expected = background.hits + background.nearMisses
    let area = background.area
    let touches = Double(sums.hits.count + sums.nearMisses.count)
    // The expectation is estimated from the touches around the control, so it has a variance of its
    // own.
    let variance = expected + area * area * strayVariance
    return touches <= expected + Self.safeZ * variance.squareRoot()
  }

  /// The smallest recommended size that the control falls short of; nil if it is as large as all of
  /// them.
  package var shortOf: String? {
    let side = min(control.rectangle.width, control.rectangle.height)
    if side < Self.minimumTarget { return "WCAG 2.5.8 (24 px)" }
    if side < Self.enhancedTarget { return "WCAG 2.5.5 (44 px)" }
    return min(size.width, size.height) < Self.recommendedSide ? "20 mm" : nil
  }
}

extension Rectangle {
  /// The heights above the floor that people in a wheelchair reach, in mm: 15 to 48 inches (section
  /// 308 of the ADA standards of 2010).
  static let reach = 380.0...1220

  /// The share of the rectangle's height that lies out of reach, 0...1.
  /// - Parameters:
  ///   - bottom: the height of the display's lower edge above the floor, in mm.
  ///   - displayHeight: in points.
  /// - Returns: nil if it has no height.
  fileprivate func outOfReach(
    bottom: Double, displayHeight: Double, pointSize: Double
  ) -> Double? {
    func above(_ y: Double) -> Double { bottom + (displayHeight - y) * pointSize }
    let (low, high) = (above(y + height), above(y))
    guard low < high else { return nil }
    let reached = min(high, Self.reach.upperBound) - max(low, Self.reach.lowerBound)
    return 1 - max(0, reached) / (high - low)
  }

  /// The share of another rectangle that lies in this one, 0...1.
  fileprivate func part(of other: Rectangle) -> Double { other.part(in: self) }

  /// The share of the rectangle that lies in another one, 0...1.
  fileprivate func part(in other: Rectangle) -> Double {
    clipped(to: other).map { $0.width * $0.height / (width * height) } ?? 0
  }
}

extension ControlSet {
  /// For each side of a control, the distance in mm to the next control beside it, or to the edge of
  /// the display.
  func room(around control: Int, on geometry: DisplayGeometry) -> [ControlSums.Side: Double] {
    let own = controls[control].rectangle
    var room: [ControlSums.Side: Double] = [
      .left: own.x, .right: geometry.width - own.x - own.width, .top: own.y,
      .bottom: geometry.height - own.y - own.height,
    ]
    func limit(_ side: ControlSums.Side, _ gap: Double) {
      if gap >= 0 { room[side] = min(room[side] ?? gap, gap) }
    }
    for (index, other) in controls.enumerated() where index != control {
      let other = other.rectangle
      if other.y < own.y + own.height, own.y < other.y + other.height {
        limit(.left, own.x - other.x - other.width)
        limit(.right, other.x - own.x - own.width)
      }
      if other.x < own.x + own.width, own.x < other.x + other.width {
        limit(.top, own.y - other.y - other.height)
        limit(.bottom, other.y - own.y - own.height)
      }
    }
    return room.mapValues { max(0, $0) * pointSize }
  }
}
