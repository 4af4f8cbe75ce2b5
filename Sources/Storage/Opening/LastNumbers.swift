internal import CSQLite
internal import TouchModel

/// The numbers of a session and of a run that were given last: no later ones may be lower.
public struct LastNumbers: Hashable, Sendable {
  public var session: Int64
  public var run: Int64

  public init(session: Int64, run: Int64) {
    self.session = session
    self.run = run
  }

  /// Those of a store that may be damaged. Where they cannot be read, or its rows contradict them, sessions go on
  /// from the seconds since 1970, faster than which nobody begins any for long, and runs from the hours: a touch's
  /// identity holds the run's number, and must stay below 2^53.
  init(in path: String, at time: WallTime) {
    // 2025: there was no earlier store, whatever the clock says.
    let time = max(1_735_646_400_000, time.milliseconds)
    session = Self.last(of: "session", below: 1 << 40, in: path) ?? time / 1000
    run = Self.last(of: "run", below: 1 << 21, in: path) ?? min(time / 3_600_000, 1 << 21 - 1)
  }

  private static func last(of table: String, below limit: Int64, in path: String) -> Int64? {
    // SQLite would delete the log of an empty file, and of one with a single byte.
    guard Store.bytes(of: path) > 1 else { return nil }
    do throws(StoreError) {
      let database = try Database(path: path, name: path, flags: SQLITE_OPEN_READONLY)
      // Nothing is written to a damaged file.
      database.leaveLog(true)
      let last =
        try database.first(
          "SELECT seq FROM sqlite_sequence WHERE name = ?1", [.text(table)], { $0.integer(0) }) ?? 0
      let largest = try? database.integer("SELECT coalesce(max(id), 0) FROM \(table)")
      // Damage can look like a number, and a page can be one of long ago.
      return last >= max(0, largest ?? 0) && last < limit ? last : nil
    } catch { return nil }
  }
}
