import Glibc
import GridFormats

/// The terminal at standard output, or what stands in for one.
enum Terminal {
  static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Columns; 80 where nobody knows.
  static var width: Int {
    // struct winsize: rows, columns, and both in pixels.
    var size: (UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    if unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.columns > 0 {
      return Int(size.columns)
    }
    return variable("COLUMNS").flatMap { Int($0) }.map { min(max($0, 20), 1000) } ?? 80
  }

  static var colours: TerminalColours {
    TerminalColours(isTerminal: isThere, variable: variable)
  }

  static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
