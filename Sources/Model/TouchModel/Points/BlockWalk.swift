extension DisplayGeometry {
  /// Visits each block that the straight line between two points enters, without the first block
  /// and including the last. A line through the exact corner of four blocks enters only the
  /// diagonal one. (Amanatides & Woo, "A fast voxel traversal algorithm", 1987.)
  /// - Parameters:
  ///   - from: a point on the display, in the block `first`.
  ///   - to: a point on the display, in the block `last`.
  ///   - visit: called with the row-major index of each block, in order; at most `columns + rows`
  ///     times.
  func walk(
    from: Point, in first: Block, to: Point, in last: Block, visit: (Int) -> Void
  ) {
    var block = first
    var columnsLeft = abs(last.column - block.column)
    var rowsLeft = abs(last.row - block.row)
    // The usual case.
    if columnsLeft + rowsLeft == 1 { return visit(index(of: last)) }
    let columnStep = last.column > block.column ? 1 : -1
    let rowStep = last.row > block.row ? 1 : -1
    let size = Double(blockSize)
    let spanX = abs(to.x - from.x)
    let spanY = abs(to.y - from.y)
    // The distances, in points, from the start to the next border in each direction. The line
    // reaches the border of the column first if untilX / spanX < untilY / spanY. The comparison is
    // cross-multiplied, because rounded quotients would miss corners.
    let borderX = Double(columnStep > 0 ? block.column + 1 : block.column) * size
    let borderY = Double(rowStep > 0 ? block.row + 1 : block.row) * size
    var untilX = abs(borderX - from.x)
    var untilY = abs(borderY - from.y)
    while columnsLeft > 0 || rowsLeft > 0 {
      let crossesColumn = columnsLeft > 0 && (rowsLeft == 0 || untilX * spanY <= untilY * spanX)
      let crossesRow = rowsLeft > 0 && (columnsLeft == 0 || untilY * spanX <= untilX * spanY)
      if crossesColumn {
        block.column += columnStep
        columnsLeft -= 1
        untilX += size
      }
      if crossesRow {
        block.row += rowStep
        rowsLeft -= 1
        untilY += size
      }
      visit(index(of: block))
    }
  }
}
