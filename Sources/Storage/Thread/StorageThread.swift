internal import Glibc
public import TouchModel

/// A store on a thread of its own: no touch waits for the disk.
///
/// What cannot be written now is kept and tried again with the next command, and by itself after 1 s, 2 s,
/// 4 s … 60 s. Questions have a thread and a connection of their own: no write waits for them either. With
/// nothing to do, both threads sleep.
public final class StorageThread: Sendable {
  public enum Command: Sendable {
    /// A session as it stands. Waiting records of one session become one.
    case write(SessionRecord)
    /// Suspected ghosts that came while no session ran.
    case addGhosts([GhostTally], day: Day)
    /// `Store.keepHouse` by the clock of the moment.
    case keepHouse(keepSessions: Duration?, maxSize: Int64?)
    /// `Store.forget`, after all that was submitted before. Tried once, and not where the disk fails with what
    /// was; `done` is called on the storage thread.
    case forget(
      Forgetting, below: Int64, done: @Sendable (Result<Forgotten, StoreError>) -> Void)
  }

  /// What is worth a line in a log and is no failure.
  public enum Note: Sendable {
    /// What could not be written is written.
    case wellAgain(after: Duration)
    /// The disk took so long for one round of writing, and did not fail.
    case slow(Duration)
    /// The database was moved, and the end of what was written is not in it but in this log: somebody reads it.
    case leftLog(String)
  }

  /// Makes a store that takes the place of one that is damaged or no longer where it was, which was closed. Called
  /// on the storage thread, and again where it has thrown.
  /// - Parameter session: the highest number of a session that came to be written; 0: none.
  public typealias Successor = @Sendable (_ session: Int64) throws(StoreError) -> Store

  /// From so many nanoseconds on, writing is worth a note.
  static let longWrite: Int64 = 5_000_000_000

  private let worker: Worker

  /// - Parameters:
  ///   - backlogLimit: bytes of sessions, estimated, that may wait for the disk before ended ones are
  ///     given up, oldest first: of each its counters, and 1 KiB and more for the rest. What is given
  ///     up is reported. As much again may come while the thread is busy with what it has.
  ///   - successor: nil: a damaged database is written to no more, and what is to be written waits.
  ///   - onError: called on the storage thread for every failure, also of the same thing once more:
  ///     how many of them are worth a line in a log is for the caller to say.
  /// - Throws: `.thread` where the system gives no thread.
  public init(
    _ store: sending Store, backlogLimit: Int = 64 << 20, successor: Successor? = nil,
    onError: @escaping @Sendable (StoreError) -> Void,
    onNote: @escaping @Sendable (Note) -> Void = { _ in }
  ) throws(StoreError) {
    let (path, options) = (store.path, store.options)
    worker = Worker(
      store, backlogLimit: backlogLimit,
      reader: { () throws(StoreError) in try Store(besideWriterOf: path, options: options) },
      successor: successor, onError: onError, onNote: onNote)
    try worker.start()
  }

  deinit { worker.finish() }

  /// Takes a command in. Never waits for the disk.
  /// - Returns: false after `finish`.
  @discardableResult
  public func submit(_ command: Command) -> Bool { worker.submit(command) }

  /// Takes a question in. Never waits for the disk.
  ///
  /// - Parameter question: called on a thread that answers one question after the other, once everything
  ///   submitted before it has been tried. It sends the answer where it belongs, and must not keep the store.
  ///   It gets a connection that only reads, or why there is none. After `giveUp` and `finish` all that it asks
  ///   the store fails with `.interrupted`. While it waits, these two drop it: it is let go of without having been
  ///   called.
  /// - Returns: nil after `finish`, and while 64 others wait.
  public func ask(
    _ question: @escaping @Sendable (_ store: Result<Store, StoreError>) -> Void
  ) -> QuestionID? { worker.ask(question) }

  /// Nobody waits for the answer any more.
  public func giveUp(_ question: QuestionID) { worker.giveUp(question) }

  /// How the store was after the last thing that was done to it. Never waits for the disk.
  public var health: Health {
    worker.monitor.look { state in
      Health(
        error: state.outcome, bytes: state.size, waitingBytes: state.inHand + state.backlog.bytes,
        busy: state.busySince.map { .nanoseconds(Clock.monotonic - $0) },
        givenUp: state.givenUpCount + state.givenUp.count)
    }
  }

  /// Rises when another store takes the place of a damaged one: it knows nothing of what is running.
  var generation: Int { worker.monitor.look { $0.generation } }

  public struct Health: Sendable {
    /// Why something could not be written, which is tried again; nil where all is well.
    public var error: StoreError?
    /// Bytes of the database and the files beside it.
    public var bytes: Int64
    /// Of sessions, estimated, that wait for the disk; what is being written included.
    public var waitingBytes: Int
    /// For how long it has been writing; nil while there is nothing to write.
    public var busy: Duration?
    /// Ended sessions given up, because more waited for the disk than may.
    public var givenUp: Int
  }

  /// Writes what waits, closes the store and ends the threads. Answers no question any more; one that is being
  /// answered is stopped.
  /// - Returns: why something could not be written; nil where everything was.
  public func finish() -> StoreError? {
    worker.finish()
    return worker.monitor.take { $0.isDone ? .take($0.outcome) : .wait }
  }
}
