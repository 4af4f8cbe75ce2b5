/// Takes an input apart from its beginning. When it is used up, all that comes is 0.
struct ByteSource {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// Little-endian.
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

  /// One of them; what the bytes say.
  mutating func choice<Value>(_ values: [Value]) -> Value {
    values[Int(byte()) % values.count]
  }

  /// All that is left, as text; nil where it is none.
  mutating func text() -> String? {
    defer { rest = [] }
    return String(validating: rest, as: UTF8.self)
  }
}
