/// Exact counters, all as wide as the largest needs: 1, 2, 4 or 8 bytes. They widen when one would
/// overflow, and never wrap or saturate.
///
/// The bytes are held as they are stored and handed out: row-major where the counters are those of a
/// grid, little-endian.
public struct Counters: Hashable, Sendable {
  public let count: Int
  private static let widths = [1, 2, 4, 8]
  /// 1, 2, 4 or 8.
  public private(set) var bytesPerCounter: Int
  /// `count * bytesPerCounter` bytes.
  public private(set) var bytes: [UInt8]

  public init(count: Int) {
    self.count = count
    bytesPerCounter = 1
    bytes = Array(repeating: 0, count: count)
  }

  /// - Returns: nil where the length or the width does not fit.
  public init?(count: Int, bytesPerCounter: Int, bytes: [UInt8]) {
    guard Self.widths.contains(bytesPerCounter), count >= 0,
      count <= Int.max / 8, bytes.count == count * bytesPerCounter
    else { return nil }
    self.count = count
    self.bytesPerCounter = bytesPerCounter
    self.bytes = bytes
  }

  public subscript(index: Int) -> UInt64 {
    get {
      let start = index * bytesPerCounter
      var value: UInt64 = 0
      for offset in (0..<bytesPerCounter).reversed() {
        value = value << 8 | UInt64(bytes[start + offset])
      }
      return value
    }
    set {
      if newValue > Self.maximum(bytesPerCounter) { widen(toHold: newValue) }
      let start = index * bytesPerCounter
      var rest = newValue
      for offset in 0..<bytesPerCounter {
        bytes[start + offset] = UInt8(truncatingIfNeeded: rest)
        rest >>= 8
      }
    }
  }

  public mutating func add(_ amount: UInt64, at index: Int) { self[index] += amount }

  /// - Precondition: the counter is at least `amount`.
  public mutating func subtract(_ amount: UInt64, at index: Int) { self[index] -= amount }

  public var sum: UInt64 { (0..<count).reduce(0) { $0 + self[$1] } }
  public var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

  /// The same counts in the narrowest width that holds them.
  public func narrowed() -> Counters {
    let highest = (1..<bytesPerCounter).last { place in
      stride(from: place, to: bytes.count, by: bytesPerCounter).contains { bytes[$0] != 0 }
    }
    let width = Self.widths.first { $0 > highest ?? 0 } ?? bytesPerCounter
    return width == bytesPerCounter ? self : converted(to: width)
  }

  private static func maximum(_ width: Int) -> UInt64 { .max >> (64 - 8 * UInt64(width)) }

  private static func width(toHold value: UInt64) -> Int {
    switch value {
    case ...0xff: 1
    case ...0xffff: 2
    case ...0xffff_ffff: 4
    default: 8
    }
  }

  private mutating func widen(toHold value: UInt64) {
    self = converted(to: Self.width(toHold: value))
  }

  private func converted(to width: Int) -> Counters {
    var copy = Counters(count: count)
    copy.bytesPerCounter = width
    copy.bytes = Array(repeating: 0, count: count * width)
    for index in 0..<count { copy[index] = self[index] }
    return copy
  }
}
