internal import Glibc
internal import LinuxIO
internal import Storage
internal import Text
internal import TouchModel

/// Gives the capture and the service access to the storage thread.
final class StorageSink: RecordSink {
  let firstSession: Int64
  /// Creates touch identities that no earlier run on this store has used.
  let mint: TouchIDGenerator
  private let file: StoreFile
  private let thread: StorageThread
  private let clock: @Sendable () -> LocalClock
  private var houseKeeping: StorageThread.Command
  /// The time of the next housekeeping without a session, on `CLOCK_BOOTTIME`: 11 minutes after the
  /// start, and then once a day. The store does not record the wall clock in the first 10 minutes,
  /// because a machine without a clock battery sets its clock from the network in that time.
  private(set) var nextDeadline = Timestamp(microseconds: Clocks.boottime) + 11 * 60 * 1_000_000

  var path: String { file.path }

  /// Opens the store, closes the sessions that an earlier run left open, and starts the storage
  /// thread.
  /// - Parameter movesDamagedAside: whether to move a damaged store aside and create a new one. If
  ///   false, a damaged store is an error.
  init(
    _ configuration: Configuration.Store, movesDamagedAside: Bool, log: Log
  ) throws(DaemonError) {
    let options = StoreOptions()
    clock = options.clock
    let file = try StoreFile(configuration.path, options: options, log: log)
    self.file = file
    let successor: StorageThread.Successor = { session throws(StoreError) in
      try file.replace(after: session)
    }
    let trouble = StoreErrorLog(log)
    houseKeeping = Self.houseKeeping(configuration)
    do throws(StoreError) {
      let opened = try file.open(movesDamagedAside: movesDamagedAside)
      let start = opened.start
      Self.logClosedSessions(start.closed, log)
      firstSession = start.firstSession
      mint = .ofRun(start.run)
      thread = try StorageThread(
        opened.store, successor: movesDamagedAside ? successor : nil,
        onError: { trouble.note($0) }, onNote: { trouble.note($0) })
    } catch {
      throw .store(error)
    }
    thread.submit(houseKeeping)
  }

  private static func logClosedSessions(_ closed: Store.Closed, _ log: Log) {
    guard closed.sessions > 0 else { return }
    log.warning(
      .daemon, "closed \(counted(closed.sessions, "session")) that an earlier run had left open")
    for session in closed.damaged {
      log.error(
        .store,
        "session \(session): one of its checkpoints is unreadable: what was recorded after the "
          + "checkpoint before that one is lost")
    }
  }

  func store(_ record: SessionRecord) {
    thread.submit(.write(record))
    if record.end != nil { thread.submit(houseKeeping) }
  }

  /// Submits the housekeeping if it is due.
  func advance(to moment: Moment) {
    guard moment.boottime >= nextDeadline else { return }
    nextDeadline = moment.boottime + 24 * 3_600 * 1_000_000
    thread.submit(houseKeeping)
  }

  func store(_ ghosts: [GhostTally], at time: WallTime) {
    thread.submit(.addGhosts(ghosts, day: Day(time, by: clock())))
  }

  /// Adopts new retention limits. The path of the store cannot change while it is open.
  func apply(_ configuration: Configuration.Store) {
    houseKeeping = Self.houseKeeping(configuration)
    thread.submit(houseKeeping)
  }

  private static func houseKeeping(_ configuration: Configuration.Store) -> StorageThread.Command {
    .doHousekeeping(
      keepSessions: .microseconds(configuration.keepSessions), maxSize: configuration.maxSize)
  }

  /// Submits a query, which is called on the query thread.
  /// - Returns: nil if too many queries are waiting or the daemon is stopping.
  func enqueue(
    _ query: @escaping @Sendable (_ store: Result<Store, StoreError>) -> Void
  ) -> QueryID? { thread.enqueue(query) }

  /// Cancels a query, because no client waits for its answer.
  func giveUp(_ query: QueryID) { thread.giveUp(query) }

  /// Submits the deletion of sessions, followed by housekeeping.
  /// - Parameters:
  ///   - limit: only sessions with numbers below this are deleted.
  ///   - done: called on the storage thread with the result.
  /// - Returns: false if the daemon is stopping.
  func forget(
    _ what: ForgetSelection, below limit: Int64,
    done: @escaping @Sendable (Result<Forgotten, StoreError>) -> Void
  ) -> Bool {
    thread.submit(.forget(what, below: limit, done: done)) && thread.submit(houseKeeping)
  }

  var health: StorageThread.Health { thread.health }

  /// The path of the store that was last moved aside since the start; nil if none was.
  var movedAside: String? { file.movedAside }

  /// Writes all submitted records, and ends the storage thread.
  /// - Throws: `.store` if data could not be written.
  func finish() throws(DaemonError) {
    if let error = thread.finish() { throw .store(error) }
  }
}
