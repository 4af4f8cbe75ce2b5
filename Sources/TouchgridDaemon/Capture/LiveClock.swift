internal import LinuxIO
internal import TouchModel

extension Moment {
  /// Now, by the kernel's clocks.
  static var now: Moment {
    var monotonic = Clocks.monotonic
    var boottime = Clocks.boottime
    // Interrupted between the two, they would look as if the machine had slept.
    for _ in 0..<5 where Clocks.monotonic - monotonic > 1000 {
      monotonic = Clocks.monotonic
      boottime = Clocks.boottime
    }
    return Moment(
      monotonic: Timestamp(microseconds: monotonic), boottime: Timestamp(microseconds: boottime),
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
