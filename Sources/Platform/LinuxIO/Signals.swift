internal import CLinux

/// A descriptor for reading signals. The signals are blocked in the thread that creates it and in
/// threads that this thread creates later, so create it before the first additional thread. From
/// then on, the process also ignores SIGPIPE.
public struct Signals: ~Copyable {
  private let signals: FileDescriptor

  public init(_ numbers: [Int32]) throws(SystemError) {
    signals = try unsafe FileDescriptor(
      touchgrid_signals_open(numbers, Int32(numbers.count)), "creating a signal descriptor")
  }

  public var descriptor: Int32 { signals.number }

  /// Reads the next signal.
  /// - Parameter microseconds: the maximum time to wait; 0: do not wait. An interruption may end
  ///   the wait early.
  /// - Returns: the number of the signal; nil if none has arrived.
  public func next(within microseconds: Int64 = 0) throws(SystemError) -> Int32? {
    if microseconds > 0, touchgrid_signals_wait(signals.number, microseconds) < 0 {
      throw SystemError(context: "waiting for a signal")
    }
    let signal = touchgrid_signals_next(signals.number)
    guard signal >= 0 else { throw SystemError(context: "reading a signal") }
    return signal == 0 ? nil : signal
  }

  /// Unblocks all signals, so that they end the process again. Call it when the program no longer
  /// reads signals.
  public func release() { touchgrid_signals_release() }
}
