internal import TouchModel

/// The sum of grids of one key and layer: for each block the sum, the sum of squares, and the
/// number of sessions that touched it.
///
/// Squares take up to 128 bits. 64 would be too few: an object that lies on the glass for a month
/// gives a block 2.6e9 ms of dwell, and the squares of three such sessions exceed 2^64. 128 bits
/// hold those of 5e19 sessions. A sum that does not fit is an error, never a wrong number.
struct GridSum {
  private let count: Int
  private var sums: WideningSums
  private var squares: WideningSums
  private var touches: WideningSums

  init(count: Int) {
    self.count = count
    sums = WideningSums(count: count, limit: UInt128(UInt64.max))
    squares = WideningSums(count: count, limit: .max)
    touches = WideningSums(count: count, limit: UInt128(UInt64.max))
  }

  var sum: Counters { Counters(sums.values.map { UInt64($0) }) }
  var sumOfSquares: [UInt128] { squares.values }
  var touched: Counters { Counters(touches.values.map { UInt64($0) }) }

  /// Adds the grid of one session.
  /// - Parameters:
  ///   - cells: one value per block, little-endian.
  ///   - width: the bytes per value.
  mutating func add(session cells: [UInt8], width: Int) throws(StoreError) {
    try cells.forEachCount(width: width, count: count) { index, value throws(StoreError) in
      try add(session: value, at: index)
    }
  }

  /// Returns for each block whether it was touched by fewer sessions than the limit, and the number
  /// of session counts in these blocks.
  func blocks(touchedBelow limit: UInt64) -> (marked: [Bool], counts: Int) {
    let touches = touches.values
    let marked = touches.map { 0 < $0 && $0 < UInt128(limit) }
    return (marked, zip(touches, marked).reduce(0) { $0 + ($1.1 ? Int($1.0) : 0) })
  }

  private mutating func add(session value: UInt64, at index: Int) throws(StoreError) {
    try sums.add(UInt128(value), at: index)
    // Cannot overflow: (2^64 - 1)^2 < 2^128.
    try squares.add(UInt128(value) * UInt128(value), at: index)
    try touches.add(1, at: index)
  }

  /// Adds the three values of one block of another sum.
  mutating func add(
    _ sum: UInt64, squares square: UInt128, touched: UInt64, at index: Int
  ) throws(StoreError) {
    try sums.add(UInt128(sum), at: index)
    try squares.add(square, at: index)
    try touches.add(UInt128(touched), at: index)
  }

  /// Adds one of the three parts of another sum. Call it for each part.
  mutating func add(_ part: Part, cells: [UInt8], width: Int) throws(StoreError) {
    switch part {
    case .sum: try sums.add(cells, width: width)
    case .squares: try squares.add(cells, width: width)
    case .touched: try touches.add(cells, width: width)
    }
  }

  /// Returns the values that remain after another sum is subtracted, in the order of `Part`.
  /// - Returns: nil if a value of the other sum is greater.
  func values(without other: GridSum) -> [[UInt128]]? {
    let pairs = [(sums, other.sums), (squares, other.squares), (touches, other.touches)]
    let parts = pairs.compactMap { whole, part -> [UInt128]? in
      let values = zip(whole.values, part.values).compactMap { $0 < $1 ? nil : $0 - $1 }
      return values.count == count ? values : nil
    }
    return parts.count == pairs.count ? parts : nil
  }

  /// The parts of a sum, in the order of `columns`.
  enum Part: Int32, CaseIterable {
    case sum
    case squares
    case touched
  }
}

extension [UInt8] {
  /// Calls `body` with the index and the value of each cell that is not 0.
  /// - Parameters:
  ///   - width: the bytes of a cell, little-endian.
  ///   - count: the number of cells; the array may have more bytes.
  func forEachCount<Problem: Error>(
    width: Int, count: Int, _ body: (Int, UInt64) throws(Problem) -> Void
  ) throws(Problem) {
    let length = count * width
    var start = 0
    while start < length {
      // Most blocks are never touched.
      if self[start] == 0, start & 7 == 0, start + 8 <= length, isZero(from: start) {
        start += 8
        continue
      }
      var value: UInt64 = 0
      for offset in (0..<width).reversed() { value = value << 8 | UInt64(self[start + offset]) }
      if value > 0 { try body(start / width, value) }
      start += width
    }
  }

  /// Whether the eight bytes from `start` on are zero.
  fileprivate func isZero(from start: Int) -> Bool {
    unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: start, as: UInt64.self) == 0 }
  }
}

extension UInt64 {
  /// - Throws: `.overflow` with the name of the sum.
  mutating func add(_ other: UInt64, _ name: String) throws(StoreError) {
    let (total, overflows) = addingReportingOverflow(other)
    guard !overflows else {
      throw StoreError(.overflow, message: "the sum of \(name) exceeds the largest number")
    }
    self = total
  }
}
