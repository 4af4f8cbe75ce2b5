package import TouchModel

extension API.Point {
  /// Creates the value from the model's point.
  package init(_ point: TouchModel.Point) { self.init(x: point.x, y: point.y) }
}

extension API.Block {
  /// Creates the value from the model's block.
  package init(_ block: TouchModel.Block) { self.init(column: block.column, row: block.row) }
}
