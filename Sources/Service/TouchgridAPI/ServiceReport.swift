internal import Glibc
internal import LinuxIO
internal import Text
internal import TouchModel

/// Reports the state of a program to standard error and to the service manager. A state is reported
/// again only after another one.
package final class ServiceReport {
  private let program: String
  private let notifier = ServiceNotifier()
  private var last = ""

  /// - Parameter program: the name that each line on standard error begins with.
  package init(program: String) { self.program = program }

  /// Tells the service manager that the program has started.
  package func ready() { notifier?.send("READY=1") }

  /// Tells the service manager that the program is about to end.
  package func stopping() { notifier?.send("STOPPING=1") }

  /// Reports the state in one line. Does nothing if `text` is the state that was last reported.
  /// - Parameter isLogged: whether it is also written to standard error.
  package func setStatus(_ text: String, isLogged: Bool = true) {
    let text = Self.line(text)
    guard text != last else { return }
    last = text
    notifier?.send("STATUS=\(text)")
    if isLogged { write("\(program): \(text)\n") }
  }

  /// Writes a warning to standard error.
  package func warn(_ text: String) { write("\(program): \(Self.line(text))\n") }

  /// Returns at most 2000 characters of the text, with control characters escaped. Names and
  /// messages come from other programs: they must not control a terminal, and the service manager
  /// would take text after a line break for another message.
  package static func line(_ text: String) -> String { text.printable(limit: 2000) }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)
    _ = unsafe Glibc.write(STDERR_FILENO, &bytes, bytes.count)
  }
}
