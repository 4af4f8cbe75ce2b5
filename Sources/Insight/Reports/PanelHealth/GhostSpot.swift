internal import TouchModel

/// A rectangle of a panel's cells in which many touches begin that nobody made.
struct GhostSpot: Hashable {
  var columns: ClosedRange<Int>
  var rows: ClosedRange<Int>

  /// The largest number of spots, and of cells of a spot. More is noise all over the panel.
  private static let (most, largest) = (4, 192)
  /// The days before the ghosts whose touches tell where people touch.
  private static let reference = 90
  /// The smallest number of touches in a cell of a spot above the expected number, also as a share
  /// of all ghosts and short contacts, and in standard deviations.
  private static let (least, share, deviations) = (10.0, 0.02, 5.0)
  /// The share of the ghosts and short contacts that the spots must explain together.
  private static let explained = 0.5

  /// Returns the spots; none if most ghosts are elsewhere. Those in a rhythm have a place if they
  /// came outside of sessions.
  /// - Parameters:
  ///   - days: ascending, of one panel.
  ///   - since: the first day with ghosts.
  static func all(in days: [PanelDay], since: Int) -> [GhostSpot] {
    var (before, after) = (PanelCounts(), PanelCounts())
    var stray: [PanelCell: Double] = [:]
    for day in days where day.number >= since - reference {
      if day.number < since {
        before += day.counts
      } else {
        after += day.counts
        for (cell, touches) in day.strayGhosts { stray[cell, default: 0] += Double(touches) }
      }
    }
    let people = max(0, Double(after.contacts - after.short))
    let ghosts = stray.values.reduce(Double(after.short), +)
    let scale = people / Double(max(1, before.contacts - before.short))
    var cells: [(column: Int, row: Int, excess: Double)] = []
    for row in 0..<PanelCounts.rows {
      for column in 0..<PanelCounts.columns {
        let expected = Double(before[column: column, row: row]) * scale
        let excess =
          Double(after[column: column, row: row]) - expected
          + stray[PanelCell(column: column, row: row), default: 0]
        if excess >= max(least, share * ghosts, deviations * expected.squareRoot()) {
          cells.append((column, row, excess))
        }
      }
    }
    guard cells.reduce(0, { $0 + $1.excess }) >= explained * ghosts else { return [] }
    var spots: [GhostSpot] = []
    for cell in cells {
      var spot = GhostSpot(columns: cell.column...cell.column, rows: cell.row...cell.row)
      while let next = spots.firstIndex(where: { $0.touches(spot) }) {
        spot = spot.joined(to: spots.remove(at: next))
      }
      spots.append(spot)
    }
    return spots.count <= most && spots.allSatisfy { $0.size <= largest } ? spots : []
  }

  private var size: Int { columns.count * rows.count }

  /// Whether the spots overlap or are adjacent.
  private func touches(_ other: GhostSpot) -> Bool {
    columns.lowerBound <= other.columns.upperBound + 1
      && other.columns.lowerBound <= columns.upperBound + 1
      && rows.lowerBound <= other.rows.upperBound + 1
      && other.rows.lowerBound <= rows.upperBound + 1
  }

  private func joined(to other: GhostSpot) -> GhostSpot {
    func joined(_ one: ClosedRange<Int>, _ two: ClosedRange<Int>) -> ClosedRange<Int> {
      min(one.lowerBound, two.lowerBound)...max(one.upperBound, two.upperBound)
    }
    return GhostSpot(columns: joined(columns, other.columns), rows: joined(rows, other.rows))
  }

  /// Returns a cover of the spot and of half a cell around it, in whole points.
  func cover(_ placement: Placement) -> Cover? {
    func side(_ lines: ClosedRange<Int>, of count: Int) -> (low: Double, high: Double) {
      (
        max(0, Double(lines.lowerBound) - 0.5) / Double(count),
        min(Double(count), Double(lines.upperBound) + 1.5) / Double(count)
      )
    }
    let (x, y) = (side(columns, of: PanelCounts.columns), side(rows, of: PanelCounts.rows))
    let (width, height) = (placement.geometry.width, placement.geometry.height)
    let corners = [(x.low, y.low), (x.high, y.high)].map { corner in
      let point = placement.matrix.apply(corner.0, corner.1)
      let seen = placement.geometry.rotation.apply(point.x, point.y)
      return (x: seen.x * width, y: seen.y * height)
    }
    /// Whole points, unless only rounding keeps them from being whole.
    func bounds(_ one: Double, _ two: Double, below limit: Double) -> (low: Double, high: Double) {
      (
        max(0, (min(one, two) + 1e-6).rounded(.down)),
        min(limit, max(one, two) - 1e-6).rounded(.up)
      )
    }
    let across = bounds(corners[0].x, corners[1].x, below: width)
    let down = bounds(corners[0].y, corners[1].y, below: height)
    let area = Rectangle(
      x: across.low, y: down.low, width: across.high - across.low, height: down.high - down.low)
    return area.map { Cover(display: placement.display, rectangle: $0) }
  }
}

extension PanelCounts {
  /// The contacts shorter than `shortest`.
  fileprivate var short: Int64 { (0..<24).reduce(0) { $0 + self[shortIn: $1] } }
}
