/// One exact sum for each block. All sums have 32 bits as long as that is certainly enough, then
/// 64, then 128.
///
/// No sum exceeds `bound`, so `bound` alone proves that no addition overflows. Sums of 32 and 64
/// bits are therefore added without individual checks, many at a time with vector instructions.
/// Only sums of 128 bits are checked one by one.
struct WideningSums {
  /// The greatest value that a sum may have.
  private let limit: UInt128
  private let count: Int
  /// One of the three arrays is in use; the others are empty.
  private var narrow: [UInt32]
  private var wide: [UInt64] = []
  private var widest: [UInt128] = []
  /// No sum is greater than this.
  private var bound: UInt128 = 0

  init(count: Int, limit: UInt128) {
    self.count = count
    self.limit = limit
    narrow = Array(repeating: 0, count: count)
  }

  /// Adds a value to every sum.
  /// - Parameters:
  ///   - cells: one value per sum, little-endian.
  ///   - width: the bytes per value: 1, 2, 4, 8 or 16.
  /// - Throws: `.overflow` if a sum exceeds the limit. The sums are then unusable.
  mutating func add(_ cells: [UInt8], width: Int) throws(StoreError) {
    precondition(cells.count >= count * width)
    var overflowing: Int?
    unsafe cells.withUnsafeBytes { bytes in
      switch width {
      case 1: overflowing = unsafe add(bytes.bindMemory(to: UInt8.self))
      case 2: overflowing = unsafe add(bytes.bindMemory(to: UInt16.self))
      case 4: overflowing = unsafe add(bytes.bindMemory(to: UInt32.self))
      case 8: overflowing = unsafe add(bytes.bindMemory(to: UInt64.self))
      default: overflowing = unsafe add(bytes.bindMemory(to: UInt128.self))
      }
    }
    if let overflowing { throw Self.overflow(overflowing) }
  }

  /// Adds a value to one sum.
  /// - Throws: `.overflow` if the sum exceeds the limit.
  mutating func add(_ value: UInt128, at index: Int) throws(StoreError) {
    makeRoom(for: value)
    if !narrow.isEmpty {
      narrow[index] &+= UInt32(truncatingIfNeeded: value)
    } else if !wide.isEmpty {
      wide[index] &+= UInt64(truncatingIfNeeded: value)
    } else {
      let (sum, overflows) = widest[index].addingReportingOverflow(value)
      guard !overflows, sum <= limit else { throw Self.overflow(index) }
      widest[index] = sum
    }
  }

  private static func overflow(_ index: Int) -> StoreError {
    StoreError(.overflow, message: "the sum of block \(index) exceeds the largest number")
  }

  /// - Returns: the block with a sum that exceeds the limit; nil if there is none.
  private mutating func add<Cell: FixedWidthInteger & UnsignedInteger>(
    _ cells: UnsafeBufferPointer<Cell>
  ) -> Int? {
    // For cells of 8 or 16 bits, the type's maximum is a good enough bound. Wider cells are far
    // below their type's maximum, so find the greatest cell.
    let most =
      Cell.bitWidth <= 16
      ? UInt128(Cell.max)
      : unsafe UInt128(cells[..<count].reduce(0) { max($0, Cell(littleEndian: $1)) })
    makeRoom(for: most)
    if !narrow.isEmpty {
      unsafe Self.add(cells, to: &narrow)
    } else if !wide.isEmpty {
      unsafe Self.add(cells, to: &wide)
    } else {
      for index in widest.indices {
        let cell = unsafe UInt128(Cell(littleEndian: cells[index]))
        let (sum, overflows) = widest[index].addingReportingOverflow(cell)
        guard !overflows, sum <= limit else { return index }
        widest[index] = sum
      }
    }
    return nil
  }

  private static func add<
    Cell: FixedWidthInteger & UnsignedInteger, Lane: FixedWidthInteger & UnsignedInteger
  >(_ cells: UnsafeBufferPointer<Cell>, to lanes: inout [Lane]) {
    unsafe lanes.withUnsafeMutableBufferPointer { lanes in
      for index in 0..<lanes.count {
        unsafe lanes[index] &+= Lane(truncatingIfNeeded: Cell(littleEndian: cells[index]))
      }
    }
  }

  // MARK: Room

  /// Widens the sums until adding `most` cannot overflow them, and raises the bound.
  private mutating func makeRoom(for most: UInt128) {
    guard widest.isEmpty else { return }
    if fits(most) {
      bound += most
      return
    }
    // The bound grows faster than the sums, so replace it by the greatest sum.
    bound = greatest
    if !fits(most), !narrow.isEmpty {
      wide = narrow.map { UInt64($0) }
      narrow = []
    }
    if !fits(most) {
      widest = wide.map { UInt128($0) }
      wide = []
    } else {
      bound += most
    }
  }

  private func fits(_ most: UInt128) -> Bool {
    let capacity = narrow.isEmpty ? UInt128(UInt64.max) : UInt128(UInt32.max)
    return most <= capacity && bound <= capacity - most && bound + most <= limit
  }

  private var greatest: UInt128 {
    if let greatest = narrow.max() { return UInt128(greatest) }
    if let greatest = wide.max() { return UInt128(greatest) }
    return widest.max() ?? 0
  }

  // MARK: Results

  subscript(index: Int) -> UInt128 {
    if !narrow.isEmpty { return UInt128(narrow[index]) }
    return wide.isEmpty ? widest[index] : UInt128(wide[index])
  }

  var values: [UInt128] {
    if !narrow.isEmpty { return narrow.map { UInt128($0) } }
    return wide.isEmpty ? widest : wide.map { UInt128($0) }
  }
}
