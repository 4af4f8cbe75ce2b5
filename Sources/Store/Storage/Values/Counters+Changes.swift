internal import TouchModel

extension Counters {
  /// Visits the counters that differ from `former`, in ascending order.
  /// - Parameter former: the same number of counters; nil if all were zero.
  @inline(__always)
  func forEachChange(since former: Counters?, _ body: (_ index: Int, _ value: UInt64) -> Void) {
    precondition(former.map { $0.count == count } ?? true)
    if let former, former.bytesPerCounter != bytesPerCounter {
      for index in 0..<count where self[index] != former[index] { body(index, self[index]) }
      return
    }
    // Most counters are unchanged, so compare eight bytes (one to eight counters) at a time.
    let size = bytesPerCounter
    let counters = 8 / size
    // A counter has 2^log bits. Shifts are unchecked (`&<<`): the distance is always below 64.
    let log = 3 + size.trailingZeroBitCount
    let mask = UInt64.max >> UInt64(64 - 8 * size)
    unsafe bytes.withUnsafeBytes { new in
      unsafe (former?.bytes ?? []).withUnsafeBytes { old in
        for first in stride(from: 0, to: count, by: counters) {
          let value = unsafe new.word(at: first * size)
          var changes = unsafe value ^ (old.isEmpty ? 0 : old.word(at: first * size))
          while changes != 0 {
            let place = changes.trailingZeroBitCount &>> log
            let shift = UInt64(truncatingIfNeeded: place &<< log)
            body(first + place, (value &>> shift) & mask)
            changes &= ~(mask &<< shift)
          }
        }
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Reads eight bytes, lowest first. Bytes beyond the end count as zero.
  @inline(__always)
  fileprivate func word(at start: Int) -> UInt64 {
    guard start + 8 > count else {
      return unsafe UInt64(littleEndian: loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
    return unsafe self[start...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
