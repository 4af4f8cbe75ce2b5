package import Heatmaps
package import TouchModel

/// Controls that are not described yet: spots of a screen where people tap, with the shapes that a
/// picture shows there. What looks like a keypad becomes a proposed mask instead.
package struct ControlProposals: Sendable {
  package struct Spot: Hashable, Sendable {
    /// The spot's number on its screen, from 1. The spot with most touches comes first.
    package var number = 0
    /// Whether it is proposed as a mask, otherwise as a control.
    package let isMask: Bool
    /// In whole points.
    package let rectangle: Rectangle
    package let touches: UInt64
    /// Its share of all touches that began on the screen.
    package let share: Double
  }

  /// Nothing is proposed for a place that fewer sessions touched.
  package static let leastSessions: UInt64 = 10
  /// The fewest touches of a proposed control, and of a key of a keypad.
  private static let (leastTouches, leastOfKey): (UInt64, UInt64) = (20, 8)
  /// Touches nearer to each other than this belong to one spot, in mm.
  private static let apart = 7.0
  /// The half of a side, in standard deviations of the touches. People aim at the middle of a
  /// target of width W with σ² = 1.68 mm² + 0.0075 W² (Bi and Zhai, "FFitts law", 2013). For targets
  /// from 10 to 70 mm, 2.9 to 5.6 deviations are half the width.
  private static let deviations = 4.4
  /// The smallest half of a side without a shape, and the smallest side, in mm.
  private static let (leastHalf, leastSide) = (5.0, 5.0)
  /// The largest half of a side of a shape, in standard deviations of the touches.
  private static let mostDeviations = 12.0
  /// The smallest share of a spot's touches in its shape.
  private static let leastInside = 0.5

  package let key: GridKey
  package private(set) var spots: [Spot] = []
  /// The sessions that showed the screen.
  package var sessions: UInt64 { taps.sessions }

  private let clusters: TapClusters
  private let taps: SummedGrid
  private let masks: [Rectangle]
  /// The size of a point, in mm. The size of the display is not known here.
  private let pointSize = ControlSet.assumedPointSize

  /// - Parameters:
  ///   - taps: the layer `taps`, with the counts of single sessions in blocks that fewer than
  ///     `leastSessions` touched. Without these, fewer spots are certain to have so many sessions.
  ///   - trail: the layer `trail` of the same sessions.
  ///   - picture: the picture of the screen, if there is one.
  ///   - masks: the masks that hold now. Those of the sessions are in `taps`.
  ///   - controls: the controls that are described already.
  package init(
    _ taps: SummedGrid, trail: SummedGrid, picture: Pixels? = nil, masks: [Rectangle] = [],
    besides controls: [Rectangle] = []
  ) {
    let masks = taps.masks + masks
    (key, self.taps, self.masks) = (taps.key, taps, masks)
    clusters = TapClusters(taps, pointSize: pointSize, apart: Self.apart) { area in
      !masks.contains { $0.isNear(area, within: 0) }
    }
    let known = clusters.all.filter { $0.touches >= Self.leastOfKey }
    let keypads = Self.keypads(known.map(\.middle), reach: Self.mostOfKey / pointSize)
      .compactMap { spot(ofKeys: $0.map { known[$0] }) }
    let areas = keypads.map(\.rectangle) + controls
    let others = known.filter { cluster in
      cluster.touches >= Self.leastTouches && !areas.contains { $0.contains(cluster.middle) }
        && clusters.sessions(cluster.blocks) >= Self.leastSessions
    }
    let screen = picture.map { ScreenPicture($0, of: key.geometry, masks: masks) }
    spots = keypads.filter { keypad in !masks.contains { $0.isNear(keypad.rectangle, within: 0) } }
    for (cluster, edges) in placed(others, on: screen, trail, besides: areas) {
      guard let rectangle = edges.whole, min(rectangle.width, rectangle.height) >= leastSide,
        !masks.contains(where: { $0.isNear(rectangle, within: 0) })
      else { continue }
      spots.append(spot(rectangle, of: cluster.touches, isMask: false))
    }
    spots.sort { $0.touches > $1.touches }
    for index in spots.indices { spots[index].number = index + 1 }
  }

  private var leastSide: Double { Self.leastSide / pointSize }

  private func spot(_ rectangle: Rectangle, of touches: UInt64, isMask: Bool) -> Spot {
    let all = taps.sum.reduce(0) { $0 + Double($1) }
    return Spot(
      isMask: isMask, rectangle: rectangle, touches: touches, share: Double(touches) / all)
  }

  // MARK: Edges

  /// Returns the clusters whose edges are known: those of shapes, and the estimates of others,
  /// without what belongs to another cluster or area.
  private func placed(
    _ found: [TapClusters.Cluster], on screen: ScreenPicture?, _ trail: SummedGrid,
    besides areas: [Rectangle]
  ) -> [(TapClusters.Cluster, Edges)] {
    let shapes = found.map { cluster in
      screen.flatMap { shape(of: cluster, on: $0, among: found) }
    }
    // A drag begins in the middle of nothing; whether a button lies there, only a shape tells.
    let kept = zip(found, shapes).filter { cluster, shape in
      shape != nil || !clusters.isDragged(cluster, trail, pointSize: pointSize)
    }
    let first = kept.map { cluster, shape in
      func half(_ deviation: Double) -> Double {
        max(Self.leastHalf / pointSize, Self.deviations * deviation)
      }
      var edges =
        shape.map { Edges($0) }
        ?? Edges(around: cluster.middle, half(cluster.deviation.x), half(cluster.deviation.y))
      edges.cut(to: key.geometry)
      return edges
    }
    return kept.indices.map { index in
      let (cluster, shape) = kept[index]
      var edges = first[index]
      guard shape == nil else { return (cluster, edges) }
      for area in masks + areas { edges.leave(Edges(area), around: cluster.middle) }
      for other in kept.indices where other != index && first[index].overlaps(first[other]) {
        if kept[other].1 != nil {
          edges.leave(first[other], around: cluster.middle)
        } else {
          edges.share(with: kept[other].0, cluster)
        }
      }
      return (cluster, edges)
    }
  }

  /// Returns the shape under a cluster; nil if there is none, or if it is not that of this cluster
  /// alone.
  private func shape(
    of cluster: TapClusters.Cluster, on screen: ScreenPicture, among all: [TapClusters.Cluster]
  ) -> Rectangle? {
    let (middle, deviation) = (cluster.middle, cluster.deviation)
    guard
      let shape = screen.shape(
        around: middle, reach: (deviation.x, deviation.y), least: leastSide),
      shape.width <= 2 * Self.mostDeviations * deviation.x,
      shape.height <= 2 * Self.mostDeviations * deviation.y,
      !all.contains(where: { $0.middle != middle && shape.contains($0.middle) })
    else { return nil }
    let inside = cluster.blocks.filter {
      key.geometry.area(ofBlock: $0)?.isNear(shape, within: 0) ?? false
    }
    let touches = inside.reduce(UInt64(0)) { $0 &+ taps.sum[$1] }
    return Double(touches) >= Self.leastInside * Double(cluster.touches) ? shape : nil
  }

  // MARK: Keypads

  /// The largest distance of two keys of a keypad, in mm.
  private static let mostOfKey = 40.0
  /// A keypad has at least this many keys, in at least this many rows and columns. A row of so many
  /// keys is one as well.
  private static let (leastKeys, leastRows) = (8, 3)
  /// How far a key may lie from its place in the grid, in steps of the grid.
  private static let mostOff = 0.2
  /// The smallest part of the places in a grid that have a key.
  private static let leastOccupied = 0.6

  /// Returns the indices of the points that lie in a regular grid, for each such grid.
  private static func keypads(_ points: [Point], reach: Double) -> [[Int]] {
    var left = Set(points.indices)
    var found: [[Int]] = []
    while let keys = left.sorted().map({ grid(from: $0, points, left, reach) })
      .max(by: { $0.count < $1.count }), !keys.isEmpty
    {
      found.append(keys)
      left.subtract(keys)
    }
    return found
  }

  /// Returns the points that lie in the regular grid that a point and its next ones to the right
  /// and below begin; empty if that is no keypad.
  private static func grid(
    from first: Int, _ points: [Point], _ left: Set<Int>, _ reach: Double
  ) -> [Int] {
    let start = points[first]
    let steps = left.map { (x: points[$0].x - start.x, y: points[$0].y - start.y) }
    let across = steps.filter { $0.x > 0 && abs($0.y) <= $0.x / 4 }.map(\.x).min() ?? reach
    let down = steps.filter { $0.y > 0 && abs($0.x) <= $0.y / 4 }.map(\.y).min() ?? across
    guard across <= reach, down <= reach else { return [] }
    var cells: [Block: Int] = [:]
    for index in left {
      let (x, y) = ((points[index].x - start.x) / across, (points[index].y - start.y) / down)
      let (column, row) = (x.rounded(), y.rounded())
      guard abs(x - column) <= mostOff, abs(y - row) <= mostOff else { continue }
      cells[Block(column: Int(column), row: Int(row))] = index
    }
    // Only what is connected with the first key.
    var (own, next) = ([Block](), [Block(column: 0, row: 0)])
    var keys: [Int] = []
    while let cell = next.popLast() {
      guard let index = cells.removeValue(forKey: cell) else { continue }
      own.append(cell)
      keys.append(index)
      for (column, row) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        next.append(Block(column: cell.column + column, row: cell.row + row))
      }
    }
    let (columns, rows) = (own.map(\.column), own.map(\.row))
    guard keys.count >= leastKeys, let left = columns.min(), let right = columns.max(),
      let top = rows.min(), let bottom = rows.max()
    else { return [] }
    let (width, height) = (right - left + 1, bottom - top + 1)
    guard width >= leastRows && height >= leastRows || height == 1,
      Double(keys.count) >= leastOccupied * Double(width * height)
    else { return [] }
    return keys
  }

  /// Returns the spot of a keypad; nil if too few sessions touched it. It reaches half a key beyond
  /// the middles of the outer keys.
  private func spot(ofKeys keys: [TapClusters.Cluster]) -> Spot? {
    let (x, y) = (keys.map(\.middle.x), keys.map(\.middle.y))
    guard clusters.sessions(keys.flatMap(\.blocks)) >= Self.leastSessions,
      let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max()
    else { return nil }
    func half(_ places: [Double]) -> Double {
      let sorted = places.sorted()
      let gaps = zip(sorted.dropFirst(), sorted).map { $0 - $1 }
      return max(Self.leastHalf / pointSize, (gaps.max() ?? 0) / 2)
    }
    var edges = Edges(
      left: left - half(x), top: top - half(y), right: right + half(x), bottom: bottom + half(y))
    edges.cut(to: key.geometry)
    let touches = keys.reduce(UInt64(0)) { $0 &+ $1.touches }
    return edges.whole.map { spot($0, of: touches, isMask: true) }
  }
}

