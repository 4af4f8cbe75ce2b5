import TouchModel

@testable import Storage

extension Store {
  /// Applies retention as `doHousekeeping` does, with a clock that was always right and a clock
  /// history that has an entry after each session.
  @discardableResult
  func retain(
    now: WallTime, keepSessions: Duration?, maxSize: Int64?
  ) throws(StoreError) -> RetentionReport {
    var last: Int64 = 0
    if let keepSessions {
      let cut = now.milliseconds - keepSessions.components.seconds * 1000
      last = try database.integer(
        """
        SELECT ifnull(max(id), 0) FROM session WHERE began < ?1 AND id < ifnull(
          (SELECT min(id) FROM session WHERE began BETWEEN ?1 AND ?2), 9223372036854775807)
        """, [.integer(cut), .integer(now.milliseconds)])
    }
    return try retain(through: last, maxSize: maxSize)
  }
}
