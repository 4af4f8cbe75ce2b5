internal import CSQLite
internal import Synchronization

/// A request from any thread that a connection stop its work.
///
/// `sqlite3_interrupt` is not sufficient: it ends only the statements that run at that moment, and
/// a query that is between two statements continues.
final class QueryCancellation: Sendable {
  private let isRequested = Atomic(false)
  private let checks = Atomic(0)
  /// The number of instructions of SQLite's virtual machine between two checks.
  private let interval: Int32

  /// - Parameter interval: by default about thirty rows, less than 1 ms.
  init(every interval: Int32 = 1000) { self.interval = interval }

  func request() { isRequested.store(true, ordering: .relaxed) }
  func withdraw() { isRequested.store(false, ordering: .relaxed) }

  /// Checks for the request outside of SQLite.
  /// - Throws: `.interrupted` while the request stands.
  func check() throws(StoreError) {
    guard isRequested.load(ordering: .relaxed) else { return }
    throw StoreError(.interrupted, message: "query cancelled: the client has disconnected")
  }

  /// The number of instructions that the connection has run, in steps of `interval`.
  var instructions: Int { checks.load(ordering: .relaxed) * Int(interval) }

  /// Makes the connection fail with `.interrupted` while the request stands. The corresponding C
  /// function is `sqlite3_progress_handler`.
  /// - Precondition: this object exists until the connection is closed.
  func stop(_ database: borrowing Database) {
    unsafe database.withHandle { handle in
      unsafe sqlite3_progress_handler(
        handle, interval,
        { context in
          guard let context = unsafe context else { return 0 }
          let cancellation = unsafe Unmanaged<QueryCancellation>.fromOpaque(context)
            .takeUnretainedValue()
          cancellation.checks.add(1, ordering: .relaxed)
          return cancellation.isRequested.load(ordering: .relaxed) ? 1 : 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }
}
