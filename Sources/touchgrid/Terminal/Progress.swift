import Glibc
import GridFormats

/// Tells a person at a terminal how far something is that takes longer than a second: one line on standard
/// error, `export: 120 of 365 days, 40 s left`, or `heatmap: 3 s` where nobody knows how far; it goes when this
/// goes. Nothing is told in a pipe or a file, on a terminal that cannot clear a line, and in the background.
struct Progress: ~Copyable {
  private let ticker: ProgressTicker?

  /// - Parameter what: the verb.
  init(_ what: String) {
    ticker = ErrorTerminal.current.flatMap { terminal in
      try? ProgressTicker { elapsed, steps in
        terminal.show(Self.line(what, steps, elapsed: elapsed))
      }
    }
    ticker?.start()
  }

  /// Something that takes long as a whole.
  static func during<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
    let progress = Progress(what)
    defer { withExtendedLifetime(progress) {} }
    return try body()
  }

  /// From now on there are steps.
  /// - Parameters:
  ///   - total: so many, of about the same length.
  ///   - unit: what they are, in the plural.
  func begin(_ total: Int, _ unit: String) { ticker?.begin(total, unit) }

  /// One more step is done.
  func advance() { ticker?.advance() }

  deinit {
    if ticker?.stop() == true { ErrorTerminal.current?.show("") }
  }

  struct Steps {
    var done = 0
    var total: Int
    var unit: String
    /// Seconds for what is done.
    var elapsed: Double
  }

  /// - Parameter elapsed: seconds, of all.
  static func line(_ what: String, _ steps: Steps?, elapsed: Double) -> String {
    guard let steps else { return "\(what): \(longDuration(Int64(elapsed) * 1000))" }
    return line(what, steps.done, steps.total, steps.unit, elapsed: steps.elapsed)
  }

  /// - Parameter elapsed: seconds for what is done.
  static func line(
    _ what: String, _ done: Int, _ total: Int, _ unit: String, elapsed: Double
  ) -> String {
    let steps = "\(what): \(done) of \(total)" + (unit.isEmpty ? "" : " " + unit)
    guard done > 0, done < total else { return steps }
    let left = (elapsed / Double(done) * Double(total - done)).rounded(.up)
    // A day and longer is a guess that nobody plans with.
    return steps + (left < 86_400 ? ", \(longDuration(Int64(left) * 1000)) left" : "")
  }
}

/// The terminal at standard error, where a line of it can be written anew.
private struct ErrorTerminal {
  var width: Int

  static var current: ErrorTerminal? {
    guard isatty(STDERR_FILENO) == 1, let type = Terminal.variable("TERM"), type != "dumb",
      !type.isEmpty
    else { return nil }
    return ErrorTerminal(width: min(Terminal.width(of: STDERR_FILENO), 80))
  }

  func show(_ line: String) {
    // In the background, another program has the terminal.
    guard tcgetpgrp(STDERR_FILENO) == getpgrp() else { return }
    let text = truncated(line, to: width - 1)
    try? write(Array("\r\(text)\u{1B}[K".utf8), to: STDERR_FILENO, name: "standard error")
  }
}
