internal import LinuxIO
internal import TouchModel

extension Moment {
  /// The current time of the kernel's clocks.
  static var now: Moment {
    var monotonic = Clocks.monotonic
    var boottime = Clocks.boottime
    // An interruption between the two reads would look like a suspend, so they are read again if
    // they are more than 1 ms apart.
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
  /// Whether the machine was suspended since `earlier`. `CLOCK_MONOTONIC` stands still during a
  /// suspend; `CLOCK_BOOTTIME` does not.
  func hasSlept(since earlier: Moment) -> Bool {
    let now = boottime.microseconds - monotonic.microseconds
    return now - (earlier.boottime.microseconds - earlier.monotonic.microseconds) > 100_000
  }
}

extension TouchIDGenerator {
  /// Returns the mint of a run, with 2^32 (4 billion) identities of its own. Two million runs stay
  /// below 2^53, so JSON numbers represent every identity exactly.
  static func ofRun(_ number: Int64) -> TouchIDGenerator {
    TouchIDGenerator(first: UInt64(number) << 32 + 1)
  }
}
