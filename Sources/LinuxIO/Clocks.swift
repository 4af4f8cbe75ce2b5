internal import CLinux

/// The kernel's clocks.
public enum Clocks {
  /// `CLOCK_MONOTONIC` in microseconds: that of input events, stands still during suspend.
  public static var monotonic: Int64 { touchgrid_monotonic() }
  /// `CLOCK_BOOTTIME` in microseconds: goes on during suspend.
  public static var boottime: Int64 { touchgrid_boottime() }
  /// `CLOCK_REALTIME` in milliseconds since 1970: may jump.
  public static var wall: Int64 { touchgrid_wall() }
}
