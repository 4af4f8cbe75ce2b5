internal import Glibc
internal import LinuxIO
internal import Storage
internal import TouchModel

/// The storage thread as the capture sees it.
final class StorageSink: RecordSink {
  let firstSession: Int64
  /// Gives identities that no earlier run on this store has given.
  let mint: TouchIDMint
  let path: String
  private let thread: StorageThread
  /// Held as long as the store is open: letting go earlier would take SQLite's own locks along.
  private let lock: FileLock?
  private let calendar: @Sendable (WallTime) -> Day
  private var houseKeeping: StorageThread.Command

  /// Opens the store, closes what a dead daemon left open, and starts the thread.
  init(_ configuration: Configuration.Store, log: Log) throws(DaemonError) {
    path = configuration.path
    lock = try Self.lock(configuration.path)
    let options = StoreOptions(migrating: { former, new in
      log.info(.store, "the store is of version \(former): bringing it to version \(new)")
      Supervisor.startTakesLong("bringing the store to version \(new)")
    })
    calendar = options.calendar
    houseKeeping = Self.houseKeeping(configuration)
    do throws(StoreError) {
      let store = try Store(path: configuration.path, options: options)
      let closed = try store.closeUnfinished()
      if closed > 0 {
        log.warning(
          .daemon,
          "\(closed) session\(closed == 1 ? "" : "s") of an earlier run had not been ended: closed now"
        )
      }
      firstSession = try store.nextSessionID
      mint = .ofRun(try store.beginRun(at: Moment.now.wall))
      thread = try StorageThread(store) { error in
        log.warning(.store, kind: error.code.rawValue, "\(error)")
      }
    } catch {
      throw .store(error)
    }
    thread.submit(houseKeeping)
  }

  /// Of two daemons on one store each would take the other's session for one that was left unfinished.
  private static func lock(_ path: String) throws(DaemonError) -> FileLock? {
    do throws(SystemError) {
      return try FileLock(path)
    } catch {
      if error.code == EWOULDBLOCK { throw .storeInUse(path: path) }
      // Whatever else is wrong with the file the store itself says better.
      return nil
    }
  }

  func store(_ record: SessionRecord) {
    thread.submit(.write(record))
    if record.end != nil { thread.submit(houseKeeping) }
  }

  func store(_ ghosts: [GhostTally], at time: WallTime) {
    thread.submit(.addGhosts(ghosts, day: calendar(time)))
  }

  /// Takes over for how long sessions are kept; where the store lies cannot change while it is open.
  func apply(_ configuration: Configuration.Store) {
    houseKeeping = Self.houseKeeping(configuration)
    thread.submit(houseKeeping)
  }

  private static func houseKeeping(_ configuration: Configuration.Store) -> StorageThread.Command {
    .keepHouse(
      keepSessions: .microseconds(configuration.keepSessions), maxSize: configuration.maxSize)
  }

  /// - Returns: nil where too many questions wait already.
  func ask(
    _ question: @escaping @Sendable (_ store: Result<Store, StoreError>) -> Void
  ) -> QuestionID? { thread.ask(question) }

  /// Nobody waits for the answer any more.
  func giveUp(_ question: QuestionID) { thread.giveUp(question) }

  var health: StorageThread.Health { thread.health }

  /// Writes what waits.
  func finish() throws(DaemonError) {
    if let error = thread.finish() { throw .store(error) }
  }
}
