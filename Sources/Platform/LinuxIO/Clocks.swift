internal import CLinux

/// The kernel's clocks.
public enum Clocks {
  #if TOUCHGRID_TEST_CLOCK
    public static var monotonic: Int64 { TestClock.time(\.monotonic, or: touchgrid_monotonic) }
    public static var boottime: Int64 { TestClock.time(\.boottime, or: touchgrid_boottime) }
    public static var wall: Int64 { TestClock.time(\.wall, per: 1000, or: touchgrid_wall) }
  #else
    /// `CLOCK_MONOTONIC` in µs: the clock of input events. It stands still during a suspend.
    public static var monotonic: Int64 { touchgrid_monotonic() }
    /// `CLOCK_BOOTTIME` in µs. It continues during a suspend.
    public static var boottime: Int64 { touchgrid_boottime() }
    /// `CLOCK_REALTIME` in ms since 1970. It may jump.
    public static var wall: Int64 { touchgrid_wall() }
  #endif

  /// Returns the time on the kernel's `CLOCK_MONOTONIC`, in µs, at which to read `monotonic` again
  /// in order to see `time`. If a test has stopped the clocks, that is in 10 ms.
  public static func kernelTime(toWaitFor time: Int64) -> Int64 {
    #if TOUCHGRID_TEST_CLOCK
      if TestClock.isStopped { return touchgrid_monotonic() + 10_000 }
    #endif
    return time
  }
}
