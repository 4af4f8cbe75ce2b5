import ArgumentParser
import Glibc
import Text

/// The options `-o`, `--format` and `--json` of verbs that print their result, or write it to a
/// file.
struct FileOptions<Format: FileFormat>: ParsableArguments {
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

  /// The file to write; nil for standard output.
  var path: String? { output == "-" ? nil : output }

  func validate() throws {
    if json, output != nil || format != nil {
      throw ValidationError("--json cannot be combined with -o or --format.")
    }
    if output == nil, format != nil {
      throw ValidationError("--format requires -o FILE; '-o -' is standard output.")
    }
    _ = try chosen()
  }

  /// - Returns: nil if the user wants no file.
  func chosen() throws -> Format? {
    if json { return .json }
    guard let output else { return nil }
    if let format { return format }
    let ending = FileEnding(output)?.text.lowercased()
    if let format = ending.flatMap({ Format(rawValue: $0) }) { return format }
    throw ValidationError(
      output == "-"
        ? "Standard output has no file ending; add --format \(Format.names)."
        : "'\(output.printable())' does not end in \(Format.endings); rename it or add --format.")
  }

  /// Writes the bytes of a single file.
  func save(_ bytes: [UInt8]) throws {
    if let path { return try writeFile(bytes, to: path) }
    if let format = try chosen(), format.isBinary, Terminal.isThere {
      throw Failure(
        "a .\(format.rawValue) is binary and is not written to a terminal; use -o FILE or a pipe")
    }
    try write(bytes, to: STDOUT_FILENO, name: "standard output")
  }
}
