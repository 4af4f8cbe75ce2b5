import Glibc

/// The terminal's alternate screen, without a cursor. The normal screen returns when this value is
/// destroyed.
struct FullScreen: ~Copyable {
  init() throws(Failure) {
    try Self.put("\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J")
  }

  deinit { try? Self.put("\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l") }

  /// Replaces the contents of the screen.
  func show(_ lines: [String]) throws(Failure) {
    let text = lines.map { printableWithColours($0) + "\u{1b}[K" }.joined(separator: "\r\n")
    try Self.put("\u{1b}[H" + text + "\u{1b}[J")
  }

  private static func put(_ text: String) throws(Failure) {
    try write(Array(text.utf8), to: STDOUT_FILENO, name: "the terminal")
  }
}
