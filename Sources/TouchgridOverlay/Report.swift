internal import Glibc
internal import LinuxIO
internal import TouchModel

/// Tells people and the service manager how it is, each thing once.
final class Report {
  private let notifier = ServiceNotifier()
  private var last = ""

  func ready() { notifier?.send("READY=1") }

  func stopping() { notifier?.send("STOPPING=1") }

  /// How it is, in one line; said again only after something else.
  func tell(_ text: String) {
    let text = Self.line(text)
    guard text != last else { return }
    last = text
    notifier?.send("STATUS=\(text)")
    write("touchgrid-overlay: \(text)\n")
  }

  func covered(_ outputs: [String]) {
    tell(
      """
      a full-screen window that no window manager manages lies above (a lock screen?): nothing is drawn on \
      \(outputs.joined(separator: ", "))
      """)
  }

  /// The service manager keeps it for whoever asks why there is no overlay.
  func failed(_ failure: OverlayFailure) { tell("\(failure)") }

  func warn(_ text: String) { write("touchgrid-overlay: \(Self.line(text))\n") }

  /// Names and messages come from elsewhere: they may not steer terminals, nor tell the service manager more than
  /// this one thing.
  static func line(_ text: String) -> String { text.printable(limit: 2000) }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)
    _ = unsafe Glibc.write(STDERR_FILENO, &bytes, bytes.count)
  }
}
