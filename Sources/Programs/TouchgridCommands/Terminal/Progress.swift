import Glibc
import Heatmaps
import Text

/// Shows the progress of a task that takes longer than a second, in one line on standard error:
/// `export: 120 of 365 days, 40 s left`, or `heatmap: 3 s` if the length is unknown. The line is
/// removed when this value is destroyed. It is not shown in a pipe or a file, on a terminal that
/// cannot clear a line, or in the background.
struct Progress: ~Copyable {
  private let ticker: ProgressTicker?

  /// - Parameter what: the name of the task: the verb.
  init(_ what: String) {
    ticker = ErrorTerminal.current.flatMap { terminal in
      try? ProgressTicker { elapsed, steps in
        terminal.show(Self.line(what, steps, elapsed: elapsed))
      }
    }
    ticker?.start()
  }

  /// Shows the progress of a task without steps.
  static func during<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
    let progress = Progress(what)
    defer { withExtendedLifetime(progress) {} }
    return try body()
  }

  /// Starts to count steps.
  /// - Parameters:
  ///   - total: the number of steps; they should take about the same time.
  ///   - unit: the name of the steps, in the plural.
  func begin(_ total: Int, _ unit: String) { ticker?.begin(total, unit) }

  /// Counts one more finished step.
  func advance() { ticker?.advance() }

  deinit {
    if ticker?.stop() == true { ErrorTerminal.current?.show("") }
  }

  struct Steps {
    var done = 0
    var total: Int
    var unit: String
    /// The time that the finished steps took, in seconds.
    var elapsed: Double
  }

  /// - Parameter elapsed: the time since the task began, in seconds.
  static func line(_ what: String, _ steps: Steps?, elapsed: Double) -> String {
    guard let steps else { return "\(what): \(longDuration(Int64(elapsed) * 1000))" }
    return line(what, steps.done, steps.total, steps.unit, elapsed: steps.elapsed)
  }

  /// - Parameter elapsed: the time that the finished steps took, in seconds.
  static func line(
    _ what: String, _ done: Int, _ total: Int, _ unit: String, elapsed: Double
  ) -> String {
    let steps = "\(what): \(done) of \(total)" + (unit.isEmpty ? "" : " " + unit)
    guard done > 0, done < total else { return steps }
    let left = (elapsed / Double(done) * Double(total - done)).rounded(.up)
    // An estimate of a day or more is too uncertain to be useful.
    return steps + (left < 86_400 ? ", \(longDuration(Int64(left) * 1000)) left" : "")
  }
}

/// The terminal on standard error, if it can redraw a line.
private struct ErrorTerminal {
  var width: Int

  static var current: ErrorTerminal? {
    guard isatty(STDERR_FILENO) == 1, let type = Terminal.variable("TERM"), type != "dumb",
      !type.isEmpty
    else { return nil }
    return ErrorTerminal(width: min(Terminal.width(of: STDERR_FILENO), 80))
  }

  func show(_ line: String) {
    // In the background, another program uses the terminal.
    guard tcgetpgrp(STDERR_FILENO) == getpgrp() else { return }
    let text = truncated(line, to: width - 1)
    try? write(Array("\r\(text)\u{1B}[K".utf8), to: STDERR_FILENO, name: "standard error")
  }
}
