/// Splits the bytes of a stream into lines.
struct LineSplitter {
  /// The maximum length of a line, in bytes, which is longer than any name. The rest of a longer
  /// line is dropped.
  static let limit = 1024

  private var line: [UInt8] = []

  /// Returns the lines that these bytes complete, without line terminators. Replaces invalid UTF-8.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        lines.append(String(decoding: line, as: UTF8.self))
        line = []
      } else if line.count < Self.limit {
        line.append(byte)
      }
    }
    return lines
  }

  /// Removes and returns the text after the last line terminator; nil if there is none.
  mutating func takeRemainder() -> String? {
    defer { line = [] }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
