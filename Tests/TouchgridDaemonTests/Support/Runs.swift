import Foundation
import Synchronization

/// Runs both members of many pairs, several runs at a time, and keeps the results.
final class Runs<Value: Sendable>: Sendable {
  private let results = Mutex<[Int: Result<Value, any Error>]>([:])

  /// Returns when all runs have ended.
  /// - Parameters:
  ///   - count: The number of threads.
  ///   - body: Called once for run 0 and once for run 1 of each pair, on one of the threads.
  init(
    pairs: Int, atOnce count: Int,
    _ body: @escaping @Sendable (_ pair: Int, _ run: Int) throws -> Value
  ) {
    let next = Counter()
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<count {
      Thread.detachNewThread { [self] in
        while case let number = next.take(), number < 2 * pairs {
          let result = Result { try body(number / 2, number % 2) }
          results.withLock { $0[number] = result }
        }
        done.signal()
      }
    }
    for _ in 0..<count { done.wait() }
  }

  /// Returns the result of a run, or throws its error.
  func result(_ pair: Int, _ run: Int) throws -> Value? {
    try results.withLock { $0[2 * pair + run] }?.get()
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)
    func take() -> Int { value.add(1, ordering: .relaxed).oldValue }
  }
}
