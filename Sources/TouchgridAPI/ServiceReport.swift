internal import Glibc
internal import LinuxIO
internal import TouchModel

/// Tells people and the service manager how it is, each thing once.
package final class ServiceReport {
  private let program: String
  private let notifier = ServiceNotifier()
  private var last = ""

  /// - Parameter program: what lines on standard error begin with.
  package init(program: String) { self.program = program }

  package func ready() { notifier?.send("READY=1") }

  package func stopping() { notifier?.send("STOPPING=1") }

  /// How it is, in one line; said again only after something else.
  package func tell(_ text: String) {
    let text = Self.line(text)
    guard text != last else { return }
    last = text
    notifier?.send("STATUS=\(text)")
    write("\(program): \(text)\n")
  }

  package func warn(_ text: String) { write("\(program): \(Self.line(text))\n") }

  /// Names and messages come from elsewhere: they may not steer terminals, nor tell the service manager more than
  /// this one thing.
  package static func line(_ text: String) -> String { text.printable(limit: 2000) }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)
    _ = unsafe Glibc.write(STDERR_FILENO, &bytes, bytes.count)
  }
}
