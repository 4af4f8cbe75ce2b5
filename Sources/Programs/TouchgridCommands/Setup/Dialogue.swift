import Text

/// Asks questions, one line each.
struct Dialogue {
  /// Returns the next line of the user's input, without its end; nil at the end of input.
  var read: () -> String?
  /// Writes text unchanged.
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
    return try answer(usual: usual)
  }

  private func answer(usual: String?) throws -> String {
    try write(usual.map { "[\($0.printable())] > " } ?? "> ")
    guard let line = read() else {
      throw Failure("end of input; nothing was changed")
    }
    let answer = line.trimmed
    return answer.isEmpty ? usual ?? "" : answer
  }

  /// Asks a question, and reads answers until `understand` returns a value.
  /// - Parameter understand: throws a `Failure` that explains why an answer is invalid.
  func ask<Answer>(
    _ question: String, usual: String? = nil,
    _ understand: (String) throws(Failure) -> Answer
  ) throws -> Answer {
    try say(question)
    while true {
      let line = try answer(usual: usual)
      do throws(Failure) { return try understand(line) } catch { try say("\(error)") }
    }
  }

  /// Asks a question to be answered with yes or no.
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

extension StringProtocol {
  /// The text without white space at its ends. White space inside it stays: names may have it.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
