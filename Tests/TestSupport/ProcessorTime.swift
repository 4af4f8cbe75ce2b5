import Glibc

/// The processor time that `body` takes on this thread, in nanoseconds. Unlike the time that passes, it does not depend on
/// what else the machine does.
public func processorTime(of body: () throws -> Void) rethrows -> Int64 {
  let begun = threadTime()
  try body()
  return threadTime() - begun
}

private func threadTime() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
