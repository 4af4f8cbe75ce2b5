/// The counts of blocks, summed into larger cells so that a picture fits its space.
public struct CoarseGrid: Hashable, Sendable {
  public let columns: Int
  public let rows: Int
  /// The sums of the cells, row-major.
  public let counts: [Double]

  /// - Parameters:
  ///   - counts: the counts of the blocks, row-major, `columns` to a row.
  ///   - blocksAcross: the number of adjacent blocks in a row that become one cell, at least 1,
  ///     from the left. The last cell may have fewer.
  ///   - blocksDown: the number of adjacent blocks in a column that become one cell, at least 1,
  ///     from the top. The last cell may have fewer.
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

  /// Returns the sum of a cell; nil beyond the last column or row.
  public func count(column: Int, row: Int) -> Double? {
    column < columns && row < rows ? counts[row * columns + column] : nil
  }
}
