/// A position on a display, in points. The origin is the top left of the picture that the person
/// sees; x goes right, y down.
public struct Point: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A square of a display, counted from the top left.
public struct Block: Hashable, Sendable {
  public var column: Int
  public var row: Int
  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}
