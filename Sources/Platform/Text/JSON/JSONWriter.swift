/// A value that writes its own JSON, because a general encoder is too slow for long lists of
/// numbers.
package protocol JSONWritable: Encodable {
  /// Writes one value, with the same result as `encode(to:)`.
  func write(to json: inout JSONWriter)
}

package struct JSONWriter {
  /// The text written so far.
  package private(set) var bytes: [UInt8] = []
  /// Whether all values could be written. JSON cannot represent NaN and infinity.
  package private(set) var isComplete = true
  /// Whether a comma must precede the next value or member.
  private var needsComma = false

  package init() {}

  /// Writes an object.
  /// - Parameter members: writes the members with `member`.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  /// Writes an array.
  /// - Parameter elements: writes the elements as values.
  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
  }

  /// Writes the name of a member. The caller then writes its value.
  package mutating func member(_ name: String) {
    separate()
    JSON.quote(name, into: &bytes)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func value(_ number: Int64) {
    separate()
    unsafe single(number, digits: Self.digits)
  }

  package mutating func value(_ truth: Bool) { value(literal: truth ? "true" : "false") }

  /// Writes a number with the fewest digits that parse to the same number; a whole number without a
  /// point. NaN and infinity make `isComplete` false.
  package mutating func value(_ number: Double) {
    if !number.isFinite { isComplete = false }
    separate()
    unsafe single(number, digits: Self.digits)
  }

  package mutating func value(_ text: String) {
    separate()
    JSON.quote(text, into: &bytes)
  }

  mutating func value(_ written: PreencodedJSON) {
    separate()
    guard let written = written.bytes else { return isComplete = false }
    bytes += written
  }

  /// Writes any other value, with members sorted by name. Slow, so meant for small values.
  package mutating func value(_ value: some Encodable) {
    let encoding = JSONEncoding()
    do { try value.encode(to: encoding) } catch { isComplete = false }
    encoding.write(to: &self)
  }

  /// Writes text that is already JSON.
  package mutating func value(literal: String) {
    separate()
    bytes += literal.utf8
  }

  package mutating func value(_ numbers: [Int64]) {
    array { unsafe $0.numbers(numbers, digits: Self.digits) }
  }

  /// Writes each number in the same way as a single number.
  package mutating func value(_ numbers: [Double]) {
    if !numbers.allSatisfy(\.isFinite) { isComplete = false }
    array { unsafe $0.numbers(numbers, digits: Self.digits) }
  }

  private mutating func enclose(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(open)
    needsComma = false
    body(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }
}

extension JSONWriter {
  /// The space reserved for each number and the comma before it, in bytes. The longest number,
  /// "-2.2250738585072014e-308", has 24.
  private static let maxNumberLength = 32

  private mutating func single<Number>(
    _ number: Number, digits: (Number, UnsafeMutableBufferPointer<UInt8>, Int) -> Int
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.maxNumberLength) { buffer in
      let count = unsafe digits(number, buffer, 0)
      unsafe bytes.append(contentsOf: buffer[..<count])
    }
  }

  /// - Parameter digits: writes a number into a buffer at an index, and returns the number of bytes
  ///   written.
  private mutating func numbers<Number>(
    _ numbers: [Number], digits: (Number, UnsafeMutableBufferPointer<UInt8>, Int) -> Int
  ) {
    // A long list is written in parts of 1,024 numbers, so that the reserved memory stays small.
    for start in stride(from: 0, to: numbers.count, by: 1024) {
      let part = numbers[start..<min(start + 1024, numbers.count)]
      var comma = needsComma
      bytes += unsafe [UInt8](unsafeUninitializedCapacity: part.count * Self.maxNumberLength) {
        buffer, end in
        for number in part {
          if comma {
            unsafe buffer[end] = UInt8(ascii: ",")
            end += 1
          }
          comma = true
          end += unsafe digits(number, buffer, end)
        }
      }
      needsComma = true
    }
  }

  private static func digits(
    _ number: Int64, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ start: Int
  ) -> Int {
    var rest = number.magnitude
    var length = number < 0 ? 2 : 1
    while rest > 9 {
      rest /= 10
      length += 1
    }
    if number < 0 { unsafe buffer[start] = UInt8(ascii: "-") }
    rest = number.magnitude
    var place = start + length - 1
    repeat {
      unsafe buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      place -= 1
    } while rest > 0
    return length
  }

  private static func digits(
    _ number: Double, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ start: Int
  ) -> Int {
    // Below this limit every whole number is exact as a double, and Swift writes it without an
    // exponent. The sign of -0 would be lost here.
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53,
      whole != 0 || number.sign == .plus
    {
      return unsafe digits(whole, buffer, start)
    }
    // Swift writes the shortest text that reads as this number.
    var text = number.description
    return text.withUTF8 { text in
      // Removes ".0" from texts such as "-0.0". A text such as "1e+16" stays as it is.
      let length =
        unsafe text.count > 2 && text.suffix(2).elementsEqual([0x2e, 0x30])
        ? text.count - 2 : text.count
      for index in 0..<length {
        unsafe buffer[start + index] = text[index]
      }
      return length
    }
  }
}
