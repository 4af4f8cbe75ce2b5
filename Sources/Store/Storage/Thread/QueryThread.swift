internal import Glibc

/// The query thread. It has a connection of its own, so that no write waits for a query.
///
/// `@unchecked`: only this thread uses the store; the monitor protects all other state.
final class QueryThread: @unchecked Sendable {
  private let monitor: Monitor<Worker.State>
  private let open: @Sendable () throws(StoreError) -> Store
  /// The connection. It is opened for the first query, because many daemons never get one.
  private var store: Store?
  private var generation = 0
  /// Stops the running query. The request is made under the monitor's lock, and withdrawn under the
  /// same lock when the next query begins.
  let cancellation = QueryCancellation()

  /// - Parameter open: opens a connection to the database that the worker writes.
  init(
    _ monitor: Monitor<Worker.State>, open: @escaping @Sendable () throws(StoreError) -> Store
  ) {
    self.monitor = monitor
    self.open = open
  }

  /// Answers queries until `finish` is called. Then closes the connection and drops the waiting
  /// queries.
  func run() {
    while let query = next() {
      query.body(connection())
      store?.database.releaseMemory()
      monitor.change { $0.queries.finishRunning() }
    }
    store = nil
    // The queries are released outside the lock, because one of them may own this object.
    _ = monitor.change { state in
      state.hasQueryThread = false
      return state.queries.removeAll()
    }
  }

  private func next() -> QueryQueue.Query? {
    monitor.wait { state in
      if state.isFinishing { return .done(nil) }
      guard let query = state.queries.startNext(tried: state.tried) else { return .wait }
      cancellation.withdraw()
      return .done(query)
    }
  }

  private func connection() -> Result<Store, StoreError> {
    let generation = monitor.read { $0.generation }
    if let store, generation == self.generation { return .success(store) }
    store = nil
    self.generation = generation
    do throws(StoreError) {
      let store = try open()
      store.stop(by: cancellation)
      self.store = store
      return .success(store)
    } catch {
      // The next query tries to open the connection again.
      return .failure(error)
    }
  }
}
