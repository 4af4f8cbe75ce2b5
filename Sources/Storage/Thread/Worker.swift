internal import Glibc
internal import TouchModel

/// The storage thread's side of `StorageThread`.
///
/// `@unchecked`: the store is touched by the storage thread alone, from `start` on; all else that
/// changes is behind the monitor.
final class Worker: @unchecked Sendable {
  struct State {
    /// What was submitted since the last pass. What failed before, the storage thread keeps for itself:
    /// nobody waits while it puts the two together.
    var backlog = Backlog()
    /// How many commands were submitted, and how many of these have been tried.
    var submitted: UInt64 = 0
    var tried: UInt64 = 0
    var questions = Questions()
    /// The thread that answers them is there.
    var answers = true
    /// Ended sessions given up since the last report.
    var givenUp: [Int64] = []
    /// Something to write was submitted since the last pass.
    var hasNews = false
    /// There is something that is in checkpoints alone.
    var hasCheckpoints = false
    /// When to try again what failed, on `CLOCK_MONOTONIC` in nanoseconds.
    var retryAt: Int64?
    var isFinishing = false
    var isDone = false
    /// What became of the last pass.
    var outcome: StoreError?
    /// Bytes of the database and the files beside it.
    var size: Int64 = 0
    /// Bytes of sessions that the storage thread has in hand: what it writes, and what it could not write.
    var inHand = 0
    /// Since when it has been writing, on `CLOCK_MONOTONIC` in nanoseconds; nil while it sleeps.
    var busySince: Int64?
    /// Ended sessions given up since the start.
    var givenUpCount = 0
    /// Rises when another database takes the place of a damaged one.
    var generation = 0
  }

  let monitor: Monitor<State>
  private let answerer: Answerer
  private var store: Store?
  private let backlogLimit: Int
  private let successor: StorageThread.Successor?
  private let onError: @Sendable (StoreError) -> Void
  private let onNote: @Sendable (StorageThread.Note) -> Void
  /// Since when the disk has failed, on `CLOCK_MONOTONIC` in nanoseconds.
  private var failingSince: Int64?
  /// The sessions that ran when a store was closed: the one that takes its place has them whole at once, and its
  /// books balance at every moment.
  private var unfinished: [SessionRecord] = []
  /// The highest number of a session that came to be written.
  private var lastSession: Int64 = 0
  /// When this thread was made, on `CLOCK_BOOTTIME`.
  private let began = Clock.boottime
  /// How house was kept last, and on which day; nil where that is to be done again.
  private var kept: (house: Backlog.HouseKeeping, day: Day)?

  /// - Parameter reader: opens another connection to the same database, for questions.
  init(
    _ store: sending Store, backlogLimit: Int,
    reader: @escaping @Sendable () throws(StoreError) -> Store,
    successor: StorageThread.Successor? = nil,
    onError: @escaping @Sendable (StoreError) -> Void,
    onNote: @escaping @Sendable (StorageThread.Note) -> Void = { _ in }
  ) {
    monitor = Monitor(State())
    answerer = Answerer(monitor, open: reader)
    self.store = store
    self.backlogLimit = backlogLimit
    self.successor = successor
    self.onError = onError
    self.onNote = onNote
  }

  func start() throws(StoreError) {
    try startThread("storage") { [self] in run() }
    do throws(StoreError) {
      try startThread("answering") { [answerer] in answerer.run() }
    } catch {
      monitor.change {
        $0.answers = false
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
      case .keepHouse(let keepSessions, let maxSize):
        state.backlog.add(Backlog.HouseKeeping(keepSessions: keepSessions, maxSize: maxSize))
      case .forget(let what, let limit, let done):
        state.backlog.add(Backlog.ForgettingTask(what: what, limit: limit, done: done))
      }
      state.submitted += 1
      state.hasNews = true
      return true
    }
  }

  /// - Returns: nil where it is not taken.
  func ask(_ question: @escaping Questions.Body) -> QuestionID? {
    monitor.change { state in
      if state.isFinishing { return nil }
      // What is being written may end in a checkpoint. Where the disk fails there is no news: it would make every
      // question wait for one more failure.
      let settles =
        state.outcome?.mayPass != true
        && (state.hasNews || state.hasCheckpoints || state.busySince != nil)
      let after = settles ? state.submitted + 1 : state.submitted
      guard let id = state.questions.add(after: after, question) else { return nil }
      if settles {
        state.backlog.isAsked = true
        state.hasNews = true
        state.submitted = after
      }
      return id
    }
  }

  func giveUp(_ id: QuestionID) {
    // What the question holds is let go of outside the lock.
    _ = monitor.change { [answerer] state in
      let found = state.questions.giveUp(id)
      // Under the lock: else it might be the next one that is stopped.
      if case .running = found { answerer.interruption.ask() }
      return found
    }
  }

  /// Nothing is taken any more, and what is being answered stops.
  func finish() {
    monitor.change { [answerer] state in
      state.isFinishing = true
      answerer.interruption.ask()
    }
  }

