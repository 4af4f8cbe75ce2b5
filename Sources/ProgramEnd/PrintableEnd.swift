public import ArgumentParser
internal import Glibc
internal import TouchModel

extension ParsableCommand {
  /// Ends the program as the parser would, but lets no argument that its messages quote steer the terminal.
  public static func endPrintably(_ error: any Error) -> Never {
    // Help, a version, a script for a shell: words of our own.
    guard !exitCode(for: error).isSuccess else { exit(withError: error) }
    var text = quotingPrintably(error)
    guard !text.isEmpty else { exit(withError: error) }
    text += "\n"
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes = bytes.dropFirst(count)
    }
    Glibc.exit(exitCode(for: error).rawValue)
  }

  /// The parser's message. Where an argument has something in it that does not show, it is that about the same arguments
  /// made printable: a line end in an argument is none in the message then.
  private static func quotingPrintably(_ error: any Error) -> String {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let shown = arguments.map { $0.printable(limit: 4096) }
    guard shown != arguments else { return fullMessage(for: error).printableLines }
    do { _ = try parseAsRoot(shown) } catch let other where !exitCode(for: other).isSuccess {
      return fullMessage(for: other).printableLines
    } catch {}
    // Made printable nothing is wrong with them, so it is not known what of the message is ours.
    return "Error: " + message(for: error).printable(limit: 4096)
  }
}
