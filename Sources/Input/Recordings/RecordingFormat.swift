/// The formats of recording files.
enum RecordingFormat {
  case evemu
  case libinput

  /// Determines the format of a file by its first line that is neither blank nor an ordinary
  /// comment.
  static func recognise(
    _ bytes: [UInt8], path: String
  ) throws(RecordingError) -> RecordingFormat {
    var found: RecordingFormat?
    var first: ArraySlice<UInt8>?
    try forEachLine(of: bytes, path: path) { (_, line) throws(RecordingError) in
      var scanner = LineScanner(line)
      scanner.skipSpaces()
      if scanner.isAtEnd { return true }
      first = first ?? line
      if scanner.skip("# EVEMU") {
        found = .evemu
      } else if scanner.skip("# libinput record") || scanner.skip("version:") {
        found = .libinput
      } else if scanner.skip("#") {
        return true
      } else if scanner.skip("R:") || scanner.skip("D:") {
        throw RecordingError(path: path, problem: .rawReports)
      } else if scanner.skipAny(of: Array("NIPBALSE".utf8)) && scanner.skip(":") {
        found = .evemu
      }
      return false
    }
    if let found { return found }
    guard let first else { throw RecordingError(path: path, problem: .empty) }
    throw RecordingError(path: path, problem: .unknownFormat(found: excerpt(first)))
  }
}

/// The maximum length of a line, in bytes: about twenty times the longest line that a recorder
/// writes.
let lineLengthLimit = 1 << 16

/// Calls `body` with the number of each line, counted from 1, and the line without its `\n` or
/// `\r\n`, until `body` returns false.
/// - Throws: `.lineTooLong`, and the errors of `body`.
func forEachLine(
  of bytes: [UInt8], path: String,
  _ body: (Int, ArraySlice<UInt8>) throws(RecordingError) -> Bool
) throws(RecordingError) {
  var start = bytes.startIndex
  var number = 1
  while start < bytes.endIndex {
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    var line = bytes[start..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.count <= lineLengthLimit else {
      throw RecordingError(
        path: path, line: number, problem: .lineTooLong(limit: lineLengthLimit))
    }
    guard try body(number, line) else { return }
    start = end + 1
    number += 1
  }
}

/// Calls `body` with all lines of a file.
func forEachLine(
  of bytes: [UInt8], path: String,
  _ body: (Int, ArraySlice<UInt8>) throws(RecordingError) -> Void
) throws(RecordingError) {
  try forEachLine(of: bytes, path: path) { (number, line) throws(RecordingError) in
    try body(number, line)
    return true
  }
}
