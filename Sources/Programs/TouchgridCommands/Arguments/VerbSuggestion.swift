import ArgumentParser
import Text
import TouchModel

/// Recognises mistyped verbs. The parser reports such a word only as an unexpected argument, and
/// its verb `help` ignores it.
enum VerbSuggestion {
  /// Returns the error for the first word that stands in the place of a verb but is none.
  /// - Parameters:
  ///   - arguments: the arguments of the program.
  ///   - root: the command that they are for.
  /// - Returns: nil if there is no such word, or if it may be an argument, which the parser checks.
  static func fault(
    _ arguments: [String], of root: any ParsableCommand.Type = Touchgrid.self
  ) -> ValidationError? {
    let isHelp = arguments.first == "help"
    var command = root
    var path = root._commandName
    for word in isHelp ? arguments.dropFirst() : arguments[...] {
      let verbs = command.configuration.subcommands
      if word.hasPrefix("-") || (verbs.isEmpty && !isHelp) { return nil }
      if let verb = verbs.first(where: { $0._commandName == word }) {
        command = verb
        path += " " + word
        continue
      }
      let near = nearest(to: word, in: verbs.map { $0._commandName })
      // The word may be an argument of the default verb.
      if near == nil, !isHelp, command.configuration.defaultSubcommand != nil { return nil }
      let place = command == root ? "" : " of '\(path)'"
      let hint = near.map { ". Did you mean '\($0)'?" } ?? ""
      return ValidationError("Unknown command '\(word.printable())'\(place)\(hint)")
    }
    return nil
  }

  /// Returns the verb that the word most likely stands for.
  /// - Returns: nil if none is similar.
  static func nearest(to word: String, in verbs: [String]) -> String? {
    // No verb is nearly that long. The limit bounds the time to compute the distances.
    guard !word.isEmpty, word.utf8.count <= 40 else { return nil }
    let limit = word.count < 5 ? 1 : 2
    let distances = verbs.map { (verb: $0, distance: editDistance(word, $0)) }
    let best = distances.min { $0.distance < $1.distance }
    if let best, best.distance <= limit { return best.verb }
    return word.count < 3 ? nil : verbs.first { $0.hasPrefix(word) }
  }
}
