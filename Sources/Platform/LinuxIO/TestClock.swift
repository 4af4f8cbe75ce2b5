#if TOUCHGRID_TEST_CLOCK
  internal import CLinux
  internal import Synchronization

  /// Stops the clocks of this process, so that only a test moves them. Only debug builds have it.
  public enum TestClock {
    /// The times of the three clocks in their units at the moment when they stopped.
    struct Start {
      let monotonic = touchgrid_monotonic()
      let boottime = touchgrid_boottime()
      var wall = touchgrid_wall()
    }

    private static let state = Mutex<(start: Start, passed: Int64)?>(nil)

    public static var isStopped: Bool { state.withLock { $0 != nil } }

    /// - Parameter wall: the time of the wall clock, in ms since 1970; nil for the current time.
    public static func stop(wall: Int64?) {
      var start = Start()
      if let wall { start.wall = wall }
      state.withLock { [start] in $0 = ($0?.start ?? start, 0) }
    }

    /// Moves all clocks.
    public static func pass(_ microseconds: Int64) {
      state.withLock { $0?.passed += microseconds }
    }

    static func time(
      _ clock: KeyPath<Start, Int64>, per unit: Int64 = 1, or running: () -> Int64
    ) -> Int64 {
      state.withLock { $0.map { $0.start[keyPath: clock] + $0.passed / unit } } ?? running()
    }
  }
#endif
