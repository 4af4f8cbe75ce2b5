internal import CSQLite
internal import Glibc
public import TouchModel

/// The sessions, their grids and the sums of past days, in one SQLite database.
///
/// Used from one thread at a time. One process writes; any number read meanwhile.
public final class Store {
  let database: Database
  let options: StoreOptions
  /// The file that is written to; nil where it is only read.
  let opened: FileIdentity?
  /// The sessions that were written and run, by their ids.
  var running: [Int64: RunningSession] = [:]
  /// The search for unused lists that is under way.
  var unusedLists: UnusedLists?
  /// Stops questions where it is asked to.
  private(set) var interruption: Interruption?

  public var path: String { database.path }

  /// Opens the store for writing, and creates it where there is no file or an empty one. A store of an
  /// earlier version becomes one of this.
  ///
  /// - Throws: `.notADatabase`, `.notOurs` or `.newer` for a file that is no store of this version; such a file stays as
  ///   it is, and nothing is made beside it.
  public init(path: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    database = try doing("opening the store") { () throws(StoreError) -> Database in
      try Opening.writing(path, options)
    }
    opened = try? FileIdentity.at(path).get()
    self.options = options
    do throws(StoreError) {
      try Migration.run(self)
      try doing("opening the store") { () throws(StoreError) in
        for table in Schema.laterTables { try database.execute(table.statementWhereMissing) }
      }
    } catch {
      if error.isDamagedFile { leaveLog() }
      throw error
    }
  }

  /// Opens the store for questions only, while a daemon writes or without one.
  ///
  /// Where SQLite's auxiliary files cannot be made (a read-only disk), the database file is read on
  /// its own, unless changes wait in a `-wal` file next to it.
  /// - Throws: `.cannotOpen` where nothing is there, and what `init(path:options:)` throws.
  public init(reading path: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    database = try doing("opening the store for reading") { () throws(StoreError) -> Database in
      try Opening.reading(path, options)
    }
    opened = nil
    self.options = options
  }

  /// Opens a connection for questions beside the one that writes, in the same process.
  ///
  /// Unlike `init(reading:options:)` it never reads the database file on its own: it changes meanwhile.
  init(besideWriterOf path: String, options: StoreOptions) throws(StoreError) {
    database = try doing("opening the store for a question") { () throws(StoreError) -> Database in
      try Opening.reading(path, name: path, flags: SQLITE_OPEN_READONLY, options)
    }
    opened = nil
    self.options = options
  }

  /// From now on questions fail with `.interrupted` while the wish stands.
  func stop(by interruption: Interruption) {
    self.interruption = interruption
    interruption.stop(database)
  }

  /// The id for the next session: above every one ever written, those dropped since included.
  public var nextSessionID: Int64 {
    get throws(StoreError) {
      let last = try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'session'")
      // JSON's numbers hold no more, and nobody has begun as many.
      guard last < 1 << 53 else { throw database.damaged("session: the ids are used up") }
      return max(last, 0) + 1
    }
  }

  /// Notes that a daemon has started.
  /// - Returns: the run's number: positive, rising, never given again by this store.
  public func beginRun(at time: WallTime) throws(StoreError) -> Int64 {
    try doing("noting the start") { () throws(StoreError) in
      try database.transaction(.write) { () throws(StoreError) in
        try noteLastSessions()
        try database.run("DELETE FROM run", [])
        try database.run("INSERT INTO run (began) VALUES (?1)", [.integer(time.milliseconds)])
        return try database.integer("SELECT max(id) FROM run")
      }
    }
  }

  /// Bytes of the database and the files beside it.
  var size: Int64 {
    ["", "-wal", "-shm"].reduce(0) { $0 + Self.bytes(of: path + $1) }
  }

  /// The day to which a session belongs that begins then.
  public func day(of time: WallTime) -> Day { options.calendar(time) }
}
