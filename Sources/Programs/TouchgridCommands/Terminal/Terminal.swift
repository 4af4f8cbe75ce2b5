import Glibc
import Heatmaps

/// The terminal at standard output, or defaults if it is not a terminal.
enum Terminal {
  static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The number of columns; 80 if unknown.
  static var width: Int { width(of: STDOUT_FILENO) }

  /// - Parameter descriptor: the descriptor of a terminal.
  static func width(of descriptor: Int32) -> Int {
    if let columns = size(of: descriptor)?.columns, columns > 0 { return Int(columns) }
    return variable("COLUMNS").flatMap { Int($0) }.map { min(max($0, 20), 1000) } ?? 80
  }

  /// The number of lines; 24 if unknown.
  static var height: Int {
    if let rows = size(of: STDOUT_FILENO)?.rows, rows > 0 { return Int(rows) }
    return variable("LINES").flatMap { Int($0) }.map { min(max($0, 5), 1000) } ?? 24
  }

  private static func size(of descriptor: Int32) -> (rows: UInt16, columns: UInt16)? {
    // struct winsize: rows, columns, width and height in pixels.
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (size.rows, size.columns)
  }

  static var colours: TerminalColours {
    TerminalColours(isTerminal: isThere, variable: variable)
  }

  /// Whether text may be coloured.
  static var hasColours: Bool {
    isThere && variable("TERM") != "dumb" && variable("NO_COLOR") ?? "" == ""
  }

  static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
