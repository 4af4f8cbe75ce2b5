public import TouchModel

/// A start of a daemon that wrote to the store.
public struct DaemonStart: Hashable, Sendable {
  /// The number of the run.
  public var run: Int64
  /// The time at which it began. Together with `run`, it distinguishes the starts after the
  /// restoration of a backup from those that the backup lacks.
  public var began: WallTime
  /// The id of the first session that it could begin. All earlier sessions have smaller ids.
  public var firstSession: Int64

  public init(run: Int64, began: WallTime, firstSession: Int64) {
    self.run = run
    self.began = began
    self.firstSession = firstSession
  }
}

/// The starts of the daemon. `touchgrid export --fleet` compares them with those of its last run.
/// If they differ, a backup was restored, and ids of sessions may be used a second time.
extension Store {
  /// The number of starts that are kept.
  public static var keptStarts: Int { 1000 }

  /// Returns the last starts, oldest first. Empty for a store that no daemon has opened.
  public func starts() throws(StoreError) -> [DaemonStart] {
    try during("reading the starts of the daemon") { () throws(StoreError) in
      let ids = Int64(1)...1 << 53
      return try database.all(
        "SELECT run, began, first_session FROM start WHERE run > 0 ORDER BY run"
      ) { row throws(StoreError) in
        guard ids.contains(row.integer(0)), ids.contains(row.integer(2)) else {
          throw database.damaged("the start \(row.integer(0)) has an invalid number")
        }
        return DaemonStart(
          run: row.integer(0), began: WallTime(milliseconds: row.integer(1)),
          firstSession: row.integer(2))
      }
    }
  }

  /// Records a start. Call it within the transaction that begins the run.
  func noteStart(run: Int64, at time: WallTime) throws(StoreError) {
    try database.run(
      "INSERT OR REPLACE INTO start (run, began, first_session) VALUES (?1, ?2, ?3)",
      [.integer(run), .integer(time.milliseconds), .integer(try nextSessionID)])
    try database.run(
      "DELETE FROM start WHERE run BETWEEN 1 AND ?1", [.integer(run - Int64(Self.keptStarts))])
  }

  /// Returns the time at which this store was recovered from a damaged one; nil if it was not.
  public func recovered() throws(StoreError) -> WallTime? {
    try during("reading the starts of the daemon") { () throws(StoreError) in
      try database.first("SELECT began FROM start WHERE run = 0") {
        WallTime(milliseconds: $0.integer(0))
      }
    }
  }

  /// Records that this store was recovered from a damaged one, and may lack some of its days.
  func noteRecovery(at time: WallTime) throws(StoreError) {
    try database.run(
      "INSERT OR REPLACE INTO start (run, began, first_session) VALUES (0, ?1, ?2)",
      [.integer(time.milliseconds), .integer(try nextSessionID)])
  }
}
