import Foundation
import Synchronization

/// Both runs of many pairs, several at a time.
final class Runs<Value: Sendable>: Sendable {
  private let results = Mutex<[Int: Result<Value, any Error>]>([:])

  /// Returns when all runs are over.
  /// - Parameter body: Does run 0 or 1 of a pair, on a thread of its own.
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

  func result(_ pair: Int, _ run: Int) throws -> Value? {
    try results.withLock { $0[2 * pair + run] }?.get()
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)
    func take() -> Int { value.add(1, ordering: .relaxed).oldValue }
  }
}
