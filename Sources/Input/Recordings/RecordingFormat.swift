/// The formats of recording files.
enum RecordingFormat {
  case evemu
  case libinput

  /// The number of lines before a recording that are searched for its beginning.
  private static let searchLimit = 1000

  /// Determines the format of a file by its first line that is neither blank nor an ordinary
  /// comment. If that line belongs to no format, the recording may begin farther down, because
  /// people copy it from a terminal together with the command and its messages.
  /// - Returns: the format, and the number of the line where the recording begins.
  static func recognise(
    _ bytes: [UInt8], path: String
  ) throws(RecordingError) -> (format: RecordingFormat, line: Int) {
    var found: (format: RecordingFormat, line: Int)?
    var first: ArraySlice<UInt8>?
    var beginning = RecordingBeginning()
    do throws(RecordingError) {
      try forEachLine(of: bytes, path: path) { (number, line) throws(RecordingError) in
        var scanner = LineScanner(line)
        scanner.skipSpaces()
        if scanner.isAtEnd { return true }
        if first == nil {
          if let format = try Self.ofFirst(scanner, path: path) {
            found = (format, 1)
          } else if scanner.rest.first != UInt8(ascii: "#") {
            first = line
          }
        } else {
          found = beginning.read(line, number: number)
        }
        return found == nil && number < searchLimit
      }
    } catch {
      // Binary files have long lines, too.
      guard first != nil, case .lineTooLong = error.problem else { throw error }
    }
    if let found { return found }
    guard let shown = first ?? Self.firstLine(bytes) else {
      throw RecordingError(path: path, problem: .empty)
    }
    throw RecordingError(path: path, problem: .unknownFormat(found: excerpt(shown)))
  }

  /// Returns the format of a file whose first line this is; nil if it belongs to no format.
  private static func ofFirst(
    _ line: LineScanner, path: String
  ) throws(RecordingError) -> RecordingFormat? {
    var scanner = line
    if scanner.skip("# EVEMU") { return .evemu }
    if scanner.skip("# libinput record") || scanner.skip("version:") { return .libinput }
    if scanner.skip("R:") || scanner.skip("D:") {
      throw RecordingError(path: path, problem: .rawReports)
    }
    return scanner.skipAny(of: Array("NIPBALSE".utf8)) && scanner.skip(":") ? .evemu : nil
  }

  /// Returns the first line that is not blank.
  private static func firstLine(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    return bytes.prefix(lineLengthLimit).split(whereSeparator: isEnd).first { line in
      var scanner = LineScanner(line)
      scanner.skipSpaces()
      return !scanner.isAtEnd
    }
  }
}

/// Finds the beginning of a recording below other lines, such as those of a terminal. Other programs
/// print lines such as `N: …` and `E: …` as well, so an evemu file without its title begins with a
/// name and the identifiers.
struct RecordingBeginning {
  /// The number of the last line, if it is a name in evemu's format.
  private var name: Int?

  mutating func read(
    _ line: ArraySlice<UInt8>, number: Int
  ) -> (format: RecordingFormat, line: Int)? {
    var scanner = LineScanner(line)
    scanner.skipSpaces()
    if scanner.skip("# EVEMU") { return (.evemu, number) }
    if scanner.skip("# libinput record") { return (.libinput, number) }
    if scanner.skip("version:"), scanner.integer(Int.self) != nil, scanner.isDone {
      return (.libinput, number)
    }
    if let name, scanner.skip("I:"), (0..<4).allSatisfy({ _ in scanner.hex16() != nil }),
      scanner.isDone
    {
      return (.evemu, name)
    }
    name = scanner.skip("N:") ? number : nil
    return nil
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
  // Windows programs begin a text file with a byte order mark.
  var start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : bytes.startIndex
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
