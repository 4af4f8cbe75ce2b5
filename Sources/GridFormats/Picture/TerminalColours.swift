/// How many colours a terminal shows.
public enum TerminalColours: String, CaseIterable, Sendable {
  /// 24 bits.
  case full
  /// xterm's 256.
  case palette = "256"
  /// Plain characters.
  case plain = "none"

  /// What a terminal says of itself, by the usual variables: `NO_COLOR` (no-color.org), `COLORTERM`, `TERM`.
  /// - Parameters:
  ///   - isTerminal: whether there is one at all; a file gets plain characters.
  ///   - variable: an environment variable's value.
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

  /// What a terminal is told to write or to fill the ground with a colour; empty for `plain`.
  public func foreground(_ colour: Colour) -> String { select(38, colour) }
  public func background(_ colour: Colour) -> String { select(48, colour) }

  private func select(_ ground: Int, _ colour: Colour) -> String {
    switch self {
    case .full: "\u{1b}[\(ground);2;\(colour.red);\(colour.green);\(colour.blue)m"
    case .palette: "\u{1b}[\(ground);5;\(colour.paletteIndex)m"
    case .plain: ""
    }
  }
}
