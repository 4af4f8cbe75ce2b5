internal import Glibc
internal import LinuxIO
internal import TouchModel

/// A value that is protected by a mutex, with a condition variable that wakes the threads that wait
/// for a change. (`Synchronization.Mutex` has no condition variable.)
///
/// The corresponding C functions are those of `pthread_mutex_t` and `pthread_cond_t`.
@safe final class Monitor<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    // Setting the wall clock must not affect waiting.
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Changes the value, and wakes all waiting threads.
  func change<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    return body(&value)
  }

  func read<Result>(_ body: (Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(value)
  }

  /// The decision of a waiting thread after it has examined the value.
  enum WaitDecision<Result> {
    case done(Result)
    case wait
    /// Waits at most until `CLOCK_MONOTONIC` shows this many nanoseconds.
    case waitUntil(Int64)
  }

  /// Calls `body` now, after every change, and at the time of `.waitUntil`, until it returns
  /// `.done`.
  func wait<Result>(_ body: (inout Value) -> WaitDecision<Result>) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      switch body(&value) {
      case .done(let result): return result
      case .wait: unsafe pthread_cond_wait(condition, mutex)
      case .waitUntil(let nanoseconds):
        let until = Clocks.kernelTime(toWaitFor: nanoseconds / 1000)
        var time = timespec(
          tv_sec: time_t(until / 1_000_000), tv_nsec: Int(until % 1_000_000) * 1000)
        unsafe pthread_cond_timedwait(condition, mutex, &time)
      }
    }
  }
}

/// Clocks in the units that the store uses.
enum Clock {
  /// The time of `CLOCK_MONOTONIC`, in ns.
  static var monotonic: Int64 { Clocks.monotonic * 1000 }

  /// The time of `CLOCK_REALTIME`, in ms.
  static var wall: Int64 { Clocks.wall }

  /// The time of `CLOCK_BOOTTIME`, which includes suspend.
  static var boottime: Timestamp { Timestamp(microseconds: Clocks.boottime) }
}
