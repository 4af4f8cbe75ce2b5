internal import CSQLite
internal import TouchModel

/// The ids of the last session and of the last run of the daemon. Later ids must be higher.
public struct LastIDs: Hashable, Sendable {
  public var session: Int64
  public var run: Int64

  public init(session: Int64, run: Int64) {
    self.session = session
    self.run = run
  }

  /// Reads the ids from a store that may be damaged. If they are unreadable, or if rows contradict
  /// them, session ids continue from the number of seconds since 1970, because no kiosk begins more
  /// than one session per second for long. Run ids continue from the number of hours since 1970: a
  /// touch's identity contains the id of the run, and must stay below 2^53.
  init(in path: String, at time: WallTime) {
    // 2025-01-01: no store is older, even if the clock shows an earlier date.
    let time = max(1_735_646_400_000, time.milliseconds)
    session = Self.last(of: "session", below: 1 << 40, in: path) ?? time / 1000
    run = Self.last(of: "run", below: 1 << 21, in: path) ?? min(time / 3_600_000, 1 << 21 - 1)
  }

  private static func last(of table: String, below limit: Int64, in path: String) -> Int64? {
    // SQLite would delete the WAL of an empty file, and of a file of a single byte.
    guard Store.bytes(of: path) > 1 else { return nil }
    do throws(StoreError) {
      let database = try Database(path: path, name: path, flags: SQLITE_OPEN_READONLY)
      // Nothing may be written to a damaged file.
      database.leaveWAL(true)
      let last =
        try database.first(
          "SELECT seq FROM sqlite_sequence WHERE name = ?1", [.text(table)], { $0.integer(0) }) ?? 0
      let largest = try? database.integer("SELECT coalesce(max(id), 0) FROM \(table)")
      // A damaged value may look like a number, and an outdated page may hold an earlier value.
      return last >= max(0, largest ?? 0) && last < limit ? last : nil
    } catch { return nil }
  }
}
