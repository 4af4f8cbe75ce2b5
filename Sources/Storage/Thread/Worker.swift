internal import Glibc
internal import TouchModel

/// The storage thread's side of `StorageThread`.
///
/// `@unchecked`: the store is touched by the storage thread alone, from `start` on; all else that
/// changes is behind the monitor.
final class Worker: @unchecked Sendable {
  struct State {
    var backlog = Backlog()
    /// Ended sessions given up since the last report.
    var givenUp: [Int64] = []
    /// Something was submitted since the last pass.
    var hasNews = false
    /// When to try again what failed, on `CLOCK_MONOTONIC` in nanoseconds.
    var retryAt: Int64?
    var isFinishing = false
    var isDone = false
    /// What became of the last pass.
    var outcome: StoreError?
    /// Bytes of the database and the files beside it.
    var size: Int64 = 0
  }

  let monitor = Monitor(State())
  private var store: Store?
  private let backlogLimit: Int
  private let onError: @Sendable (StoreError) -> Void

  init(
    _ store: sending Store, backlogLimit: Int, onError: @escaping @Sendable (StoreError) -> Void
  ) {
    self.store = store
    self.backlogLimit = backlogLimit
    self.onError = onError
  }

  /// The corresponding C function is `pthread_create`.
  func start() throws(StoreError) {
    let me = unsafe Unmanaged.passRetained(self)
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Worker>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, me.toOpaque())
    guard code == 0 else {
      unsafe me.release()
      let message = unsafe String(cString: strerror(code))
      throw StoreError(.thread, message: message, activity: "starting the storage thread")
    }
    // Nobody joins it: `finish` waits for `isDone`, which is said when the store is closed.
    pthread_detach(thread)
  }

  func submit(_ command: StorageThread.Command) -> Bool {
    monitor.change { state in
      guard !state.isFinishing else { return false }
      switch command {
      case .write(let record):
        state.backlog.add(record)
        state.givenUp += state.backlog.shrink(to: backlogLimit)
      case .addGhosts(let tallies, let day): state.backlog.add(tallies, day: day)
      case .keepHouse(let keepSessions, let maxSize):
        state.backlog.add(Backlog.HouseKeeping(keepSessions: keepSessions, maxSize: maxSize))
      case .ask(let question):
        guard state.backlog.add(question) else { return false }
      }
      state.hasNews = true
      return true
    }
  }

  private struct Task {
    var backlog: Backlog
    var givenUp: [Int64]
    var isLast: Bool
  }

  private func run() {
    var failures = 0
    var isLast = false
    while !isLast {
      var task = nextTask()
      isLast = task.isLast
      if !task.givenUp.isEmpty { report(givenUp: task.givenUp) }
      let outcome = work(&task.backlog)
      failures = outcome?.mayPass == true ? failures + 1 : 0
      putBack(task.backlog, outcome, failures: failures)
    }
    // Closed before anybody is told that this is over.
    store = nil
    monitor.change { $0.isDone = true }
  }

  private func nextTask() -> Task {
    monitor.take { state in
      let isDue = state.retryAt.map { $0 <= Clock.monotonic } ?? false
      guard state.hasNews || state.isFinishing || isDue else {
        return state.retryAt.map { .waitUntil($0) } ?? .wait
      }
      let task = Task(
        backlog: state.backlog, givenUp: state.givenUp, isLast: state.isFinishing)
      state.backlog = Backlog()
      state.givenUp = []
      state.hasNews = false
      state.retryAt = nil
      return .take(task)
    }
  }

  /// Works through everything.
  /// - Parameter backlog: in return what is to be tried again, or waits for a later record.
  /// - Returns: why something could not be done.
  private func work(_ backlog: inout Backlog) -> StoreError? {
    guard let store else { return nil }
    var rest = Backlog()
    var failure: StoreError?
    // After a failure of the disk the others would only fail as well, after a wait each.
    var isDiskFine: Bool { failure?.mayPass != true }
    for record in backlog.records {
      let error =
        isDiskFine ? attempt { () throws(StoreError) in try store.write(record) } : failure
      guard let error else { continue }
      failure = error
      // A refused checkpoint waits for the next one of its session, which says only what changed
      // since. A refused end is given up: nothing follows that could mend it.
      if error.mayPass || record.end == nil { rest.add(record) }
    }
    for (day, tallies) in backlog.ghosts {
      let error =
        isDiskFine
        ? attempt { () throws(StoreError) in try store.addGhosts(tallies, day: day) } : failure
      guard let error else { continue }
      failure = error
      if error.mayPass { rest.add(tallies, day: day) }
    }
    if let house = backlog.houseKeeping {
      let error =
        isDiskFine ? attempt { () throws(StoreError) in try keep(house, store) } : failure
      if let error {
        failure = error
        if error.mayPass { rest.add(house) }
      }
    }
    for question in backlog.questions { question(store) }
    backlog = rest
    return failure
  }

  private func keep(_ house: Backlog.HouseKeeping, _ store: Store) throws(StoreError) {
    let now = WallTime(milliseconds: Clock.wall)
    var failure: StoreError?
    do throws(StoreError) { try store.rollUp(today: store.day(of: now)) } catch { failure = error }
    // Also after a failure: a day that cannot be rolled up keeps its own sessions only.
    try store.retain(now: now, keepSessions: house.keepSessions, maxSize: house.maxSize)
    if let failure { throw failure }
  }

  private func attempt(_ body: () throws(StoreError) -> Void) -> StoreError? {
    do throws(StoreError) {
      try body()
      return nil
    } catch {
      onError(error)
      return error
    }
  }

  /// - Parameter failures: in a row.
  private func putBack(_ rest: Backlog, _ outcome: StoreError?, failures: Int) {
    let size = store?.size ?? 0
    monitor.change { state in
      state.outcome = outcome
      state.size = size
      var backlog = rest
      backlog.add(state.backlog)
      state.backlog = backlog
      state.givenUp += state.backlog.shrink(to: backlogLimit)
      guard failures > 0 else { return }
      let seconds = min(60, Int64(1) << Int64(min(failures - 1, 6)))
      state.retryAt = Clock.monotonic + seconds * 1_000_000_000
    }
  }

  private func report(givenUp ids: [Int64]) {
    let names = ids.map { String($0) }.joined(separator: ", ")
    onError(
      StoreError(
        .backlog, message: "given up what was not yet written of session \(names)",
        path: store?.path ?? "", activity: "waiting for the disk"))
  }
}
