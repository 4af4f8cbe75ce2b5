internal import TouchModel

/// The numbers of a set of controls as a row stores them. Sums of distances may be negative, so
/// each number n is stored as 2n, or as -2n - 1 if it is negative.
enum ControlCells {
  static func cells(_ numbers: [Int64]) throws(StoreError) -> Cells {
    var largest: UInt64 = 0
    for number in numbers { largest = max(largest, folded(number)) }
    let width = largest <= 0xff ? 1 : largest <= 0xffff ? 2 : largest <= 0xffff_ffff ? 4 : 8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * width)
    for number in numbers {
      var cell = folded(number)
      for _ in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: cell))
        cell >>= 8
      }
    }
    return Cells(bytesPerCell: width, packed: try Deflate.deflate(bytes))
  }

  /// Returns the numbers that were inflated last.
  /// - Parameter width: the bytes of a cell.
  static func numbers(_ inflater: Inflater, width: Int, count: Int) -> [Int64] {
    (0..<count).map { unfolded(inflater.value($0, width: width)) }
  }

  static func folded(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: number << 1 ^ number >> 63)
  }

  static func unfolded(_ cell: UInt64) -> Int64 {
    Int64(bitPattern: cell >> 1) ^ -Int64(bitPattern: cell & 1)
  }
}

/// The sum of the counts of one set of controls on one screen.
struct ControlSum {
  var set: ControlSet
  /// The sessions in which the screen had this set.
  var sessions: UInt64 = 0
  var numbers: [Int64]

  init(_ set: ControlSet) {
    self.set = set
    numbers = Array(repeating: 0, count: set.controls.count * ControlSums.numberCount)
  }

  /// - Throws: `.overflow` if a sum exceeds 64 bits.
  mutating func add(_ other: [Int64], sessions count: UInt64) throws(StoreError) {
    try sessions.add(count, "sessions")
    for index in numbers.indices {
      let (sum, overflows) = numbers[index].addingReportingOverflow(other[index])
      guard !overflows else {
        throw StoreError(.overflow, message: "a sum of controls exceeds the largest number")
      }
      numbers[index] = sum
    }
  }
}
