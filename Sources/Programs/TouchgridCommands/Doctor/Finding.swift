import Heatmaps
import Text
import TouchModel

/// The result of a check.
struct Finding: Equatable, Encodable {
  enum Level: String, Encodable {
    case ok, warning, problem
  }

  var level: Level
  var text: String
  /// The remedy; nil if there is no problem, or if the text needs no hint.
  var hint: String?

  static func ok(_ text: String) -> Finding { Finding(level: .ok, text: text) }
  static func warning(_ text: String, _ hint: String) -> Finding {
    Finding(level: .warning, text: text, hint: hint)
  }
  static func problem(_ text: String, _ hint: String) -> Finding {
    Finding(level: .problem, text: text, hint: hint)
  }

  /// Returns the level, the text, and the hint below it.
  /// - Parameters:
  ///   - width: the columns of the terminal.
  ///   - colours: whether to colour the level.
  func lines(width: Int, colours: Bool) -> [String] {
    let indent = 9
    let room = max(20, width - indent)
    let mark = level.rawValue + String(repeating: " ", count: indent - level.rawValue.count)
    let body =
      wrapped(text.printable(limit: .max), to: room)
      + (hint.map { wrapped($0.printable(limit: .max), to: room - 2) } ?? []).map { "  " + $0 }
    return body.enumerated().map { index, line in
      let start = colours ? "\u{1b}[\(level.colour)m\(mark)\u{1b}[0m" : mark
      return (index == 0 ? start : String(repeating: " ", count: indent)) + line
    }
  }
}

extension Finding.Level {
  /// The number of the foreground colour in an ECMA-48 escape sequence.
  fileprivate var colour: Int {
    switch self {
    case .ok: 32
    case .warning: 33
    case .problem: 31
    }
  }
}
