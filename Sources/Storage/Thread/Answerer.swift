internal import Glibc

/// The thread that answers questions, on a connection of its own: what is to be written waits for no
/// question, however long it takes.
///
/// `@unchecked`: the store is touched by this thread alone; all else that changes is behind the monitor.
final class Answerer: @unchecked Sendable {
  private let monitor: Monitor<Worker.State>
  private let open: @Sendable () throws(StoreError) -> Store
  /// Opened for the first question: many a daemon is never asked.
  private var store: Store?
  private var generation = 0
  /// Asked for under the monitor's lock, and withdrawn there when the next question begins.
  let interruption = Interruption()

  /// - Parameter open: opens a connection to the database that the worker writes.
  init(
    _ monitor: Monitor<Worker.State>, open: @escaping @Sendable () throws(StoreError) -> Store
  ) {
    self.monitor = monitor
    self.open = open
  }

  /// Until the end has come. Then the connection is closed, and what waits is dropped.
  func run() {
    while let question = next() {
      question.body(connection())
      store?.database.releaseMemory()
      monitor.change { $0.questions.end() }
    }
    store = nil
    // What the questions hold is let go of outside the lock: it may be what holds this thread.
    _ = monitor.change { state in
      state.answers = false
      return state.questions.removeAll()
    }
  }

  private func next() -> Questions.Question? {
    monitor.take { state in
      if state.isFinishing { return .take(nil) }
      guard let question = state.questions.begin(tried: state.tried) else { return .wait }
      interruption.withdraw()
      return .take(question)
    }
  }

  private func connection() -> Result<Store, StoreError> {
    let generation = monitor.look { $0.generation }
    if let store, generation == self.generation { return .success(store) }
    store = nil
    self.generation = generation
    do throws(StoreError) {
      let store = try open()
      store.stop(by: interruption)
      self.store = store
      return .success(store)
    } catch {
      // The next question tries again.
      return .failure(error)
    }
  }
}
