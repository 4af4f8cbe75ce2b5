/// A read position in the bytes of a file, with the number of the current line.
struct ByteReader {
  private let bytes: [UInt8]
  private(set) var position = 0
  /// Counted from 1.
  private(set) var line = 1

  /// Starts after a byte order mark.
  init(_ text: String) {
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  /// The line of the first NUL; nil if there is none.
  var lineOfNUL: Int? {
    bytes.firstIndex(of: 0).map { end in
      1 + bytes[..<end].count { $0 == UInt8(ascii: "\n") }
    }
  }

  /// The next byte; nil at the end.
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  func isTriple(_ byte: UInt8) -> Bool {
    position + 2 < bytes.count && bytes[position...position + 2].allSatisfy { $0 == byte }
  }

  func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  /// Returns a part of the text. Invalid UTF-8 is replaced by U+FFFD.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  mutating func advance() {
    guard let byte = peek else { return }
    if byte == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  /// Moves to the end without changing `line`.
  mutating func stop() { position = bytes.count }

  mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    advance()
    return true
  }

  mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = peek, condition(byte) { advance() }
  }

  mutating func skipSpaces() { skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

  /// Skips white space, line ends and comments.
  mutating func skipBlank() {
    while let byte = peek {
      if byte == UInt8(ascii: "#") {
        skip { $0 != UInt8(ascii: "\n") }
      } else if " \t\r\n".utf8.contains(byte) {
        advance()
      } else {
        return
      }
    }
  }

  static func isBareKey(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
