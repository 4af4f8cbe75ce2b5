import Heatmaps
import Storage
import Text
import TouchModel
import TouchgridAPI

extension SummedGrid {
  init(_ summary: GridSummary) {
    self.init(
      key: summary.key, layer: summary.layer, sessions: summary.sessions, days: summary.days,
      shownMilliseconds: summary.shownMilliseconds, touches: summary.touches,
      masks: summary.masks, sum: (0..<summary.sum.count).map { summary.sum[$0] },
      sumOfSquares: summary.sumOfSquares,
      touchedSessions: (0..<summary.touchedSessions.count).map { summary.touchedSessions[$0] })
  }

  /// Takes a grid that the daemon sent.
  /// - Throws: an error if its shape or its numbers are impossible.
  init(_ grid: API.Grid) throws(Failure) {
    guard let geometry = grid.geometry.displayGeometry,
      [grid.sum.count, grid.touchedSessions.count, grid.variance?.count ?? grid.sum.count]
        .allSatisfy({ $0 == geometry.columns * geometry.rows }),
      let sessions = UInt64(exactly: grid.sessions), let days = UInt64(exactly: grid.days),
      let shown = UInt64(exactly: grid.shownMs), let touches = UInt64(exactly: grid.touches),
      grid.sum.allSatisfy({ $0 >= 0 }), grid.touchedSessions.allSatisfy({ $0 >= 0 })
    else {
      throw Failure(
        "the daemon sent an invalid grid for the screen \(grid.screen.printable())")
    }
    let sums = grid.sum.map { UInt64(clamping: $0) }
    self.init(
      key: GridKey(display: grid.display, screen: grid.screen, geometry: geometry),
      layer: grid.layer, sessions: sessions, days: days, shownMilliseconds: shown,
      touches: touches, masks: grid.masks.compactMap(\.rectangle), sum: sums,
      sumOfSquares: sums.indices.map { index in
        Self.sumOfSquares(sums[index], sessions: sessions, variance: grid.variance?[index])
      }, touchedSessions: grid.touchedSessions.map { UInt64(clamping: $0) })
  }

  /// Reverses the variance: n Σx² = (Σx)² + n (n - 1) variance. The result is exact below 2^49,
  /// because Σx² is an integer and there are only five roundings.
  private static func sumOfSquares(
    _ sum: UInt64, sessions: UInt64, variance: Double?
  ) -> UInt128 {
    let square = UInt128(sum) * UInt128(sum)
    guard sessions > 1, let variance, variance >= 0, variance < 1e30 else { return square }
    let n = UInt128(sessions)
    let spread = (variance * Double(sessions) * Double(sessions - 1)).rounded()
    let (total, overflows) = square.addingReportingOverflow(UInt128(exactly: spread) ?? 0)
    return overflows ? square / n : (total + n / 2) / n
  }
}
