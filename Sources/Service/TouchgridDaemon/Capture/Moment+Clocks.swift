internal import LinuxIO
internal import TouchModel

extension Moment {
  /// The current time of the kernel's clocks.
  static var now: Moment {
    var monotonic = Clocks.monotonic
    var boottime = Clocks.boottime
    // If the thread is interrupted between the two reads, the difference of the clocks looks like a
    // suspend. So they are read again if more than 1 ms has passed, at most five times.
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
  /// Whether the machine was suspended for more than 100 ms since `earlier`. `CLOCK_MONOTONIC`
  /// stops during a suspend; `CLOCK_BOOTTIME` does not.
  func hasSlept(since earlier: Moment) -> Bool {
    let now = boottime.microseconds - monotonic.microseconds
    return now - (earlier.boottime.microseconds - earlier.monotonic.microseconds) > 100_000
  }
}

extension TouchIDGenerator {
  /// Returns the generator for the daemon's run with this number: each run has 2^32 (4 billion)
  /// identities of its own. Those of the first two million runs are below 2^53, so JSON numbers
  /// represent them exactly.
  static func ofRun(_ number: Int64) -> TouchIDGenerator {
    TouchIDGenerator(first: UInt64(number) << 32 + 1)
  }
}
