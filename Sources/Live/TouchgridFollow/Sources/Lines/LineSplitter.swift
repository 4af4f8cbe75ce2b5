/// Splits the bytes of a stream into lines.
struct LineSplitter {
  /// The longest line, in bytes, which is more than any name has. The rest of a longer line is
  /// dropped.
  static let limit = 1024

  private var line: [UInt8] = []

  /// - Returns: The lines that end in these bytes, without their ends. Invalid UTF-8 is replaced.
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

  /// Returns the text after the last end of a line; nil if there is none.
  mutating func takeRemainder() -> String? {
    defer { line = [] }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