  private struct Task {
    /// What came since the last pass; nil where nothing came and nothing is due.
    var newer: Backlog?
    var givenUp: [Int64] = []
    /// How many commands were submitted until then.
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
        // Their ends are gone: what came before would be of sessions that never end.
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
        failures = outcome?.mayPass == true ? failures + 1 : 0
        note(outcome, failures: failures, tried: task.submitted, left: backlog.bytes)
        tell(outcome, began: began)
      }
    }
    // The last connection to close puts the log away; one that only reads could not.
    monitor.take { $0.answers ? .wait : .take(()) }
    // Closed before anybody is told that this is over.
    store = nil
    monitor.change { $0.isDone = true }
  }

  private func nextTask() -> Task {
    monitor.take { state in
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
      return .take(task)
    }
  }

  /// Writes everything, in a new database where this one is found damaged.
  /// - Parameter backlog: in return what is to be tried again, or waits for a later record.
  /// - Returns: why something could not be done.
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
      store.leaveLog()
      unfinished = store.unfinished
      self.store = nil
      kept = nil
    }
    let failure = attempt { () throws(StoreError) in
      store = try successor(lastSession)
      // Those who ask must not go on reading the other.
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

  /// Leaves a file that has moved with all that was written to it, where nobody reads it.
  private func leave(_ store: Store) {
    do throws(StoreError) { try store.emptyLog() } catch {
      let now = WallTime(milliseconds: Clock.wall)
      if let log = Replacement.keepApart(logOf: store.path, at: now) { onNote(.leftLog(log)) }
    }
  }

  /// Writes everything.
  /// - Parameter backlog: in return what is to be tried again, or waits for a later record.
  /// - Returns: why something could not be done.
  private func write(_ backlog: inout Backlog) -> StoreError? {
    guard let store else { return nil }
    var rest = Backlog()
    var failure: StoreError?
    // After a failure of the disk the others would only fail as well, after a wait each.
    var isDiskFine: Bool { failure.map { !$0.mayPass && !$0.isDamagedFile } ?? true }
    func isWorthKeeping(_ error: StoreError) -> Bool { error.mayPass || error.isDamagedFile }
    for record in backlog.records {
      let error =
        isDiskFine ? attempt { () throws(StoreError) in try store.checkpoint(record) } : failure
      guard let error else { continue }
      failure = error
      // A refused checkpoint waits for the next one of its session, which says only what changed
      // since. A refused end is given up: nothing follows that could mend it.
      if isWorthKeeping(error) || record.end == nil {
        rest.add(record)
      } else {
        store.giveUp(record.id)
      }
    }
    for (day, tallies) in backlog.ghosts {
      let error =
        isDiskFine
        ? attempt { () throws(StoreError) in try store.addGhosts(tallies, day: day) } : failure
      guard let error else { continue }
      failure = error
      if isWorthKeeping(error) { rest.add(tallies, day: day) }
    }
    // Before house is kept, which might add up what came later.
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
    if let house = backlog.houseKeeping {
      let error =
        isDiskFine ? attempt { () throws(StoreError) in try keep(house, store) } : failure
      if let error {
        failure = error
        if isWorthKeeping(error) { rest.add(house) }
      }
    }
    if backlog.isAsked {
      let error = isDiskFine ? attempt { () throws(StoreError) in try store.settle() } : failure
      if let error {
        failure = error
        rest.isAsked = isWorthKeeping(error)
      }
    }
    backlog = rest
    return failure
  }

  private func keep(_ house: Backlog.HouseKeeping, _ store: Store) throws(StoreError) {
    let reading = ClockReading(
      now: WallTime(milliseconds: Clock.wall), uptime: Clock.boottime, start: began)
    let today = store.day(of: reading.now)
    let isKept = kept.map { $0 == (house, today) } ?? false
    kept = nil
    try store.keepHouse(
      keepSessions: house.keepSessions, maxSize: house.maxSize, isKept: isKept, at: reading)
    kept = (house, today)
  }

  /// Errors are for who asked, unless the file is damaged; nothing waits to be tried again.
  private func forget(
    _ task: Backlog.ForgettingTask, _ store: Store, after failure: StoreError?
  ) -> Result<Forgotten, StoreError> {
    if let failure { return .failure(failure) }
    // Months are to be added up again.
    kept = nil
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

  /// Tells how a pass went, and when to try again.
  /// - Parameters:
  ///   - failures: in a row.
  ///   - tried: how many commands there have been until it began.
  ///   - left: bytes of what could not be written.
  private func note(_ outcome: StoreError?, failures: Int, tried: UInt64, left: Int) {
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
      let seconds = min(60, Int64(1) << Int64(min(failures - 1, 6)))
      state.retryAt = Clock.monotonic + seconds * 1_000_000_000
    }
  }

  /// Says when a disk that failed is well again, and when one has taken long.
  /// - Parameter began: when the pass did, on `CLOCK_MONOTONIC` in nanoseconds.
  private func tell(_ outcome: StoreError?, began: Int64) {
    let now = Clock.monotonic
    if outcome?.mayPass == true {
      failingSince = failingSince ?? began
    } else if outcome == nil, let since = failingSince.take() {
      onNote(.wellAgain(after: .nanoseconds(now - since)))
    } else if now - began >= StorageThread.longWrite {
      onNote(.slow(.nanoseconds(now - began)))
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
