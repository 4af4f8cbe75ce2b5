internal import CGTK
internal import COverlay
internal import Glibc
internal import TouchgridAPI

/// The user's shell commands, of which one runs at a time: a new one ends the one before.
final class ShellCommands {
  private let report: ServiceReport
  private var running: [Run] = []

  init(_ report: ServiceReport) { self.report = report }

  /// A command that runs.
  private final class Run {
    let text: String
    var process: Int32 = 0
    var isStopped = false
    unowned let owner: ShellCommands

    init(_ text: String, _ owner: ShellCommands) { (self.text, self.owner) = (text, owner) }
  }

  func run(_ text: String) {
    for other in running {
      other.isStopped = true
      kill(-other.process, SIGTERM)
    }
    let run = Run(text, self)
    run.process = unsafe touchgrid_run(
      text, Self.notice, Unmanaged.passUnretained(run).toOpaque())
    guard run.process > 0 else { return report.warn("\"\(text)\" cannot be started by /bin/sh") }
    running.append(run)
  }

  /// Waits until the commands have ended.
  /// - Parameter limit: The longest wait, in ms.
  func wait(atMost limit: Int) {
    var isOver = false
    let source = Source(afterMilliseconds: limit) { isOver = true }
    withExtendedLifetime(source) {
      while !isOver, !running.isEmpty { g_main_context_iteration(nil, 1) }
    }
  }

  private static let notice: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Void = {
    owner, status in
    guard let owner = unsafe owner else { return }
    let run = unsafe Unmanaged<Run>.fromOpaque(owner).takeUnretainedValue()
    let commands = run.owner
    if status != 0, !run.isStopped {
      commands.report.warn("\"\(run.text)\" ended with status \(status)")
    }
    commands.running.removeAll { $0 === run }
  }
}
