internal import TouchModel

/// The numbers of a subject as a row stores them, in the columns `bytes` and `counts`.
///
/// Most numbers are zero or small, and some may be negative. Each number n is stored as 2n, or as
/// -2n - 1 if it is negative, in groups of seven bits, lowest first; the eighth bit of a byte means
/// that another byte follows. The bytes are deflated if that makes them fewer.
enum CountCells {
  /// The most bytes that a number takes.
  static let bytesPerNumber = 10

  static func values(_ numbers: [Int64]) throws(StoreError) -> [SQLValue] {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: numbers.count * bytesPerNumber) {
      buffer, count in
      for number in numbers { unsafe buffer.put(folded(number), at: &count) }
    }
    let packed = try Deflate.deflate(bytes)
    return [.integer(Int64(bytes.count)), .blob(packed.count < bytes.count ? packed : bytes)]
  }

  /// Reads the columns `bytes` and `counts`, of which the first is `column`.
  /// - Returns: nil if they are not `count` numbers.
  static func numbers(
    _ row: borrowing Statement, _ column: Int32, count: Int
  ) -> [Int64]? {
    let size = row.integer(column)
    guard (Int64(count)...Int64(count * bytesPerNumber)).contains(size) else { return nil }
    let packed = row.blob(column + 1)
    let bytes = packed.count < size ? Deflate.inflate(packed, count: Int(size)) : packed
    guard let bytes, bytes.count == size else { return nil }
    var numbers: [Int64] = []
    numbers.reserveCapacity(count)
    var (value, shift) = (UInt64(0), UInt64(0))
    for byte in bytes {
      guard shift < 63 || shift == 63 && byte <= 1 else { return nil }
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte > 0x7f { continue }
      numbers.append(unfolded(value))
      (value, shift) = (0, 0)
    }
    return shift == 0 && numbers.count == count ? numbers : nil
  }

  static func folded(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: number << 1 ^ number >> 63)
  }

  static func unfolded(_ cell: UInt64) -> Int64 {
    Int64(bitPattern: cell >> 1) ^ -Int64(bitPattern: cell & 1)
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes a number in groups of seven bits, lowest first. The eighth bit of a byte means that
  /// another byte follows.
  /// - Parameter place: moved behind the number.
  @inline(__always)
  func put(_ number: UInt64, at place: inout Int) {
    var rest = number
    while rest > 0x7f {
      unsafe self[place] = UInt8(truncatingIfNeeded: rest) | 0x80
      place += 1
      rest >>= 7
    }
    unsafe self[place] = UInt8(truncatingIfNeeded: rest)
    place += 1
  }
}
