/// Decodes values from an input, from its beginning. After the end of the input, bytes and integers
/// are 0.
struct ByteSource {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// Reads a little-endian integer.
  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value {
    var value: Value = 0
    for place in 0..<MemoryLayout<Value>.size {
      value |= Value(truncatingIfNeeded: byte()) << Value(8 * place)
    }
    return value
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    let taken = rest.prefix(count)
    rest = rest.dropFirst(count)
    return Array(taken)
  }

  /// Returns one of `values`, chosen by the next byte.
  mutating func choice<Value>(_ values: [Value]) -> Value {
    values[Int(byte()) % values.count]
  }

  /// Returns the rest of the input as text, or nil if it is not valid UTF-8.
  mutating func text() -> String? {
    defer { rest = [] }
    return String(validating: rest, as: UTF8.self)
  }
}