/// The edges of a rectangle that is not final, in points.
private struct Edges {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  init(left: Double, top: Double, right: Double, bottom: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  init(_ area: Rectangle) {
    self.init(
      left: area.x, top: area.y, right: area.x + area.width, bottom: area.y + area.height)
  }

  init(around middle: Point, _ across: Double, _ down: Double) {
    self.init(
      left: middle.x - across, top: middle.y - down, right: middle.x + across,
      bottom: middle.y + down)
  }

  /// The rectangle in whole points; nil if nothing is left of it.
  var whole: Rectangle? {
    let (x, y) = (left.rounded(), top.rounded())
    return Rectangle(x: x, y: y, width: right.rounded() - x, height: bottom.rounded() - y)
  }

  mutating func cut(to geometry: DisplayGeometry) {
    (left, top) = (max(0, left), max(0, top))
    (right, bottom) = (min(geometry.width, right), min(geometry.height, bottom))
  }

  func overlaps(_ other: Edges) -> Bool {
    left <= other.right && other.left <= right && top <= other.bottom && other.top <= bottom
  }

  /// Moves the side that faces an area out of it, a point away, as seen from a middle beside it.
  mutating func leave(_ area: Edges, around middle: Point) {
    guard overlaps(area) else { return }
    let gaps = [
      area.left - middle.x, middle.x - area.right, area.top - middle.y, middle.y - area.bottom,
    ]
    switch gaps.indices.max(by: { gaps[$0] < gaps[$1] }) {
    case 0: right = area.left - 1
    case 1: left = area.right + 1
    case 2: bottom = area.top - 1
    default: top = area.bottom + 1
    }
  }

  /// Moves the side that faces another cluster to where the two are equally far, in deviations.
  mutating func share(with other: TapClusters.Cluster, _ own: TapClusters.Cluster) {
    let (x, y) = (other.middle.x - own.middle.x, other.middle.y - own.middle.y)
    let (across, down) = (
      abs(x) / (own.deviation.x + other.deviation.x), abs(y) / (own.deviation.y + other.deviation.y)
    )
    if across >= down {
      let line = own.middle.x + x * own.deviation.x / (own.deviation.x + other.deviation.x)
      if x > 0 { right = min(right, line) } else { left = max(left, line) }
    } else {
      let line = own.middle.y + y * own.deviation.y / (own.deviation.y + other.deviation.y)
      if y > 0 { bottom = min(bottom, line) } else { top = max(top, line) }
    }
  }
}
