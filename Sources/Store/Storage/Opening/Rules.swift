/// A CHECK constraint of a table.
struct Rule: Hashable {
  var table: String
  /// The name of the table's first column. It identifies a row by its session, day or month, or by
  /// the row's own id.
  var owner: String
  /// The condition that SQLite checks.
  var condition: String

  /// Returns the CHECK constraints of a table, read from its `CREATE TABLE` statement in `Schema`.
  static func all(in statement: String) -> [Rule] {
    let parts = statement.split(separator: "(", maxSplits: 1)
    let words = parts.map { $0.split { $0.isWhitespace } }
    guard parts.count == 2, words[0].starts(with: ["CREATE", "TABLE"]),
      let table = words[0].last, let owner = words[1].first
    else { return [] }
    let mark = "CHECK ("
    return statement.indices.map { statement[$0...] }.filter { $0.hasPrefix(mark) }.map {
      Rule(
        table: String(table), owner: String(owner),
        condition: condition($0.dropFirst(mark.count)))
    }
  }

  /// - Parameter text: the text after the opening parenthesis of the condition.
  private static func condition(_ text: Substring) -> String {
    var depth = 1
    var isQuoted = false
    let end = text.firstIndex { character in
      if character == "'" { isQuoted.toggle() }
      guard !isQuoted else { return false }
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return depth == 0
    }
    return text[..<(end ?? text.endIndex)].split { $0.isWhitespace }.joined(separator: " ")
  }
}
