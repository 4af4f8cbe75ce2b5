internal import Text

/// Wraps the lines of a help text or of an error that begin with `USAGE: `, `Usage: ` or `Help:  `.
/// The parser writes each of them in one line.
package func wrappingUsage(_ text: String, to width: Int = 80) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
    ["USAGE: ", "Usage: ", "Help:  "].contains { line.hasPrefix($0) }
      ? wrapped(line, to: width) : [line]
  }.joined(separator: "\n")
}

/// Wraps a usage line. Continuation lines are indented, to begin below the name of the program. An
/// option stays with its value.
private func wrapped(_ line: Substring, to width: Int) -> [Substring] {
  guard line.count > width else { return [line] }
  let indent = String(repeating: " ", count: "Usage: ".count)
  var lines: [String] = []
  var current = ""
  for piece in pieces(of: line) {
    if current.isEmpty {
      current = piece
    } else if current.count + 1 + piece.count <= width {
      current += " " + piece
    } else {
      lines.append(current)
      current = indent + piece
    }
  }
  return (lines + [current]).map { $0[...] }
}

/// Splits a usage line where it may be wrapped: not in brackets, not between an option and its
/// value, and not before an ellipsis.
private func pieces(of line: Substring) -> [String] {
  var pieces: [String] = []
  var depth = 0
  for word in line.split(separator: " ", omittingEmptySubsequences: false) {
    let isValue = word.hasPrefix("<") && pieces.last?.hasPrefix("-") == true
    if depth > 0 || word == "..." || (isValue && pieces.last?.contains(" ") == false) {
      pieces[pieces.count - 1] += " " + word
    } else {
      pieces.append(String(word))
    }
    for character in word {
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
    }
  }
  return pieces
}
