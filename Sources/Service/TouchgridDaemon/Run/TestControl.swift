#if TOUCHGRID_TEST_CLOCK
  internal import Glibc
  internal import LinuxIO
  internal import TouchModel

  /// The option `--test-clock MS` of debug builds: a test moves the daemon's clocks.
  ///
  /// All clocks of the daemon stand still: the wall clock at MS ms since 1970 (0: now), the other
  /// two at the time of the start. Nothing in the daemon waits for time to pass. The test writes a
  /// line with a number of µs to the daemon's standard input, a pipe or a socket. The daemon moves
  /// its clocks by that time, in steps from one deadline or event of a recording to the next. After
  /// each step it serves its clients. When it is done, it writes a line to its standard output: the
  /// time of its `CLOCK_MONOTONIC`, in µs, and the number of steps. It writes such a line, with 0
  /// steps, after its start as well, when it answers clients. The storage thread may still be
  /// writing then. When the standard input is closed, the daemon ends as on SIGTERM. A replay that
  /// ends with its recording does not answer.
  public struct TestControl {
    /// The time on `CLOCK_BOOTTIME` to which the test lets the clocks pass.
    private var target = Clocks.boottime
    private var owesAnswer = true
    private var steps = 0
    private var line: [UInt8] = []

    public static func stopClocks(wall: Int64) { TestClock.stop(wall: wall == 0 ? nil : wall) }

    static func start(_ poller: borrowing Poller) throws(SystemError) {
      guard TestClock.isStopped else { return }
      try poller.add(STDIN_FILENO, token: EventLoop.Token.test)
    }

    /// Waits for a descriptor, or lets time pass until the next deadline.
    mutating func wait(
      for next: Timestamp?, _ poller: inout Poller, into ready: inout [Poller.Ready]
    ) throws(SystemError) {
      try poller.wait(into: &ready, atMost: 0)
      let now = Clocks.boottime
      let due = next?.microseconds ?? .max
      if !ready.isEmpty || due <= now { return }
      if now < target {
        steps += 1
        return TestClock.pass(min(due, target) - now)
      }
      if owesAnswer {
        owesAnswer = false
        var answer = Array("\(Clocks.monotonic) \(steps)\n".utf8)
        _ = unsafe write(STDOUT_FILENO, &answer, answer.count)
      }
      try poller.wait(into: &ready)
    }

    /// Reads input from the test.
    /// - Returns: SIGTERM if the test has closed the input.
    mutating func read() -> Int32? {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = unsafe Glibc.read(STDIN_FILENO, &bytes, bytes.count)
      guard count > 0 else { return SIGTERM }
      line += bytes[..<count]
      guard line.last == UInt8(ascii: "\n") else { return nil }
      let number = Int64(String(decoding: line.dropLast(), as: UTF8.self)) ?? 0
      line = []
      target = Clocks.boottime + max(0, number)
      (owesAnswer, steps) = (true, 0)
      return nil
    }
  }
#endif
