import Glibc

/// Returns the processor time, in ns, that `body` takes on this thread. Unlike elapsed time, this
/// does not include waiting for a processor.
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
