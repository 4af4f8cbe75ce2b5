internal import Glibc
internal import TouchModel

/// The part of `StorageThread` that runs on the storage thread.
///
/// `@unchecked`: from `start` on, only the storage thread uses the store; the monitor protects all
/// other shared state.
final class Worker: @unchecked Sendable {
  struct State {
    /// The work that was submitted since the last pass (a round of writing). Work that failed
    /// before is kept outside this state, so that other threads do not wait while the two are
    /// merged.
    var backlog = Backlog()
    /// The number of commands that were submitted, and how many of these have been tried.
    var submitted: UInt64 = 0
    var tried: UInt64 = 0
    var queries = QueryQueue()
    /// Whether the query thread is running.
    var hasQueryThread = true
    /// The ended sessions that were discarded since the last report.
    var givenUp: [Int64] = []
    /// Whether something to write was submitted since the last pass.
    var hasNews = false
    /// Whether any data is in checkpoints only.
    var hasCheckpoints = false
    /// The time of the next attempt for failed work, on `CLOCK_MONOTONIC` in ns.
    var retryAt: Int64?
    var isFinishing = false
    var isDone = false
    /// The error of the last pass; nil if it succeeded.
    var outcome: StoreError?
    /// The size of the database and of the files beside it, in bytes.
    var size: Int64 = 0
    /// The bytes of sessions that the storage thread is writing or could not write.
    var inHand = 0
    /// The time at which the current pass began, on `CLOCK_MONOTONIC` in ns; nil while the thread
    /// sleeps.
    var busySince: Int64?
    /// The number of ended sessions that were discarded since the start.
    var givenUpCount = 0
    /// Increases each time that another database replaces a damaged or moved one.
    var generation = 0
  }

  let monitor: Monitor<State>
  private let queryThread: QueryThread
  private var store: Store?
  private let backlogLimit: Int
  /// The pause between a failure and the first new attempt, in ns.
  private let retryPause: Int64
  private let successor: StorageThread.Successor?
  private let onError: @Sendable (StoreError) -> Void
  private let onNote: @Sendable (StorageThread.Note) -> Void
  /// The time since which the disk has been failing, on `CLOCK_MONOTONIC` in ns; nil if it works.
  private var failingSince: Int64?
  /// The sessions that ran when a store was closed. The store that replaces it first gets them
  /// with all their views and grids, so that its totals always add up.
  private var unfinished: [SessionRecord] = []
  /// The highest id of any session that was submitted for writing. A store that replaces the
  /// current one continues after it.
  private var lastSession: Int64 = 0
  /// The time at which this object was created, on `CLOCK_BOOTTIME`.
  private let began = Clock.boottime
  /// The settings and the day of the last housekeeping; nil if it must be repeated.
  private var lastHousekeeping: (housekeeping: Backlog.Housekeeping, day: Day)?

  /// - Parameter reader: opens another connection to the same database, for queries.
  init(
    _ store: sending Store, backlogLimit: Int, retryPause: Int64 = 1_000_000_000,
    reader: @escaping @Sendable () throws(StoreError) -> Store,
    successor: StorageThread.Successor? = nil,
    onError: @escaping @Sendable (StoreError) -> Void,
    onNote: @escaping @Sendable (StorageThread.Note) -> Void = { _ in }
  ) {
    monitor = Monitor(State())
    queryThread = QueryThread(monitor, open: reader)
    self.store = store
    self.backlogLimit = backlogLimit
    self.retryPause = retryPause
    self.successor = successor
    self.onError = onError
    self.onNote = onNote
  }

  func start() throws(StoreError) {
    try startThread("storage") { [self] in run() }
    do throws(StoreError) {
      try startThread("answering") { [queryThread] in queryThread.run() }
    } catch {
      monitor.change {
        $0.hasQueryThread = false
        $0.isFinishing = true
      }
      throw error
    }
  }

  func submit(_ command: StorageThread.Command) -> Bool {
    monitor.change { state in
      guard !state.isFinishing else { return false }
      switch command {
      case .write(let record):
        state.backlog.add(record)
        state.givenUp += state.backlog.shrink(to: backlogLimit)
      case .addGhosts(let tallies, let day): state.backlog.add(tallies, day: day)
      case .doHousekeeping(let keepSessions, let maxSize):
        state.backlog.add(Backlog.Housekeeping(keepSessions: keepSessions, maxSize: maxSize))
      case .forget(let what, let limit, let done):
        state.backlog.add(Backlog.ForgettingTask(what: what, limit: limit, done: done))
      }
      state.submitted += 1
      state.hasNews = true
      return true
    }
  }

