internal import LinuxIO
internal import TouchModel

extension Moment {
  /// Now, by the kernel's clocks.
  static var now: Moment {
    Moment(
      monotonic: Timestamp(microseconds: Clocks.monotonic),
      boottime: Timestamp(microseconds: Clocks.boottime),
      wall: WallTime(milliseconds: Clocks.wall))
  }
}

extension TouchIDMint {
  /// A mint whose identities no earlier run has given: 4 million for each second that has passed since 2026
  /// began. Below 2^53 until 2094, so that JSON's numbers hold them.
  static func afterEarlierRuns(wall: WallTime) -> TouchIDMint {
    let seconds = max(0, wall.milliseconds / 1000 - 1_767_225_600)
    return TouchIDMint(first: UInt64(seconds) << 22 + 1)
  }
}
