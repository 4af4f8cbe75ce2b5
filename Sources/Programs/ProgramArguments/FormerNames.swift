internal import Glibc

/// The names that verbs and options had before release 0.1. That release still accepts them, and
/// prints a warning for each; the release after it removes this file.
///
/// The names are replaced before the arguments are parsed, so that no help, completion, man page or
/// suggestion contains them.
package enum FormerNames {
  /// The words of each former verb of `touchgrid`, and today's verb.
  private static let verbs: [[String]: String] = [
    ["screen"]: "set-screen", ["display"]: "set-display", ["record"]: "track",
    ["session", "begin"]: "begin-session", ["session", "end"]: "end-session",
    ["session", "tag"]: "tag-session",
  ]

  /// The former options of each command, and today's.
  private static let options: [[String]: [String: String]] = [
    ["touchgrid", "heatmap"]: ["--map": "--colour-map"],
    ["touchgrid", "subtitles"]: ["--bubble-size": "--diameter"],
    ["touchgrid", "overlay", "on"]: overlay, ["touchgrid", "overlay", "toggle"]: overlay,
    ["touchgrid-overlay"]: overlay,
  ]

  private static let overlay = ["--size": "--diameter", "--output": "--monitor"]

  /// Returns the arguments of this process with today's names, and prints the warnings.
  /// - Parameters:
  ///   - program: the name of the program.
  ///   - asksForScreen: as in `replacing`.
  package static func replacingInProcess(
    of program: String, asksForScreen: ([String]) -> Bool = { _ in false }
  ) -> [String] {
    let (arguments, warnings) = replacing(
      in: Array(CommandLine.arguments.dropFirst()), of: program, asksForScreen: asksForScreen)
    for warning in warnings { writeText("\(program): \(warning)\n", to: STDERR_FILENO) }
    return arguments
  }

  /// Returns arguments with today's names, and a warning for each former name.
  /// - Parameters:
  ///   - program: the name of the program that the arguments are for.
  ///   - asksForScreen: returns whether the arguments of the former verb `screen` contain no screen
  ///     name. Without a name, `screen` did what `get-screen` does today.
  package static func replacing(
    in arguments: [String], of program: String, asksForScreen: ([String]) -> Bool = { _ in false }
  ) -> (arguments: [String], warnings: [String]) {
    var words = arguments
    var warnings: [String] = []
    if program == "touchgrid" {
      // 'touchgrid help VERB' prints the help of a verb.
      let start = words.first == "help" ? 1 : 0
      for count in 1...2 {
        let former = Array(words.dropFirst(start).prefix(count))
        guard var verb = verbs[former] else { continue }
        let rest = words.dropFirst(start + former.count)
        if verb == "set-screen", start == 0, asksForScreen(Array(rest)) { verb = "get-screen" }
        words.replaceSubrange(start..<start + former.count, with: [verb])
        warnings.append(
          warning("touchgrid \(former.joined(separator: " "))", "touchgrid \(verb)"))
        break
      }
    }
    for count in 0...2 {
      let command = [program] + words.prefix(count)
      guard let names = options[command] else { continue }
      // A word after "--" is a value. All other words can be replaced, because no option accepts
      // the name of an option as its value.
      for index in words.indices.dropFirst(count).prefix(while: { words[$0] != "--" }) {
        let former = String(words[index].prefix { $0 != "=" })
        guard let option = names[former] else { continue }
        words[index] = option + words[index].dropFirst(former.count)
        let warning = warning("\(command.joined(separator: " ")) \(former)", option)
        if !warnings.contains(warning) { warnings.append(warning) }
      }
    }
    return (words, warnings)
  }

  private static func warning(_ former: String, _ name: String) -> String {
    "'\(former)' is now '\(name)'; the next release removes the old name"
  }
}
