import ArgumentParser
import Glibc
import Text

/// The options of verbs that print a table, or write it to a file.
struct TableFileOptions: ParsableArguments {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case csv, json

    static let endings = FileEnding.list(allCases.map(\.rawValue))
  }

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write to a file: \(Format.endings); '-' is standard output and needs --format.",
      valueName: "file"), completion: .file(extensions: Format.allCases.map(\.rawValue)))
  var output: String?

  @Option(help: "The format of the file, whatever its ending.")
  var format: Format?

  @Flag(help: "Short for --output - --format json.")
  var json = false

  func validate() throws {
    if json, output != nil || format != nil {
      throw ValidationError("--json cannot be combined with -o or --format.")
    }
    if output == nil, format != nil {
      throw ValidationError("--format requires -o FILE; '-o -' is standard output.")
    }
    _ = try chosen()
  }

  /// - Returns: nil if the user asked for no file.
  func chosen() throws -> Format? {
    if json { return .json }
    guard let output else { return nil }
    if let format { return format }
    let ending = FileEnding(output)?.text.lowercased()
    if let format = ending.flatMap({ Format(rawValue: $0) }) { return format }
    throw ValidationError(
      output == "-"
        ? "Standard output has no file ending; add --format csv or json."
        : "'\(output.printable())' does not end in \(Format.endings); rename it or add --format.")
  }

  func save(_ bytes: [UInt8]) throws {
    if let output, output != "-" { return try writeFile(bytes, to: output) }
    try write(bytes, to: STDOUT_FILENO, name: "standard output")
  }
}
