internal import Glibc
internal import LinuxIO
internal import Storage
internal import TouchModel

/// The storage thread as the capture sees it.
final class StorageSink: RecordSink {
  let firstSession: Int64
  /// Gives identities that no earlier run on this store has given.
  let mint: TouchIDMint
  private let file: StoreFile
  private let thread: StorageThread
  private let calendar: @Sendable (WallTime) -> Day
  private var houseKeeping: StorageThread.Command
  /// When house is to be kept, on `CLOCK_BOOTTIME`, though nobody touches anything: some minutes after the start,
  /// when a clock without a battery is right, and then once a day.
  private(set) var nextDeadline = Timestamp(microseconds: Clocks.boottime) + 11 * 60 * 1_000_000

  var path: String { file.path }

  /// Opens the store, closes what a dead daemon left open, and starts the thread.
  /// - Parameter movesDamagedAside: whether a damaged store gives way to a new one; it is refused otherwise.
  init(
    _ configuration: Configuration.Store, movesDamagedAside: Bool, log: Log
  ) throws(DaemonError) {
    var options = StoreOptions(migrating: { former, new in
      log.info(.store, "the store is of version \(former): bringing it to version \(new)")
      Supervisor.startTakesLong("bringing the store to version \(new)")
    })
    options.copied = { path in
      log.info(.store, "the store as it was is kept as \(path.printable(limit: 1000))")
    }
    calendar = options.calendar
    let file = try StoreFile(configuration.path, options: options, log: log)
    self.file = file
    let successor: StorageThread.Successor = { session throws(StoreError) in
      try file.replace(after: session)
    }
    let trouble = StoreTrouble(log)
    houseKeeping = Self.houseKeeping(configuration)
    do throws(StoreError) {
      let opened = try file.open(movesDamagedAside: movesDamagedAside)
      let start = opened.start
      Self.tell(start.closed, log)
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

  private static func tell(_ closed: Store.Closed, _ log: Log) {
    guard closed.sessions > 0 else { return }
    let sessions = "\(closed.sessions) session\(closed.sessions == 1 ? "" : "s")"
    log.warning(.daemon, "\(sessions) of an earlier run had not been ended: closed now")
    for session in closed.damaged {
      log.error(
        .store, "session \(session): a checkpoint of it cannot be read, so it ends before that")
    }
  }

  func store(_ record: SessionRecord) {
    thread.submit(.write(record))
    if record.end != nil { thread.submit(houseKeeping) }
  }

  /// Keeps house where that is due.
  func advance(to moment: Moment) {
    guard moment.boottime >= nextDeadline else { return }
    nextDeadline = moment.boottime + 24 * 3_600 * 1_000_000
    thread.submit(houseKeeping)
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

  /// Forgets what was stored until now, and then keeps house.
  /// - Parameter limit: only sessions with numbers below this.
  /// - Returns: false where the daemon is stopping.
  func forget(
    _ what: Forgetting, below limit: Int64,
    done: @escaping @Sendable (Result<Forgotten, StoreError>) -> Void
  ) -> Bool {
    thread.submit(.forget(what, below: limit, done: done)) && thread.submit(houseKeeping)
  }

  var health: StorageThread.Health { thread.health }

  /// The damaged store that was moved aside since the start.
  var movedAside: String? { file.movedAside }

  /// Writes what waits.
  func finish() throws(DaemonError) {
    if let error = thread.finish() { throw .store(error) }
  }
}
