public import TouchModel

extension SummedGrid {
  /// The mean count per session of each block, row-major; 0 without sessions.
  public var means: [Double] { values(.mean) }

  /// Returns the displayed value of each block, row-major. Means without sessions and rates without
  /// a time shown are 0.
  public func values(_ value: GridValue) -> [Double] {
    let divisor =
      switch value {
      case .sum: 1.0
      case .mean: Double(sessions)
      case .rate: Double(shownMilliseconds) / 60_000
      }
    return sum.map { divisor == 0 ? 0 : Double($0) / divisor }
  }

  /// Returns the value of a block with a count of 1. A mean without sessions or a rate without a
  /// time shown is 0.
  public func valueOfOne(_ value: GridValue) -> Double {
    switch value {
    case .sum: 1
    case .mean: sessions == 0 ? 0 : 1 / Double(sessions)
    case .rate: shownMilliseconds == 0 ? 0 : 60_000 / Double(shownMilliseconds)
    }
  }

  /// The blocks that a mask reaches into.
  public var maskedBlocks: Set<Block> {
    let geometry = key.geometry
    let size = Double(geometry.blockSize)
    func range(_ start: Double, _ length: Double, _ count: Int) -> Range<Int> {
      let first = min(Double(count), max(0, (start / size).rounded(.down)))
      let end = min(Double(count), max(first, ((start + length) / size).rounded(.up)))
      return Int(first)..<Int(end)
    }
    var blocks: Set<Block> = []
    for mask in masks {
      for row in range(mask.y, mask.height, geometry.rows) {
        for column in range(mask.x, mask.width, geometry.columns) {
          blocks.insert(Block(column: column, row: row))
        }
      }
    }
    return blocks
  }
}
