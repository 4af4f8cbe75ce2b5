internal import CSQLite
internal import Synchronization

/// A wish, from any thread, that a connection stop what it is doing.
///
/// Not `sqlite3_interrupt`: that ends the statements that run at this moment, and a question that is between
/// two of them goes on.
final class Interruption: Sendable {
  private let isAsked = Atomic(false)
  private let looks = Atomic(0)
  /// Instructions of SQLite's machine between two looks.
  private let interval: Int32

  /// - Parameter interval: by default some thirty rows, less than a millisecond.
  init(every interval: Int32 = 1000) { self.interval = interval }

  func ask() { isAsked.store(true, ordering: .relaxed) }
  func withdraw() { isAsked.store(false, ordering: .relaxed) }

  /// For what goes on outside of SQLite.
  /// - Throws: `.interrupted` while the wish stands.
  func check() throws(StoreError) {
    guard isAsked.load(ordering: .relaxed) else { return }
    throw StoreError(.interrupted, message: "nobody waits for the answer any more")
  }

  /// How many instructions of SQLite's machine the connection has run, to `interval`.
  var instructions: Int { looks.load(ordering: .relaxed) * Int(interval) }

  /// From now on the connection fails with `.interrupted` while the wish stands. The corresponding C
  /// function is `sqlite3_progress_handler`.
  /// - Precondition: this lives as long as the connection.
  func stop(_ database: borrowing Database) {
    unsafe database.withHandle { handle in
      unsafe sqlite3_progress_handler(
        handle, interval,
        { context in
          guard let context = unsafe context else { return 0 }
          let wish = unsafe Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue()
          wish.looks.add(1, ordering: .relaxed)
          return wish.isAsked.load(ordering: .relaxed) ? 1 : 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }
}
