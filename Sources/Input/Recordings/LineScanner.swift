/// Parses a line from left to right. If an element is absent, the scanner does not move. Numbers
/// that do not fit the type count as absent.
struct LineScanner {
  private(set) var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) { rest = line }

  var isAtEnd: Bool { rest.isEmpty }

  /// Whether nothing follows except blanks and perhaps a comment.
  var isDone: Bool {
    let next = rest.first { !isBlank($0) }
    return next == nil || next == UInt8(ascii: "#")
  }

  mutating func skipSpaces() {
    while let byte = rest.first, isBlank(byte) { rest.removeFirst() }
  }

  mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard rest.count >= count else { return false }
    let matches = unsafe rest.prefix(count).elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: count))
    if matches { rest.removeFirst(count) }
    return matches
  }

  mutating func skipAny(of bytes: [UInt8]) -> Bool {
    guard let first = rest.first, bytes.contains(first) else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads blanks and then a number of at most `digits` digits in `base`. If the type is signed, a
  /// minus sign may precede the digits.
  /// - Returns: nil if there is no number, or if it does not fit.
  mutating func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self, base: Value = 10, digits limit: Int = 20
  ) -> Value? {
    var scanner = self
    scanner.skipSpaces()
    let isNegative = Value.isSigned && scanner.skip("-")
    var value: Value = 0
    var count = 0
    while let byte = scanner.rest.first, let digit = digitValue(byte), digit < base {
      guard count < limit else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: base)
      // Build negative numbers by subtraction, because the type's minimum has no positive
      // counterpart.
      let (sum, overflow2) =
        isNegative
        ? product.subtractingReportingOverflow(Value(digit))
        : product.addingReportingOverflow(Value(digit))
      guard !overflow, !overflow2 else { return nil }
      value = sum
      count += 1
      scanner.rest.removeFirst()
    }
    guard count > 0 else { return nil }
    self = scanner
    return value
  }

  /// Reads blanks and then 1 to 4 hexadecimal digits.
  mutating func hex16() -> UInt16? { integer(UInt16.self, base: 16, digits: 4) }

  /// Reads blanks and then 1 to 2 hexadecimal digits.
  mutating func hex8() -> UInt8? { integer(UInt8.self, base: 16, digits: 2) }

  /// Reads blanks and then exactly `count` decimal digits.
  mutating func fixedDigits(_ count: Int) -> UInt32? {
    let before = rest.count
    var scanner = self
    guard let value = scanner.integer(UInt32.self, digits: count),
      before - scanner.rest.count == count
    else { return nil }
    self = scanner
    return value
  }
}

private func isBlank(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

private func digitValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
