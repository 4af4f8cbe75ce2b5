import Text

/// Asks questions, one line each.
struct Dialogue {
  /// Returns the next line of the user's input, without its end; nil at the end of input.
  var read: () -> String?
  /// Writes text as it is.
  var write: (String) throws -> Void
  /// The number of columns.
  var width = 80

  func say(_ text: String = "") throws {
    try write(
      text.printableLines.split(separator: "\n", omittingEmptySubsequences: false)
        .flatMap { $0.isEmpty ? [""] : wrapped(String($0), to: width) }
        .map { $0 + "\n" }.joined())
  }

  /// Asks for a line.
  /// - Parameter usual: the answer if the line is empty.
  /// - Throws: an error at the end of input.
  func ask(_ question: String, usual: String? = nil) throws -> String {
    try say(question)
    try write(usual.map { "[\($0.printable())] > " } ?? "> ")
    guard let line = read() else {
      throw Failure("the answers ended, so nothing was changed")
    }
    let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? usual ?? "" : words
  }

  /// Asks until `understand` returns a value.
  /// - Parameter understand: throws a `Failure` that says what is wrong with an answer.
  func ask<Answer>(
    _ question: String, usual: String? = nil,
    _ understand: (String) throws(Failure) -> Answer
  ) throws -> Answer {
    while true {
      let line = try ask(question, usual: usual)
      do throws(Failure) { return try understand(line) } catch { try say("\(error)") }
    }
  }

  func agrees(_ question: String, usual: Bool) throws -> Bool {
    try ask(question, usual: usual ? "yes" : "no") { line throws(Failure) in
      switch line.lowercased() {
      case "y", "yes": true
      case "n", "no": false
      default: throw Failure("Answer yes or no.")
      }
    }
  }
}
