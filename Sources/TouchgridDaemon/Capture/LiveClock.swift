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

extension Moment {
  /// Whether the machine was suspended in between: one clock went on while the other stood still.
  func hasSlept(since earlier: Moment) -> Bool {
    let now = boottime.microseconds - monotonic.microseconds
    return now - (earlier.boottime.microseconds - earlier.monotonic.microseconds) > 100_000
  }
}

extension TouchIDMint {
  /// 4 billion identities for each run; below 2^53 for two million runs, so that JSON's numbers hold them.
  static func ofRun(_ number: Int64) -> TouchIDMint {
    TouchIDMint(first: UInt64(number) << 32 + 1)
  }
}
