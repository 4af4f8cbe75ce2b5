internal import Glibc
internal import TouchModel

/// The storage thread's side of `StorageThread`.
///
/// `@unchecked`: the store is touched by the storage thread alone, from `start` on; all else that
/// changes is behind the monitor.
final class Worker: @unchecked Sendable {
  typealias Question = @Sendable (Store) -> Void

  struct State {
    /// What was submitted since the last pass. What failed before, the storage thread keeps for itself:
    /// nobody waits while it puts the two together.
    var backlog = Backlog()
    var questions: [Question] = []
    /// Ended sessions given up since the last report.
    var givenUp: [Int64] = []
    /// Something to write was submitted since the last pass.
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

  /// Questions that may wait at once.
  static let questionLimit = 64

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
        guard state.questions.count < Self.questionLimit else { return false }
        state.questions.append(question)
        // No news: a disk that fails would make every question wait for one more failure.
        return true
      }
      state.hasNews = true
      return true
    }
  }

  private struct Task {
    /// What came since the last pass; nil where nothing came and nothing is due.
    var newer: Backlog?
    var givenUp: [Int64] = []
    /// One a pass, so that what is to be written waits for no more than one.
    var question: Question?
    var isLast = false
  }

  private func run() {
    var backlog = Backlog()
    var failures = 0
    var isLast = false
    while !isLast {
      let task = nextTask()
      isLast = task.isLast
      if let newer = task.newer {
        backlog.add(newer)
        let givenUp = task.givenUp + backlog.shrink(to: backlogLimit)
        if !givenUp.isEmpty { report(givenUp: givenUp) }
        let outcome = work(&backlog)
        failures = outcome?.mayPass == true ? failures + 1 : 0
        note(outcome, failures: failures)
      }
      if let question = task.question { answer(question) }
    }
    // Closed before anybody is told that this is over.
    store = nil
    // What the questions hold is let go of outside the lock: it may be what holds this thread.
    _ = monitor.change { state in
      let dropped = state.questions
      state.questions = []
      state.isDone = true
      return dropped
    }
  }

  private func nextTask() -> Task {
    monitor.take { state in
      var task = Task(isLast: state.isFinishing)
      let isDue = state.retryAt.map { $0 <= Clock.monotonic } ?? false
      if state.hasNews || state.isFinishing || isDue {
        task.newer = state.backlog
        task.givenUp = state.givenUp
        state.backlog = Backlog()
        state.givenUp = []
        state.hasNews = false
        state.retryAt = nil
      }
      if !state.isFinishing, !state.questions.isEmpty {
        task.question = state.questions.removeFirst()
      }
      guard task.newer != nil || task.question != nil else {
        return state.retryAt.map { .waitUntil($0) } ?? .wait
      }
      return .take(task)
    }
  }

  /// Unless the end has come meanwhile: then nobody is there to be told, and the end need not wait.
  private func answer(_ question: Question) {
    guard let store, !monitor.look({ $0.isFinishing }) else { return }
    question(store)
  }

  /// Writes everything.
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

  /// Tells how a pass went, and when to try again.
  /// - Parameter failures: in a row.
  private func note(_ outcome: StoreError?, failures: Int) {
    let size = store?.size ?? 0
    monitor.change { state in
      state.outcome = outcome
      state.size = size
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
