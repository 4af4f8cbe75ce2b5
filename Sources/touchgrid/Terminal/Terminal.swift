import Glibc
import GridFormats

/// The terminal at standard output, or what stands in for one.
enum Terminal {
  static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Columns; 80 where nobody knows.
  static var width: Int { width(of: STDOUT_FILENO) }

  /// - Parameter descriptor: of a terminal.
  static func width(of descriptor: Int32) -> Int {
    if let columns = size(of: descriptor)?.columns, columns > 0 { return Int(columns) }
    return variable("COLUMNS").flatMap { Int($0) }.map { min(max($0, 20), 1000) } ?? 80
  }

  /// Lines; 24 where nobody knows.
  static var height: Int {
    if let rows = size(of: STDOUT_FILENO)?.rows, rows > 0 { return Int(rows) }
    return variable("LINES").flatMap { Int($0) }.map { min(max($0, 5), 1000) } ?? 24
  }

  private static func size(of descriptor: Int32) -> (rows: UInt16, columns: UInt16)? {
    // struct winsize: rows, columns, and both in pixels.
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (size.rows, size.columns)
  }

  static var colours: TerminalColours {
    TerminalColours(isTerminal: isThere, variable: variable)
  }

  /// Whether words may be coloured.
  static var hasColours: Bool {
    isThere && variable("TERM") != "dumb" && variable("NO_COLOR") ?? "" == ""
  }

  static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
