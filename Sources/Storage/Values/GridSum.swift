internal import TouchModel

/// Grids of one key and layer, added up: for each block the sum, the sum of squares, and how many
/// sessions touched it.
///
/// Squares take 128 bits. 64 would be too few: an object that lies on the glass for a month gives a
/// block 2.6e9 ms of dwell, and three such sessions exceed 2^64. 128 bits hold 5e19 of them. All
/// additions are checked all the same; what does not fit is an error, never another number.
struct GridSum: Hashable {
  private(set) var sum: Counters
  private(set) var squares: [UInt128]
  private(set) var touched: Counters

  init(count: Int) {
    sum = Counters(count: count)
    squares = Array(repeating: 0, count: count)
    touched = Counters(count: count)
  }

  /// - Returns: nil where the counts differ.
  init?(sum: Counters, squares: [UInt128], touched: Counters) {
    guard sum.count == squares.count, sum.count == touched.count else { return nil }
    self.sum = sum
    self.squares = squares
    self.touched = touched
  }

  /// Adds the grid of one session.
  /// - Precondition: it has as many blocks.
  mutating func add(_ session: Counters) throws(StoreError) {
    for index in 0..<session.count {
      let value = session[index]
      // Most blocks are never touched.
      if value == 0 { continue }
      try Self.add(value, to: &sum, at: index)
      let square = value.multipliedFullWidth(by: value)
      try add(square: UInt128(square.high) << 64 | UInt128(square.low), at: index)
      try Self.add(1, to: &touched, at: index)
    }
  }

  /// Adds other sessions.
  /// - Precondition: they have as many blocks.
  mutating func add(_ other: GridSum) throws(StoreError) {
    for index in squares.indices where other.touched[index] > 0 {
      try Self.add(other.sum[index], to: &sum, at: index)
      try add(square: other.squares[index], at: index)
      try Self.add(other.touched[index], to: &touched, at: index)
    }
  }

  private mutating func add(square: UInt128, at index: Int) throws(StoreError) {
    let (total, overflows) = squares[index].addingReportingOverflow(square)
    guard !overflows else { throw Self.overflow(index) }
    squares[index] = total
  }

  private static func add(
    _ value: UInt64, to counters: inout Counters, at index: Int
  ) throws(StoreError) {
    let (total, overflows) = counters[index].addingReportingOverflow(value)
    guard !overflows else { throw overflow(index) }
    counters[index] = total
  }

  private static func overflow(_ index: Int) -> StoreError {
    StoreError(.overflow, message: "the sum of block \(index) does not fit")
  }
}

extension UInt64 {
  /// - Throws: `.overflow` with the name of what was added up.
  mutating func add(_ other: UInt64, _ name: String) throws(StoreError) {
    let (total, overflows) = addingReportingOverflow(other)
    guard !overflows else {
      throw StoreError(.overflow, message: "the sum of \(name) does not fit")
    }
    self = total
  }
}
