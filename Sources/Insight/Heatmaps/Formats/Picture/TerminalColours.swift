/// The colours that a terminal shows.
public enum TerminalColours: String, CaseIterable, Sendable {
  /// 24-bit colours.
  case full
  /// xterm's palette of 256 colours.
  case palette = "256"
  /// No colours, plain characters only.
  case plain = "none"

  /// Detects colour support from the usual environment variables: `NO_COLOR` (no-color.org),
  /// `COLORTERM`, `TERM`.
  /// - Parameters:
  ///   - isTerminal: whether the output is a terminal. Anything else gets plain characters.
  ///   - variable: returns the value of an environment variable.
  public init(isTerminal: Bool, variable: (String) -> String?) {
    let term = variable("TERM") ?? ""
    guard isTerminal, term != "dumb", variable("NO_COLOR") ?? "" == "" else {
      self = .plain
      return
    }
    if ["truecolor", "24bit"].contains(variable("COLORTERM")) || term.hasSuffix("-direct") {
      self = .full
    } else if term.hasSuffix("256color") {
      self = .palette
    } else {
      self = .plain
    }
  }

  /// Returns the escape sequence that sets the colour of the text; empty for `plain`.
  public func foreground(_ colour: Colour) -> String { select(38, colour) }
  /// Returns the escape sequence that sets the background colour; empty for `plain`.
  public func background(_ colour: Colour) -> String { select(48, colour) }

  private func select(_ ground: Int, _ colour: Colour) -> String {
    switch self {
    case .full: "\u{1b}[\(ground);2;\(colour.red);\(colour.green);\(colour.blue)m"
    case .palette: "\u{1b}[\(ground);5;\(colour.paletteIndex)m"
    case .plain: ""
    }
  }
}
