internal import Glibc
internal import Text
public import TouchModel

/// A store on a thread of its own, so that no touch waits for the disk.
///
/// Data that cannot be written is kept, unless the store refuses it for good. If more than
/// `backlogLimit` bytes wait, ended sessions are discarded, oldest first. Writing is tried again
/// with the next command and, after an error that may pass (`StoreError.isTransient`), also after 1
/// s, 2 s, 4 s … 60 s. Queries have a thread and a connection of their own, so that no write waits
/// for them. Both threads sleep while there is nothing to do.
public final class StorageThread: Sendable {
  public enum Command: Sendable {
    /// Writes the current state of a session. Waiting records of one session are merged.
    case write(SessionRecord)
    /// Adds suspected ghosts outside of sessions.
    case addGhosts([GhostTally], day: Day)
    /// Runs `Store.doHousekeeping` with the current clocks.
    case doHousekeeping(keepSessions: Duration?, maxSize: Int64?)
    /// Runs `Store.forget` after everything that was submitted before. It is tried once, and not at
    /// all if the disk failed for earlier data. `done` is called on the storage thread.
    case forget(
      ForgetSelection, below: Int64, done: @Sendable (Result<Forgotten, StoreError>) -> Void)
  }

  /// An event for the log that is not a failure.
  public enum Note: Sendable {
    /// Data that could not be written is now written.
    case recovered(after: Duration)
    /// The duration of a long round of writing. Not sent after an error that is tried again.
    case slow(Duration)
    /// The database was moved while a reader was open; its last commits are in this WAL.
    case leftWAL(String)
  }

  /// Creates the store that replaces a damaged or moved store, which has been closed. Called on the
  /// storage thread, and called again after it has thrown.
  /// - Parameter session: the highest id of any session that was submitted for writing; 0 if there
  ///   was none.
  public typealias Successor = @Sendable (_ session: Int64) throws(StoreError) -> Store

  /// The duration, in ns, from which a round of writing is reported as slow.
  static let longWrite: Int64 = 5_000_000_000

  private let worker: Worker

  /// - Parameters:
  ///   - backlogLimit: the estimated bytes of sessions that may wait for the disk: their counters,
  ///     and at least 1 KiB each. Beyond it ended sessions are discarded, oldest first, and
  ///     reported. While the thread is busy, as much again may arrive.
  ///   - successor: creates a new store if the database is damaged or was moved. If it is nil, the
  ///     data for a damaged database waits, and only the next command tries to write it again.
  ///   - onError: called on the storage thread for every failure, including repeated ones. The
  ///     caller decides which of them to log.
  /// - Throws: `.thread` if the system cannot start a thread.
  public convenience init(
    _ store: sending Store, backlogLimit: Int = 64 << 20, successor: Successor? = nil,
    onError: @escaping @Sendable (StoreError) -> Void,
    onNote: @escaping @Sendable (Note) -> Void = { _ in }
  ) throws(StoreError) {
    try self.init(
      store, backlogLimit: backlogLimit, retryPause: 1_000_000_000, successor: successor,
      onError: onError, onNote: onNote)
  }

  /// Creates a thread with another pause before the first new attempt, in ns. Later pauses are
  /// multiples of it.
  init(
    _ store: sending Store, backlogLimit: Int, retryPause: Int64, successor: Successor?,
    onError: @escaping @Sendable (StoreError) -> Void,
    onNote: @escaping @Sendable (Note) -> Void
  ) throws(StoreError) {
    let (path, options) = (store.path, store.options)
    worker = Worker(
      store, backlogLimit: backlogLimit, retryPause: retryPause,
      reader: { () throws(StoreError) in try Store(besideWriterOf: path, options: options) },
      successor: successor, onError: onError, onNote: onNote)
    try worker.start()
  }

  deinit { worker.finish() }

  /// Enqueues a command. Never waits for the disk.
  /// - Returns: false after `finish`.
  @discardableResult
  public func submit(_ command: Command) -> Bool { worker.submit(command) }

  /// Enqueues a query. Never waits for the disk.
  ///
  /// - Parameter query: called on the query thread, one query at a time, once everything
  ///   submitted before it has been tried. It gets a read-only connection, or the error if there is
  ///   none. It must deliver its answer itself, and must not keep the store. After `giveUp` or
  ///   `finish`, a running query gets `.interrupted` from all its calls of the store. A waiting
  ///   query is released without being called.
  /// - Returns: nil after `finish`, and while 64 others wait.
  public func enqueue(
    _ query: @escaping @Sendable (_ store: Result<Store, StoreError>) -> Void
  ) -> QueryID? { worker.enqueue(query) }

  /// Cancels a query, because no client waits for its answer.
  public func giveUp(_ query: QueryID) { worker.giveUp(query) }

  /// The state of the store after the last round of writing. Never waits for the disk.
  public var health: Health {
    worker.monitor.read { state in
      Health(
        error: state.outcome, bytes: state.size, waitingBytes: state.inHand + state.backlog.bytes,
        busy: state.busySince.map { .nanoseconds(Clock.monotonic - $0) },
        givenUp: state.givenUpCount + state.givenUp.count)
    }
  }

  /// Increases each time that another store replaces a damaged or moved one.
  var generation: Int { worker.monitor.read { $0.generation } }

  public struct Health: Sendable {
    /// The error of the last round of writing; nil if the round succeeded.
    public var error: StoreError?
    /// The size of the database and of the files beside it, in bytes.
    public var bytes: Int64
    /// The estimated bytes of sessions that wait for the disk or are being written.
    public var waitingBytes: Int
    /// The duration of the current round of writing so far; nil while there is nothing to write.
    public var busy: Duration?
    /// The number of ended sessions that were discarded because too much data waited for the disk.
    public var givenUp: Int
  }

  /// Writes the waiting data, closes the store and ends the threads. The running query is stopped,
  /// and waiting queries are dropped.
  /// - Returns: the reason why data could not be written; nil if everything was written.
  public func finish() -> StoreError? {
    worker.finish()
    return worker.monitor.wait { $0.isDone ? .done($0.outcome) : .wait }
  }
}

/// Runs `body` on a new, detached thread.
///
/// The corresponding C function is `pthread_create`.
/// - Parameter name: for the error message.
/// - Throws: `.thread` if the system cannot start a thread.
func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) throws(StoreError) {
  let box = unsafe Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, nil,
    { argument in
      guard let argument = unsafe argument else { return nil }
      unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  guard code == 0 else {
    unsafe box.release()
    throw StoreError(
      .thread, message: errorText(code), activity: "starting the \(name) thread")
  }
  pthread_detach(thread)
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
