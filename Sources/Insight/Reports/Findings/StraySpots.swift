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

  /// Touches nearer to each other than this belong to one spot, in mm: wider than the scatter of one
  /// finger's touches.
  private static let apart = 12.0
  /// A spot needs this number of touches, this share of all touches of the screen, and this number
  /// of sessions that touched it.
  private static let (leastTouches, leastShare, leastSessions): (UInt64, Double, UInt64) = (
    30, 0.03, 3
  )

  /// The spots, the most touched one first.
  private(set) var spots: [Spot] = []
  /// The touches that began far from any control, and all touches that began on the screen.
  private(set) var (stray, all): (UInt64, UInt64) = (0, 0)
  /// The sessions that showed the screen.
  let sessions: UInt64

  /// - Parameters:
  ///   - taps: the layer `taps`.
  ///   - trail: the layer `trail` of the same sessions.
  ///   - sets: all layouts of the screen in these sessions.
  init(_ taps: SummedGrid, trail: SummedGrid, besides sets: [ControlSet]) {
    sessions = taps.sessions
    guard let pointSize = sets.first?.pointSize, pointSize > 0 else { return }
    let controls = sets.flatMap { $0.controls.map(\.rectangle) }
    let areas = taps.sum.indices.map { taps.key.geometry.area(ofBlock: $0) }
    func isStray(_ area: Rectangle) -> Bool {
      !controls.contains { $0.isNear(area, within: ControlSums.nearMiss / pointSize) }
    }
    for (area, touches) in zip(areas, taps.sum) where touches > 0 {
      all &+= touches
      if let area, isStray(area) { stray &+= touches }
    }
    let clusters = TapClusters(taps, pointSize: pointSize, apart: Self.apart, where: isStray)
    spots = clusters.all.compactMap { cluster in
      guard cluster.touches >= Self.leastTouches,
        Double(cluster.touches) >= Self.leastShare * Double(all),
        clusters.sessions(cluster.blocks) >= Self.leastSessions,
        !clusters.isDragged(cluster, trail, pointSize: pointSize),
        let rectangle = clusters.bounds(cluster.blocks)
      else { return nil }
      return Spot(rectangle: rectangle, touches: cluster.touches)
    }
    spots.sort { $0.touches > $1.touches }
  }
}

extension Finding {
  /// - Returns: nil if there is no spot.
  static func stray(_ found: StraySpots, on key: GridKey) -> Finding? {
    guard let most = found.spots.first else { return nil }
    let edges = most.rectangle
    func points(_ value: Double) -> String { "\(Int(value.rounded()))" }
    let share = Share.percent(Double(found.stray) / Double(found.all))
    // Touches in a block of which only a part is that far away are left out.
    let text =
      "At least \(groupedDigits(found.stray)) of \(groupedDigits(found.all)) touches on "
      + "\(quoted(key.screen)) (\(share) %) began more than "
      + "\(Int(ControlSums.nearMiss)) mm from any control, "
      + "\(most.touches < found.stray ? "\(groupedDigits(most.touches)) of them" : "all") at one place: "
      + "\(points(edges.x)) to \(points(edges.x + edges.width)) points from the left, "
      + "\(points(edges.y)) to \(points(edges.y + edges.height)) from the top. See whether something "
      + "there looks like a button."
    return Finding(
      kind: .stray, key: key, controls: [], places: found.spots.map(\.rectangle), text: text,
      sessions: min(found.sessions, found.stray))
  }
}
