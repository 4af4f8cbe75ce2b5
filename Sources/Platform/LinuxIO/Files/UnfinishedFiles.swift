internal import CLinux

/// Files that are removed when a signal ends the process (`SIGHUP`, `SIGINT`, `SIGQUIT`, `SIGTERM`,
/// `SIGXFSZ`). The signal then ends the process with its default action. Only one thread may use
/// this; all others must block these signals.
public enum UnfinishedFiles {
  /// Adds a file or an empty folder. A signal removes the last one added first.
  /// - Throws: `EMFILE` if there are already 32.
  public static func add(_ path: String) throws(SystemError) {
    guard unsafe touchgrid_unfinished_add(path) == 0 else {
      throw SystemError(context: "preparing to remove \(path) if the program is interrupted")
    }
  }

  /// Removes a file or folder from the list, but not from the disk.
  public static func remove(_ path: String) { unsafe touchgrid_unfinished_remove(path) }

  /// Sets whether to clear the cursor's line on the terminal at standard error when a signal ends
  /// the process.
  public static func setLine(_ isThere: Bool) {
    _ = touchgrid_unfinished_line(isThere ? 1 : 0)
  }

  /// Runs `body` with these signals blocked. A signal that arrives meanwhile takes effect
  /// afterwards.
  public static func holdingSignals<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    touchgrid_signals_hold(1)
    defer { touchgrid_signals_hold(0) }
    return try body()
  }
}
