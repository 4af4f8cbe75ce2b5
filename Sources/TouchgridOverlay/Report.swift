internal import Glibc
internal import LinuxIO

/// Tells people and the service manager how it is, each thing once.
final class Report {
  private let notifier = ServiceNotifier()
  private var last = ""

  func ready() { notifier?.send("READY=1") }

  func stopping() { notifier?.send("STOPPING=1") }

  func showing(_ outputs: [String]) {
    tell(
      outputs.isEmpty
        ? "no output shows a display of the daemon"
        : "showing touches of \(outputs.joined(separator: ", "))")
  }

  /// The service manager keeps it for whoever asks why there is no overlay.
  func failed(_ failure: OverlayFailure) { tell("\(failure)") }

  func lost(_ reason: String) { tell("\(reason): trying again") }

  func warn(_ text: String) { write("touchgrid-overlay: \(text)\n") }

  private func tell(_ text: String) {
    guard text != last else { return }
    last = text
    notifier?.send("STATUS=\(text)")
    warn(text)
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)
    _ = unsafe Glibc.write(STDERR_FILENO, &bytes, bytes.count)
  }
}
