/// Counts of blocks added up to those of larger rectangles, for a picture that must fit.
public struct CoarseGrid: Hashable, Sendable {
  public let columns: Int
  public let rows: Int
  /// Row-major.
  public let counts: [Double]

  /// - Parameters:
  ///   - counts: of blocks, row-major, `columns` a row.
  ///   - blocksAcross: 1 or more blocks that become one, from the top left; the last ones may be fewer.
  ///   - blocksDown: likewise.
  public init(_ counts: [Double], columns: Int, blocksAcross: Int, blocksDown: Int) {
    let rows = counts.count / max(1, columns)
    self.columns = (columns + blocksAcross - 1) / blocksAcross
    self.rows = (rows + blocksDown - 1) / blocksDown
    var sums = Array(repeating: 0.0, count: self.columns * self.rows)
    for row in 0..<rows {
      for column in 0..<columns {
        sums[row / blocksDown * self.columns + column / blocksAcross] +=
          counts[row * columns + column]
      }
    }
    self.counts = sums
  }

  /// - Returns: nil outside.
  public func count(column: Int, row: Int) -> Double? {
    column < columns && row < rows ? counts[row * columns + column] : nil
  }
}
