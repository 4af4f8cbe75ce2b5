/// Exact counters that share one width: 1, 2, 4 or 8 bytes. All of them widen when one would
/// overflow; they never wrap or saturate.
///
/// The bytes have the form in which they are stored and sent: little-endian, and row-major for the
/// counters of a grid.
public struct Counters: Hashable, Sendable {
  public let count: Int
  private static let widths = [1, 2, 4, 8]
  /// The width of a counter, in bytes: 1, 2, 4 or 8.
  public private(set) var bytesPerCounter: Int
  /// The counters, in `count * bytesPerCounter` bytes.
  public private(set) var bytes: [UInt8]

  public init(count: Int) {
    self.count = count
    bytesPerCounter = 1
    bytes = Array(repeating: 0, count: count)
  }

  /// Creates counters with the given values, in the narrowest width that holds them.
  public init(_ values: some Collection<UInt64>) {
    self.init(count: values.count)
    if let largest = values.max(), largest > 0 { widen(toHold: largest) }
    for (index, value) in values.enumerated() where value > 0 { self[index] = value }
  }

  /// - Returns: nil if the length or the width is invalid.
  public init?(count: Int, bytesPerCounter: Int, bytes: [UInt8]) {
    guard Self.widths.contains(bytesPerCounter), count >= 0,
      count <= Int.max / 8, bytes.count == count * bytesPerCounter
    else { return nil }
    self.count = count
    self.bytesPerCounter = bytesPerCounter
    self.bytes = bytes
  }

  /// - Precondition: `index` is at least 0 and less than `count`.
  public subscript(index: Int) -> UInt64 {
    get {
      precondition(index >= 0 && index < count)
      let width = bytesPerCounter
      return unsafe bytes.withUnsafeBytes { bytes in
        switch width {
        case 1: unsafe UInt64(bytes[index])
        case 2: unsafe UInt64(Self.load(UInt16.self, bytes, index))
        case 4: unsafe UInt64(Self.load(UInt32.self, bytes, index))
        default: unsafe Self.load(UInt64.self, bytes, index)
        }
      }
    }
    set {
      precondition(index >= 0 && index < count)
      if newValue > Self.maximum(bytesPerCounter) { widen(toHold: newValue) }
      let width = bytesPerCounter
      unsafe bytes.withUnsafeMutableBytes { bytes in
        switch width {
        case 1: unsafe bytes[index] = UInt8(truncatingIfNeeded: newValue)
        case 2: unsafe Self.store(UInt16(truncatingIfNeeded: newValue), bytes, index)
        case 4: unsafe Self.store(UInt32(truncatingIfNeeded: newValue), bytes, index)
        default: unsafe Self.store(newValue, bytes, index)
        }
      }
    }
  }

  private static func load<Counter: FixedWidthInteger & BitwiseCopyable>(
    _ type: Counter.Type, _ bytes: UnsafeRawBufferPointer, _ index: Int
  ) -> Counter {
    let start = index * MemoryLayout<Counter>.size
    return unsafe Counter(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: type))
  }

  private static func store<Counter: FixedWidthInteger & BitwiseCopyable>(
    _ value: Counter, _ bytes: UnsafeMutableRawBufferPointer, _ index: Int
  ) {
    let start = index * MemoryLayout<Counter>.size
    unsafe bytes.storeBytes(of: value.littleEndian, toByteOffset: start, as: Counter.self)
  }

  public mutating func add(_ amount: UInt64, at index: Int) { self[index] += amount }

  /// Adds an amount for each element.
  /// - Precondition: each index is at least 0 and less than `count`.
  @inline(__always)
  mutating func add<Element>(
    _ elements: [Element], _ amount: (Element) -> (index: Int, amount: UInt64)
  ) {
    var next = 0
    while next < elements.count {
      switch bytesPerCounter {
      case 1: add(elements, from: &next, as: UInt8.self, amount)
      case 2: add(elements, from: &next, as: UInt16.self, amount)
      case 4: add(elements, from: &next, as: UInt32.self, amount)
      default: add(elements, from: &next, as: UInt64.self, amount)
      }
      guard next < elements.count else { return }
      // The counter overflows, so all are widened.
      let (index, amount) = amount(elements[next])
      self[index] += amount
      next += 1
    }
  }

  /// Adds until a counter would overflow.
  @inline(__always)
  private mutating func add<Element, Counter: FixedWidthInteger & BitwiseCopyable>(
    _ elements: [Element], from next: inout Int, as type: Counter.Type,
    _ amount: (Element) -> (index: Int, amount: UInt64)
  ) {
    let count = UInt(count)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      while next < elements.count {
        let (index, amount) = amount(elements[next])
        precondition(UInt(bitPattern: index) < count)
        guard let more = Counter(exactly: amount) else { return }
        let (sum, overflows) = unsafe Self.load(type, UnsafeRawBufferPointer(bytes), index)
          .addingReportingOverflow(more)
        guard !overflows else { return }
        unsafe Self.store(sum, bytes, index)
        next += 1
      }
    }
  }

  /// - Precondition: the counter is at least `amount`.
  public mutating func subtract(_ amount: UInt64, at index: Int) { self[index] -= amount }

  public var sum: UInt64 { (0..<count).reduce(0) { $0 + self[$1] } }
  public var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

  /// Returns the same counts in the narrowest width that holds them.
  public func narrowed() -> Counters {
    let highest = (1..<bytesPerCounter).last { place in
      stride(from: place, to: bytes.count, by: bytesPerCounter).contains { bytes[$0] != 0 }
    }
    let width = Self.widths.first { $0 > highest ?? 0 } ?? bytesPerCounter
    return width == bytesPerCounter ? self : converted(to: width)
  }

  private static func maximum(_ width: Int) -> UInt64 { .max >> (64 - 8 * UInt64(width)) }

  static func width(toHold value: UInt64) -> Int {
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

extension Counters: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
}
