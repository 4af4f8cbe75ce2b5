import Glibc
import GridFormats
import LinuxIO

/// Tells a person at a terminal how far something is that takes longer than a second: one line on standard
/// error, `export: 120 of 365 days, 40 s left`, which goes when this goes. Nothing is told in a pipe or a file,
/// on a terminal that cannot clear a line, and in the background.
struct Progress: ~Copyable {
  private let what: String
  private let unit: String
  private let total: Int
  private var done = 0
  private let terminal: ErrorTerminal?
  private let began: Double
  private var lastShown: Double?

  /// - Parameters:
  ///   - what: the verb.
  ///   - total: steps of about the same length.
  ///   - unit: what the steps are, in the plural.
  init(_ what: String, of total: Int, _ unit: String = "") {
    self.what = what
    self.total = total
    self.unit = unit
    terminal = ErrorTerminal.current
    began = Self.seconds
  }

  /// So many steps are done.
  mutating func advance(by steps: Int = 1) {
    done += steps
    guard let terminal else { return }
    let elapsed = Self.seconds - began
    // More often than ten times a second nobody reads.
    guard elapsed >= 1, elapsed - (lastShown ?? -1) >= 0.1 else { return }
    if lastShown == nil { Unfinished.setLine(true) }
    lastShown = elapsed
    let line = Self.line(what, done, total, unit, elapsed: elapsed)
    terminal.show(truncated(line, to: terminal.width - 1))
  }

  deinit {
    guard let terminal, lastShown != nil else { return }
    terminal.show("")
    Unfinished.setLine(false)
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

  private static var seconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The terminal at standard error, where a line of it can be written anew.
private struct ErrorTerminal {
  var width: Int

  static var current: ErrorTerminal? {
    guard isatty(STDERR_FILENO) == 1, let type = Terminal.variable("TERM"), type != "dumb",
      !type.isEmpty,
      // In the background, another program has the terminal.
      tcgetpgrp(STDERR_FILENO) == getpgrp()
    else { return nil }
    return ErrorTerminal(width: min(Terminal.width(of: STDERR_FILENO), 80))
  }

  func show(_ line: String) {
    try? write(Array("\r\(line)\u{1B}[K".utf8), to: STDERR_FILENO, name: "standard error")
  }
}
