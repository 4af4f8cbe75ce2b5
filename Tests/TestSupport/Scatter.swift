public import TouchModel

extension ControlSums.Scatter {
  public mutating func add(_ x: Int64, _ y: Int64) {
    count += 1
    (self.x, self.y) = (self.x + x, self.y + y)
    (xx, yy, xy) = (xx + x * x, yy + y * y, xy + x * y)
  }
}
