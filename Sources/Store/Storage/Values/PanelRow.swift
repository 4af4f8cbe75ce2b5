internal import TouchModel

/// The columns that `panel` and `daily_panel` have in common.
///
/// The numbers of a panel are mostly zeros or small. Each is stored in groups of seven bits, lowest
/// first; the eighth bit of a byte means that another byte follows. The bytes are then deflated.
enum PanelRow {
  static let keyColumns = [
    "device", "min_x", "max_x", "resolution_x", "min_y", "max_y", "resolution_y",
  ]
  static let key = keyColumns.joined(separator: ", ")

  /// The bytes of a number of 63 bits.
  private static let bytesPerNumber = 9

  static func values(_ key: PanelKey) -> [SQLValue] {
    [.text(key.device)]
      + [key.x, key.y].flatMap { axis in
        [axis.minimum, axis.maximum, axis.resolution].map { .integer(Int64($0)) }
      }
  }

  /// Returns the columns `bytes` and `counts`.
  /// - Precondition: no number is negative.
  static func values(_ counts: PanelCounts) throws(StoreError) -> [SQLValue] {
    let most = counts.numbers.count * bytesPerNumber
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      for number in counts.numbers {
        var rest = UInt64(number)
        while rest > 0x7f {
          unsafe buffer[count] = UInt8(truncatingIfNeeded: rest) | 0x80
          count += 1
          rest >>= 7
        }
        unsafe buffer[count] = UInt8(truncatingIfNeeded: rest)
        count += 1
      }
    }
    return [
      .integer(Int64(bytes.count)), .blob(try Deflate.deflate(bytes)),
    ]
  }

  /// Reads the key in the columns from `column` on.
  /// - Throws: `.damaged` if no device can have an axis.
  static func key(
    _ row: borrowing Statement, _ column: Int32, in database: borrowing Database
  ) throws(StoreError) -> PanelKey {
    let device = try row.text(column)
    let outOfRange = database.damaged("the axes of the panel \(device) are out of range")
    func axis(_ first: Int32) throws(StoreError) -> PanelAxis {
      guard let minimum = Int32(exactly: row.integer(first)),
        let maximum = Int32(exactly: row.integer(first + 1)),
        let resolution = Int32(exactly: row.integer(first + 2))
      else { throw outOfRange }
      let axis = PanelAxis(minimum: minimum, maximum: maximum, resolution: resolution)
      guard axis.isPossible else { throw outOfRange }
      return axis
    }
    return PanelKey(device: device, x: try axis(column + 1), y: try axis(column + 4))
  }

  /// Reads the columns `bytes` and `counts`, of which the first is `column`.
  /// - Returns: nil if they are not the counts of a panel.
  static func counts(_ row: borrowing Statement, _ column: Int32) -> PanelCounts? {
    let count = PanelCounts.numberCount
    let size = row.integer(column)
    guard (Int64(count)...Int64(count * bytesPerNumber)).contains(size),
      let bytes = Deflate.inflate(row.blob(column + 1), count: Int(size))
    else { return nil }
    var numbers: [Int64] = []
    numbers.reserveCapacity(count)
    var (value, shift) = (Int64(0), Int64(0))
    for byte in bytes {
      guard shift < 63 else { return nil }
      value |= Int64(byte & 0x7f) << shift
      shift += 7
      if byte > 0x7f { continue }
      numbers.append(value)
      (value, shift) = (0, 0)
    }
    guard shift == 0, numbers.count == count else { return nil }
    let counts = PanelCounts(numbers: numbers)
    return counts.isPlausible ? counts : nil
  }
}
