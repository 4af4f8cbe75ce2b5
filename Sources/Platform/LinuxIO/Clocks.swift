internal import CLinux

/// The kernel's clocks.
public enum Clocks {
  /// `CLOCK_MONOTONIC` in µs: the clock of input events. It stands still during a suspend.
  public static var monotonic: Int64 { touchgrid_monotonic() }
  /// `CLOCK_BOOTTIME` in µs. It continues during a suspend.
  public static var boottime: Int64 { touchgrid_boottime() }
  /// `CLOCK_REALTIME` in ms since 1970. It may jump.
  public static var wall: Int64 { touchgrid_wall() }
}
