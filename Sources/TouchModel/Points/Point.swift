/// Logical coordinates on a display: origin top left of what the person sees, x right, y down.
public struct Point: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A square of a display's points, counted from the top left.
public struct Block: Hashable, Sendable {
  public var column: Int
  public var row: Int
  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}
