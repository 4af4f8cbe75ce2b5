internal import CSQLite
internal import Glibc
public import TouchModel

/// A store: the sessions, their grids and the sums of past days, in one SQLite database.
///
/// Used from one thread at a time. One process writes; any number of processes may read meanwhile.
public final class Store {
  let database: Database
  let options: StoreOptions
  /// The identity of the file that is open for writing; nil for a read-only store, and if the file
  /// could not be examined.
  let opened: FileIdentity?
  /// The running sessions that this store has written, by session id.
  var running: [Int64: RunningSession] = [:]
  /// The search in progress for lists (of geometries, placements and masks) that no session or day
  /// uses; nil if there is none.
  var unusedLists: UnusedRowSearch?
  /// The request that makes queries fail with `.interrupted`; nil if queries cannot be stopped.
  private(set) var interruption: QueryCancellation?

  public var path: String { database.path }

  /// Opens the store for writing. Creates it if the file is missing or empty.
  ///
  /// - Throws: `.notADatabase`, `.notOurs` or `.otherVersion` if the file is not a store that this
  ///   program can open. The file is then unchanged, and no other file was created beside it.
  public init(path: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    database = try during("opening the store") { () throws(StoreError) -> Database in
      try Opening.writing(path, options)
    }
    opened = try? FileIdentity.at(path).get()
    self.options = options
  }

  /// Opens the store for queries only. A daemon may write to it meanwhile.
  ///
  /// If SQLite cannot create its auxiliary files (on a read-only disk), the database file is read
  /// without its WAL. That fails if the `-wal` file beside it holds changes.
  /// - Throws: `.cannotOpen` if the file does not exist, and the errors of `init(path:options:)`.
  public init(reading path: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    database = try during("opening the store for reading") { () throws(StoreError) -> Database in
      try Opening.reading(path, options)
    }
    opened = nil
    self.options = options
  }

  /// Opens a connection for queries, beside the connection of this process that writes.
  ///
  /// Unlike `init(reading:options:)`, it never reads the database file without its WAL, because the
  /// writer may change the file during a query.
  init(besideWriterOf path: String, options: StoreOptions) throws(StoreError) {
    database = try during("opening the store for a query") { () throws(StoreError) -> Database in
      try Opening.reading(path, name: path, flags: SQLITE_OPEN_READONLY, options)
    }
    opened = nil
    self.options = options
  }

  /// Makes queries fail with `.interrupted` from now on, while the interruption is requested.
  func stop(by interruption: QueryCancellation) {
    self.interruption = interruption
    interruption.stop(database)
  }

  /// The id for the next session: greater than every id ever written, including those of deleted
  /// sessions.
  public var nextSessionID: Int64 {
    get throws(StoreError) {
      let last = try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'session'")
      // JSON numbers are exact up to 2^53. No kiosk begins that many sessions, so a greater id is
      // damage.
      guard last < 1 << 53 else { throw database.damaged("session: no ids are left") }
      return max(last, 0) + 1
    }
  }

  /// Records that a daemon has started.
  /// - Returns: the number of the run: positive, increasing, never reused by this store.
  public func beginRun(at time: WallTime) throws(StoreError) -> Int64 {
    try transaction(.write, "recording the start") { () throws(StoreError) in
      try addLastSessionsToClockHistory()
      try database.run("DELETE FROM run", [])
      try database.run("INSERT INTO run (began) VALUES (?1)", [.integer(time.milliseconds)])
      let run = try database.integer("SELECT max(id) FROM run")
      try noteStart(run: run, at: time)
      return run
    }
  }

  /// Runs `body` in a transaction, and adds the activity to its errors. In a read transaction, all
  /// data come from one snapshot; otherwise a day that is rolled up meanwhile would count twice or
  /// not at all.
  func transaction<Result>(
    _ lock: Database.Lock, _ activity: @autoclosure () -> String,
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try during(activity()) { () throws(StoreError) in try database.transaction(lock, body) }
  }

  /// The size of the database and of the files beside it, in bytes.
  var size: Int64 {
    ["", "-wal", "-shm"].reduce(0) { $0 + Self.bytes(of: path + $1) }
  }

  /// The day that a session belongs to if it begins at `time`.
  public func day(of time: WallTime) -> Day { Day(time, by: options.clock()) }
}
