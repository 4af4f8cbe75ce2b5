/// Parameters that write themselves down, where a general encoder takes too long: long lists of numbers.
public protocol JSONWritable: Encodable {
  /// Writes one value, the same as `encode(to:)` would.
  func write(to json: inout JSONWriter)
}

/// Writes JSON.
public struct JSONWriter {
  /// What is written so far.
  private(set) var bytes: [UInt8] = []
  /// Whether all of it could be said: there is no NaN in JSON, and no infinity.
  private(set) var isComplete = true
  /// A value stands right before: a comma comes between.
  private var needsComma = false

  init() {}

  /// Writes an object.
  /// - Parameter members: writes its members, by `member`.
  public mutating func object(_ members: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  /// Writes an array.
  /// - Parameter elements: writes its elements, as values.
  public mutating func array(_ elements: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
  }

  /// Begins a member of an object: its value comes next.
  public mutating func member(_ name: String) {
    separate()
    JSON.quote(name, into: &bytes)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func value(_ number: Int64) {
    separate()
    unsafe single(number, digits: Self.digits)
  }

  public mutating func value(_ truth: Bool) { value(literal: truth ? "true" : "false") }

  /// In the fewest digits that only it is read from, a whole one without a point.
  public mutating func value(_ number: Double) {
    if !number.isFinite { isComplete = false }
    separate()
    unsafe single(number, digits: Self.digits)
  }

  public mutating func value(_ text: String) {
    separate()
    JSON.quote(text, into: &bytes)
  }

  mutating func value(_ written: WrittenJSON) {
    separate()
    guard let written = written.bytes else { return isComplete = false }
    bytes += written
  }

  /// Writes any other value, members by their names: for little ones.
  public mutating func value(_ value: some Encodable) {
    let encoding = JSONEncoding()
    do { try value.encode(to: encoding) } catch { isComplete = false }
    encoding.write(to: &self)
  }

  /// Writes what is JSON already.
  mutating func value(literal: String) {
    separate()
    bytes += literal.utf8
  }

  public mutating func value(_ numbers: [Int64]) {
    array { unsafe $0.numbers(numbers, digits: Self.digits) }
  }

  /// Every number as one alone is written.
  public mutating func value(_ numbers: [Double]) {
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
  /// Bytes of the longest number, and of the comma before it: "-2.2250738585072014e-308".
  private static let longest = 32

  private mutating func single<Number>(
    _ number: Number, digits: (Number, UnsafeMutableBufferPointer<UInt8>, Int) -> Int
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longest) { buffer in
      let count = unsafe digits(number, buffer, 0)
      unsafe bytes.append(contentsOf: buffer[..<count])
    }
  }

  /// - Parameter digits: writes a number into a buffer at an index, and returns how many bytes it took.
  private mutating func numbers<Number>(
    _ numbers: [Number], digits: (Number, UnsafeMutableBufferPointer<UInt8>, Int) -> Int
  ) {
    // By the thousand, so that what is reserved stays small however long the list.
    for start in stride(from: 0, to: numbers.count, by: 1024) {
      let part = numbers[start..<min(start + 1024, numbers.count)]
      var comma = needsComma
      bytes += unsafe [UInt8](unsafeUninitializedCapacity: part.count * Self.longest) {
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
    // Up to here every whole number is a double, and has no exponent.
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53,
      whole != 0 || number.sign == .plus
    {
      return unsafe digits(whole, buffer, start)
    }
    // Of all texts that read as this number, Swift's is the shortest.
    var text = number.description
    return text.withUTF8 { text in
      // "-0.0" and "1e+16".
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
