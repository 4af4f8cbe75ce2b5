internal import CLinux

/// What is to go when a signal ends the process (`SIGHUP`, `SIGINT`, `SIGQUIT`, `SIGTERM`, `SIGXFSZ`), which then
/// ends by it as if nobody had cared. For one thread; others must hold signals back.
public enum Unfinished {
  /// A file, or an empty folder. The last that was added goes first.
  /// - Throws: `ENOSPC` past 16.
  public static func add(_ path: String) throws(SystemError) {
    guard unsafe touchgrid_unfinished_add(path) == 0 else {
      throw SystemError(context: "taking note of \(path)")
    }
  }

  /// It is finished, or gone.
  public static func remove(_ path: String) { unsafe touchgrid_unfinished_remove(path) }

  /// Whether the line that the cursor of the terminal at standard error is in is to be cleared.
  public static func setLine(_ isThere: Bool) {
    _ = touchgrid_unfinished_line(isThere ? 1 : 0)
  }

  /// Does what no signal may interrupt: it comes before, or after.
  public static func holdingSignals<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    touchgrid_signals_hold(1)
    defer { touchgrid_signals_hold(0) }
    return try body()
  }
}
