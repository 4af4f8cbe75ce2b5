import Glibc
import TestSupport
import Testing

@testable import Storage

/// Collects values from other threads.
final class Collected<Value: Sendable>: Sendable {
  private let values = Monitor<[Value]>([])

  var all: [Value] { values.change { $0 } }
  func add(_ value: Value) { values.change { $0.append(value) } }

  /// Waits for the first `count` values and returns them.
  func first(_ count: Int) -> [Value] {
    values.wait { $0.count >= count ? .done(Array($0.prefix(count))) : .wait }
  }
}

/// Waits until a condition holds.
/// - Returns: whether it does, after ten times the given time at most.
func within(seconds: Int, _ condition: () -> Bool) -> Bool {
  for _ in 0..<seconds * 2000 * Int(slowness) {
    if condition() { return true }
    usleep(5_000)
  }
  return condition()
}

/// Waits until the thread has tried everything submitted so far.
func drain(_ thread: StorageThread) {
  let done = Collected<Int>()
  _ = thread.enqueue { _ in done.add(1) }
  _ = done.first(1)
}
