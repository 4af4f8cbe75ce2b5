/// Cuts what comes in pieces into lines.
struct LineSplitter {
  /// In bytes, more than any name has; the rest of a line is thrown away.
  static let limit = 1024

  private var line: [UInt8] = []

  /// - Returns: the lines that end in these bytes, without their ends; what is no UTF-8 is replaced.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
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

  /// What came after the last end of a line; nil where nothing did.
  mutating func rest() -> String? {
    defer { line = [] }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
