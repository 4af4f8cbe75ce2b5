public import ArgumentParser
internal import Glibc
internal import Text
internal import TouchModel

extension ParsableCommand {
  /// Ends the program as the argument parser would, but escapes unprintable characters in the
  /// arguments that its messages quote, so that they cannot control the terminal.
  /// - Parameters:
  ///   - arguments: the arguments that were parsed.
  ///   - isPrintable: whether the message certainly has no unprintable characters.
  public static func endPrintably(
    _ error: any Error, arguments: [String] = Array(CommandLine.arguments.dropFirst()),
    isPrintable: Bool = false
  ) -> Never {
    // An exit code has no message to print.
    if let code = error as? ExitCode { Glibc.exit(code.rawValue) }
    // Help texts, versions and completion scripts contain no arguments.
    let isSuccess = exitCode(for: error).isSuccess
    let text =
      isSuccess || isPrintable ? fullMessage(for: error) : quotingPrintably(error, arguments)
    guard !text.isEmpty else { exit(withError: error) }
    writeText(wrappingUsage(text) + "\n", to: isSuccess ? STDOUT_FILENO : STDERR_FILENO)
    Glibc.exit(exitCode(for: error).rawValue)
  }

  /// Returns the parser's message. If an argument contains unprintable characters, the arguments
  /// are escaped and parsed again, and the message for these is returned.
  private static func quotingPrintably(_ error: any Error, _ arguments: [String]) -> String {
    let shown = arguments.map { $0.printable(limit: 4096) }
    guard shown != arguments else { return fullMessage(for: error).printableLines }
    do { _ = try parseAsRoot(shown) } catch let other where !exitCode(for: other).isSuccess {
      return fullMessage(for: other).printableLines
    } catch {}
    // The escaped arguments are valid. The whole message is escaped, because it is unknown which
    // part of it quotes arguments.
    return "Error: " + message(for: error).printable(limit: 4096)
  }
}

/// Writes a text to a descriptor; gives up after an error.
func writeText(_ text: String, to descriptor: Int32) {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe write(descriptor, $0.baseAddress, $0.count)
    }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { break }
    bytes = bytes.dropFirst(count)
  }
}
