import Heatmaps
import Text
import TouchModel

/// Spots of a screen where people tap although no control is there or within the distance of a near
/// miss.
struct StraySpots {
  /// A spot, in points, and the number of touches that began there.
  struct Spot {
    var rectangle: Rectangle
    var touches: UInt64
  }

  /// The side of a cell, in mm: wider than the scatter of one finger's touches.
  private static let cell = 12.0
  /// A cell is part of a spot if it has at least `leastOfCell` touches, and `leastContrast` times
  /// the mean of all cells without controls.
  private static let (leastOfCell, leastContrast): (UInt64, Double) = (5, 3)
  /// A spot needs this number of touches, this share of all touches of the screen, and a block that
  /// was touched in this number of sessions.
  private static let (leastTouches, leastShare, leastSessions): (UInt64, Double, UInt64) = (
    30, 0.03, 3
  )
  /// Touches that enter more than `mostBlocksOfTap` blocks on average are drags. They are counted
  /// in the spot and in `around` cells on each side of it.
  private static let (mostBlocksOfTap, around) = (2.0, 2)

  /// The spots, the most touched one first.
  private(set) var spots: [Spot] = []
  /// The touches that began far from any control, and all touches that began on the screen.
  private(set) var (stray, all): (UInt64, UInt64) = (0, 0)

  /// - Parameters:
  ///   - taps: the layer `taps`.
  ///   - trail: the layer `trail` of the same sessions.
  ///   - sets: all layouts of the screen in these sessions.
  init(_ taps: SummedGrid, trail: SummedGrid, besides sets: [ControlSet]) {
    let geometry = taps.key.geometry
    guard let pointSize = sets.first?.pointSize, pointSize > 0 else { return }
    let controls = sets.flatMap { $0.controls.map(\.rectangle) }
    let side = max(1, Int((Self.cell / pointSize / Double(geometry.blockSize)).rounded()))
    let columns = (geometry.columns + side - 1) / side
    var cells: [Int: (touches: UInt64, blocks: [Int])] = [:]
    var places = 0.0
    for block in taps.sum.indices {
      all &+= taps.sum[block]
      guard let area = geometry.area(ofBlock: block),
        !controls.contains(where: { $0.isNear(area, within: ControlSums.nearMiss / pointSize) })
      else { continue }
      places += 1
      guard taps.sum[block] > 0 else { continue }
      stray &+= taps.sum[block]
      let (row, column) = block.quotientAndRemainder(dividingBy: geometry.columns)
      let cell = row / side * columns + column / side
      cells[cell, default: (0, [])].touches &+= taps.sum[block]
      cells[cell]?.blocks.append(block)
    }
    guard places > 0 else { return }
    let usual = Double(stray) / (places / Double(side * side))
    var hot = Set(
      cells.filter {
        $0.value.touches >= Self.leastOfCell
          && Double($0.value.touches) >= Self.leastContrast * usual
      }.keys)
    while let first = hot.min() {
      let found = Self.joined(first, &hot, columns)
      guard !Self.isDragged(found, side, columns, taps, trail) else { continue }
      if let spot = Self.spot(found.flatMap { cells[$0]?.blocks ?? [] }, taps, of: all) {
        spots.append(spot)
      }
    }
    spots.sort { $0.touches > $1.touches }
  }

  /// Removes a cell and all cells connected with it, diagonally as well, from `left`, and returns
  /// them.
  private static func joined(_ first: Int, _ left: inout Set<Int>, _ columns: Int) -> [Int] {
    var (found, next) = ([Int](), [first])
    left.remove(first)
    while let cell = next.popLast() {
      found.append(cell)
      let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
      for down in -1...1 {
        for right in -1...1 where (0..<columns).contains(column + right) {
          if let other = left.remove((row + down) * columns + column + right) { next.append(other) }
        }
      }
    }
    return found
  }

  /// Whether touches that begin in or around some cells mostly move.
  private static func isDragged(
    _ cells: [Int], _ side: Int, _ columns: Int, _ taps: SummedGrid, _ trail: SummedGrid
  ) -> Bool {
    let places = cells.map { $0.quotientAndRemainder(dividingBy: columns) }
    var (touches, entered) = (0.0, 0.0)
    for block in taps.sum.indices where taps.sum[block] > 0 || trail.sum[block] > 0 {
      let (row, column) = block.quotientAndRemainder(dividingBy: taps.key.geometry.columns)
      let isNear = places.contains {
        abs($0.quotient - row / side) <= around && abs($0.remainder - column / side) <= around
      }
      guard isNear else { continue }
      touches += Double(taps.sum[block])
      entered += Double(trail.sum[block])
    }
    return entered > mostBlocksOfTap * touches
  }

  /// - Returns: nil if the blocks have too few touches for a spot.
  private static func spot(_ blocks: [Int], _ taps: SummedGrid, of all: UInt64) -> Spot? {
    let touches = blocks.reduce(UInt64(0)) { $0 &+ taps.sum[$1] }
    let areas = blocks.compactMap { taps.key.geometry.area(ofBlock: $0) }
    guard touches >= leastTouches, Double(touches) >= leastShare * Double(all),
      blocks.contains(where: { taps.touchedSessions[$0] >= leastSessions }),
      let left = areas.map(\.x).min(), let top = areas.map(\.y).min(),
      let right = areas.map({ $0.x + $0.width }).max(),
      let bottom = areas.map({ $0.y + $0.height }).max(),
      let rectangle = Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    else { return nil }
    return Spot(rectangle: rectangle, touches: touches)
  }
}

extension Finding {
  /// - Returns: nil if there is no spot.
  static func stray(_ found: StraySpots, on key: GridKey) -> Finding? {
    guard let most = found.spots.first else { return nil }
    let edges = most.rectangle
    func points(_ value: Double) -> String { "\(Int(value.rounded()))" }
    let share = Share.percent(Double(found.stray) / Double(found.all))
    let text =
      "\(groupedDigits(found.stray)) of \(groupedDigits(found.all)) touches on "
      + "\(quoted(key.screen)) (\(share) %) began more than "
      + "\(Int(ControlSums.nearMiss)) mm from any control, "
      + "\(most.touches == found.stray ? "all" : "\(groupedDigits(most.touches)) of them") at one place: "
      + "\(points(edges.x)) to \(points(edges.x + edges.width)) points from the left, "
      + "\(points(edges.y)) to \(points(edges.y + edges.height)) from the top. See whether something "
      + "there looks like a button."
    return Finding(
      kind: .stray, key: key, controls: [], places: found.spots.map(\.rectangle), text: text)
  }
}
