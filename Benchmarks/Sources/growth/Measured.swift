import Glibc

/// Measures the time and the memory that a piece of work takes.
enum Measured {
  /// Runs `body`.
  /// - Returns: The elapsed time and the processor time of this process, in milliseconds.
  static func milliseconds(_ body: () throws -> Void) rethrows -> (clock: Double, processor: Double)
  {
    let (begun, used) = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
    try body()
    return (now(CLOCK_MONOTONIC) - begun, now(CLOCK_PROCESS_CPUTIME_ID) - used)
  }

  /// Runs `body`.
  /// - Returns: How far the peak resident memory during `body` exceeds the resident memory before
  ///   it, in KiB.
  static func memory(_ body: () throws -> Void) rethrows -> Int {
    // Writing 5 resets the peak of the resident memory that the kernel reports (proc(5),
    // clear_refs).
    if let file = unsafe fopen("/proc/self/clear_refs", "w") {
      unsafe fputs("5", file)
      unsafe fclose(file)
    }
    let before = status("VmRSS")
    try body()
    return status("VmHWM") - before
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }

  private static func status(_ name: String) -> Int {
    guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while unsafe fgets(&line, 256, file) != nil {
      let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let words = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
      if words.first == "\(name):", words.count > 1 { return Int(words[1]) ?? 0 }
    }
    return 0
  }
}
