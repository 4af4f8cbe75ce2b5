internal import CLinux

/// Signals as something to read. They are blocked for the thread that makes this and for all that it makes
/// later, so it must be made before the first other thread.
public struct Signals: ~Copyable {
  private let signals: FileDescriptor

  public init(_ numbers: [Int32]) throws(SystemError) {
    let number = unsafe touchgrid_signals_open(numbers, Int32(numbers.count))
    guard number >= 0 else { throw SystemError(context: "taking over signals") }
    signals = FileDescriptor(owning: number)
  }

  public var descriptor: Int32 { signals.number }

  /// - Parameter microseconds: how long to wait for one. An interruption may cut that short.
  /// - Returns: the next signal's number; nil where none has come.
  public func next(within microseconds: Int64 = 0) throws(SystemError) -> Int32? {
    if microseconds > 0, touchgrid_signals_wait(signals.number, microseconds) < 0 {
      throw SystemError(context: "waiting for a signal")
    }
    let signal = touchgrid_signals_next(signals.number)
    guard signal >= 0 else { throw SystemError(context: "reading a signal") }
    return signal == 0 ? nil : signal
  }

  /// Lets signals end the process again, for the time after the last that is read.
  public func release() { touchgrid_signals_release() }
}