  /// Enqueues a query.
  /// - Returns: nil if it is refused.
  func enqueue(_ query: @escaping QueryQueue.Body) -> QueryID? {
    monitor.change { state in
      if state.isFinishing { return nil }
      // A pass that is running may end with data in checkpoints only. While the disk fails, request
      // no pass, because every query would wait for one more failure.
      let needsPass =
        state.outcome?.isTransient != true
        && (state.hasNews || state.hasCheckpoints || state.busySince != nil)
      let after = needsPass ? state.submitted + 1 : state.submitted
      guard let id = state.queries.add(after: after, query) else { return nil }
      if needsPass {
        state.backlog.appliesCheckpoints = true
        state.hasNews = true
        state.submitted = after
      }
      return id
    }
  }

  func giveUp(_ id: QueryID) {
    // The query is released outside the lock.
    _ = monitor.change { [queryThread] state in
      let found = state.queries.giveUp(id)
      // Request it under the lock. Otherwise the next query might be stopped instead.
      if case .running = found { queryThread.cancellation.request() }
      return found
    }
  }

  /// Accepts no more work, and stops the running query.
  func finish() {
    monitor.change { [queryThread] state in
      state.isFinishing = true
      queryThread.cancellation.request()
    }
  }

  private struct Task {
    /// The work that was submitted since the last pass; nil if there is nothing to do.
    var newer: Backlog?
    var givenUp: [Int64] = []
    /// The number of commands that had been submitted when this task was taken.
    var submitted: UInt64 = 0
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
        // Also discard the earlier records of these sessions. Without the final records, they
        // would describe sessions that never end.
        for id in task.givenUp { backlog.drop(id) }
        let givenUp = task.givenUp + backlog.shrink(to: backlogLimit)
        for id in givenUp {
          unfinished.removeAll { $0.id == id }
          store?.giveUp(id)
        }
        if !givenUp.isEmpty { report(givenUp: givenUp) }
        let began = Clock.monotonic
        monitor.change { [bytes = backlog.bytes] state in
          state.inHand = bytes
          state.givenUpCount += givenUp.count
        }
        let outcome = work(&backlog)
        failures = outcome?.isTransient == true ? failures + 1 : 0
        publish(outcome, failures: failures, tried: task.submitted, left: backlog.bytes)
        reportDuration(outcome, began: began)
      }
    }
    // The last connection to close removes the WAL. A read-only connection cannot do so, so the
    // query thread must close its connection first.
    monitor.wait { $0.hasQueryThread ? .wait : .done(()) }
    // Close the store before `finish` returns.
    store = nil
    monitor.change { $0.isDone = true }
  }

  private func nextTask() -> Task {
    monitor.wait { state in
      var task = Task(submitted: state.submitted, isLast: state.isFinishing)
      let isDue = state.retryAt.map { $0 <= Clock.monotonic } ?? false
      if state.hasNews || state.isFinishing || isDue {
        task.newer = state.backlog
        task.givenUp = state.givenUp
        state.inHand += state.backlog.bytes
        state.backlog = Backlog()
        state.givenUp = []
        state.hasNews = false
        state.retryAt = nil
        state.busySince = Clock.monotonic
      }
      guard task.newer != nil else {
        return state.retryAt.map { .waitUntil($0) } ?? .wait
      }
      return .done(task)
    }
  }

  /// Writes everything, into a new database if the current one is damaged or was moved.
  /// - Parameter backlog: on return, the work to be tried again or waiting for a later record.
  /// - Returns: the first error; nil if everything succeeded.
  private func work(_ backlog: inout Backlog) -> StoreError? {
    guard let successor else { return write(&backlog) }
    lastSession = backlog.records.reduce(lastSession) { max($0, $1.id) }
    if let store {
      if store.hasMoved {
        leave(store)
      } else {
        let failure = write(&backlog)
        guard let failure, failure.isDamagedFile else { return failure }
      }
      store.leaveWAL()
      unfinished = store.unfinished
      self.store = nil
      lastHousekeeping = nil
    }
    let failure = attempt { () throws(StoreError) in
      store = try successor(lastSession)
      // Make queries open the new database.
      monitor.change { $0.generation += 1 }
    }
    if let failure {
      for task in backlog.takeForgettings() { task.done(.failure(failure)) }
      return failure
    }
    var all = Backlog()
    for record in unfinished { all.add(record) }
    all.add(backlog)
    backlog = all
    unfinished = []
    return write(&backlog)
  }

  /// Leaves a database that was moved: copies its WAL into it, or renames the WAL if a reader
  /// prevents that.
  private func leave(_ store: Store) {
    do throws(StoreError) { try store.checkpointWAL() } catch {
      let now = WallTime(milliseconds: Clock.wall)
      if let log = Replacement.keepApart(logOf: store.path, at: now) { onNote(.leftWAL(log)) }
    }
  }

  /// Writes everything into the current database.
  /// - Parameter backlog: on return, the work to be tried again or waiting for a later record.
  /// - Returns: the first error; nil if everything succeeded.
  private func write(_ backlog: inout Backlog) -> StoreError? {
    guard let store else { return nil }
    var rest = Backlog()
    var failure: StoreError?
    // False after a disk failure: the other writes would fail as well, each after a wait.
    var isDiskFine: Bool { failure.map { !$0.isTransient && !$0.isDamagedFile } ?? true }
    func isWorthKeeping(_ error: StoreError) -> Bool { error.isTransient || error.isDamagedFile }
    /// Returns the error of a write, or the earlier one of the disk.
    func attemptIfFine(_ body: () throws(StoreError) -> Void) -> StoreError? {
      let error = isDiskFine ? attempt(body) : failure
      failure = error ?? failure
      return error
    }
    for record in backlog.records {
      let error = attemptIfFine { () throws(StoreError) in try store.checkpoint(record) }
      guard let error else { continue }
      // Keep a refused record of a running session, because the next record contains only what
      // changed since. Discard a refused final record, because no later record can correct it.
      if isWorthKeeping(error) || record.end == nil {
        rest.add(record)
      } else {
        store.giveUp(record.id)
      }
    }
    for (day, tallies) in backlog.ghosts {
      let error = attemptIfFine { () throws(StoreError) in
        try store.addGhosts(tallies, day: day)
      }
      if let error, isWorthKeeping(error) { rest.add(tallies, day: day) }
    }
    // Forget before housekeeping, which might roll up sessions that began after the command.
    for task in backlog.forgettings {
      let isTried = isDiskFine
      let result = forget(task, store, after: isTried ? nil : failure)
      let error: StoreError?
      switch result {
      case .success(let forgotten):
        rest.drop(task)
        error = forgotten.notErased
      case .failure(let refusal): error = refusal
      }
      if isTried, let error, error.isDamagedFile {
        onError(error)
        failure = error
      }
      task.done(result)
    }
    if let housekeeping = backlog.housekeeping {
      let error = attemptIfFine { () throws(StoreError) in
        try runHousekeeping(housekeeping, store)
      }
      if let error, isWorthKeeping(error) { rest.add(housekeeping) }
    }
    if backlog.appliesCheckpoints {
      let error = attemptIfFine { () throws(StoreError) in try store.applyOwnCheckpoints() }
      rest.appliesCheckpoints = error.map(isWorthKeeping) ?? false
    }
    backlog = rest
    return failure
  }

  private func runHousekeeping(_ housekeeping: Backlog.Housekeeping, _ store: Store)
    throws(StoreError)
  {
    let reading = ClockReading(
      now: WallTime(milliseconds: Clock.wall), uptime: Clock.boottime, start: began)
    let today = store.day(of: reading.now)
    let isKept = lastHousekeeping.map { $0 == (housekeeping, today) } ?? false
    lastHousekeeping = nil
    try store.doHousekeeping(
      keepSessions: housekeeping.keepSessions, maxSize: housekeeping.maxSize, isKept: isKept,
      at: reading)
    lastHousekeeping = (housekeeping, today)
  }

  /// Forgets sessions. Errors are reported only to the caller, unless the file is damaged. Nothing
  /// is tried again.
  private func forget(
    _ task: Backlog.ForgettingTask, _ store: Store, after failure: StoreError?
  ) -> Result<Forgotten, StoreError> {
    if let failure { return .failure(failure) }
    // The next housekeeping must compute the sums of months again.
    lastHousekeeping = nil
    do throws(StoreError) {
      return .success(try store.forget(task.what, below: task.limit))
    } catch { return .failure(error) }
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

  /// Publishes the result of a pass, and the time of the next attempt.
  /// - Parameters:
  ///   - failures: the number of consecutive failed passes.
  ///   - tried: the number of commands that were submitted before the pass began.
  ///   - left: the bytes that could not be written.
  private func publish(_ outcome: StoreError?, failures: Int, tried: UInt64, left: Int) {
    let size = store?.size ?? 0
    let hasCheckpoints = store?.hasCheckpoints ?? false
    monitor.change { state in
      state.hasCheckpoints = hasCheckpoints
      state.inHand = left
      state.busySince = nil
      state.outcome = outcome
      state.size = size
      state.tried = tried
      guard failures > 0 else { return }
      let pauses = min(60, Int64(1) << Int64(min(failures - 1, 6)))
      state.retryAt = Clock.monotonic + pauses * retryPause
    }
  }

  /// Sends a note when the disk works again after a failure, or when writing has taken long.
  /// - Parameter began: the start of the pass, on `CLOCK_MONOTONIC` in ns.
  private func reportDuration(_ outcome: StoreError?, began: Int64) {
    let now = Clock.monotonic
    if outcome?.isTransient == true {
      failingSince = failingSince ?? began
    } else if outcome == nil, let since = failingSince.take() {
      onNote(.recovered(after: .nanoseconds(now - since)))
    } else if now - began >= StorageThread.longWrite {
      onNote(.slow(.nanoseconds(now - began)))
    }
  }

  private func report(givenUp ids: [Int64]) {
    let names = ids.map { String($0) }.joined(separator: ", ")
    onError(
      StoreError(
        .backlog, message: "discarded the unwritten data of session \(names)",
        path: store?.path ?? "", activity: "waiting for the disk"))
  }
}
