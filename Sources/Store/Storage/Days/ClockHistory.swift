public import TouchModel

/// The state of the clocks during housekeeping.
public struct ClockReading: Hashable, Sendable {
  /// The wall clock, which may be wrong.
  public var now: WallTime
  /// `CLOCK_BOOTTIME`: the time since the machine started.
  public var uptime: Timestamp
  /// `CLOCK_BOOTTIME` when this daemon started.
  public var start: Timestamp
}

/// The history of the wall clock, which determines how old a session is.
///
/// A clock may jump to 2099, and sessions that are then deleted for their age cannot be restored.
/// So the table `clock` records the wall clock together with the id of the last session at that
/// time. It gets one entry for each start of the machine and for each further 24 hours of uptime,
/// no matter how often the clock is set meanwhile. If the machine starts several times on one date,
/// as its clock shows it, only the last start counts. A session is as old as the first entry after
/// it; the session's own dates do not matter.
extension Store {
  /// The time after the daemon's start, in ms, during which the clock is not recorded. A clock
  /// without a battery is set from the network within this time.
  private static let settlingTime: Int64 = 10 * 60_000
  private static let hour: Int64 = 3_600_000
  private static let day = 24 * hour

  /// Records the wall clock, at most once per hour of uptime. Of the readings within the same 24
  /// hours of uptime, only the last is kept.
  /// - Returns: whether the entry is the first for these 24 hours or for this start of the machine.
  func record(_ reading: ClockReading) throws(StoreError) -> Bool {
    let start = reading.start.milliseconds
    guard reading.uptime.milliseconds - start >= Self.settlingTime else { return false }
    // Round down to a full hour of uptime. Housekeeping also runs when a session ends, and the
    // store must not record that moment.
    let since = reading.uptime.milliseconds
    let uptime = since < Self.hour ? Self.settlingTime : since - since % Self.hour
    let time = reading.now.milliseconds &- (since - uptime)
    return try transaction(.write, "recording the clock") { () throws(StoreError) in
      let run = try database.integer("SELECT ifnull(max(id), 0) FROM run")
      let last = try database.first(
        "SELECT id, run, uptime_ms FROM clock WHERE run NOT NULL ORDER BY id DESC LIMIT 1"
      ) { (id: $0.integer(0), run: $0.integer(1), uptime: min(max(0, $0.integer(2)), 1 << 60)) }
      var isNew = true
      if let last {
        // If this run of the daemon started at a smaller uptime than that of the last entry, the
        // machine was restarted.
        if last.run != run, start < last.uptime {
          try database.run(
            """
            UPDATE clock SET run = NULL
            WHERE uptime_ms < ?1 AND (time - uptime_ms) / ?1 = (?2 - ?3) / ?1
            """, [.integer(Self.day), .integer(time), .integer(uptime)])
        } else if uptime / Self.day == last.uptime / Self.day {
          guard uptime > last.uptime else { return false }
          isNew = false
          try database.run("DELETE FROM clock WHERE id = ?1", [.integer(last.id)])
        }
      } else {
        try noteDates()
      }
      try database.run(
        """
        INSERT INTO clock (run, uptime_ms, time, session)
        SELECT ?1, ?2, ?3, ifnull(max(id), 0) FROM session
        """, [.integer(run), .integer(uptime), .integer(time)])
      return isNew
    }
  }

  /// Adds an entry for each day that has sessions, dated by the last session that began on it. Used
  /// before the first reading is recorded.
  private func noteDates() throws(StoreError) {
    try database.run(
      """
      INSERT INTO clock (time, session)
      SELECT max(began) / ?1 * ?1, max(id) FROM session GROUP BY day ORDER BY max(id)
      """, [.integer(Self.hour)])
  }

  /// Adds an entry for the sessions that came after the last entry of the previous run. The entry
  /// has the date of the last of these sessions. Without it, they would get the date of the next
  /// entry, which may be much later if the machine was off. Call before a run begins.
  func addLastSessionsToClockHistory() throws(StoreError) {
    try database.run(
      """
      INSERT INTO clock (time, session)
      SELECT last_active / ?1 * ?1, id FROM session WHERE id > (
        SELECT session FROM clock WHERE run = (SELECT ifnull(max(id), 0) FROM run) ORDER BY id DESC LIMIT 1)
      ORDER BY id DESC LIMIT 1
      """, [.integer(Self.hour)])
  }

  /// The current time according to the clock history. The age of sessions is measured from it.
  ///
  /// Each reading of the clock that has not been superseded (`run` is not NULL) implies a current
  /// time: its wall clock time, plus the time that the machine has certainly run since. The result
  /// is the third latest of the times that the last five of these entries imply. As long as the
  /// clock was right in three of any five of them, the result is not ahead of the true time, even
  /// if the clock is wrong at the moment. Sessions from days on which the clock was behind may
  /// still be deleted too early, because their own entries make them look old (`lastOld`).
  /// - Returns: nil if there are fewer than three such entries.
  func believedTime(at reading: ClockReading) throws(StoreError) -> WallTime? {
    let uptime = reading.uptime.milliseconds
    var times: [Int64] = []
    try database.each(
      "SELECT time, uptime_ms FROM clock WHERE run NOT NULL ORDER BY id DESC LIMIT 5"
    ) { row in
      let (time, then) = (row.integer(0), row.integer(1))
      // For an earlier start of the machine, at least this much time has passed.
      let (now, overflows) = time.addingReportingOverflow(max(0, uptime - max(0, then)))
      times.append(overflows ? .max : now)
    }
    guard times.count >= 3 else { return nil }
    return WallTime(milliseconds: times.sorted(by: >)[2])
  }

  /// Returns the id of the last session that is older than `keepSessions`; 0 if there is none. An
  /// entry after a young entry counts as young, even if the clock showed 1970 then. An entry before
  /// an old entry counts as old, even if the clock showed 2099 then.
  func lastOld(_ keepSessions: Duration, at reading: ClockReading) throws(StoreError) -> Int64 {
    guard let now = try believedTime(at: reading) else { return 0 }
    // Entries are rounded down to the hour, so require one more hour.
    let (age, _) = keepSessions.milliseconds.addingReportingOverflow(Self.hour)
    let (cut, overflows) = now.milliseconds.subtractingReportingOverflow(age)
    return try database.integer(
      """
      SELECT ifnull(max(session), 0) FROM clock WHERE time < ?1 AND id < ifnull(
        (SELECT min(id) FROM clock WHERE time BETWEEN ?1 AND ?2), 9223372036854775807)
      """, [.integer(overflows ? .min : cut), .integer(now.milliseconds)])
  }

  /// Deletes the entries that date no session, except the last five recorded ones, which
  /// `believedTime` needs. Makes the other entries refer to sessions that exist. Call it within a
  /// transaction.
  func pruneClockHistory() throws(StoreError) {
    try database.run(
      """
      DELETE FROM clock WHERE run IS NULL AND session NOT IN (SELECT id FROM session)
        OR session < ifnull((SELECT min(id) FROM session), session + 1)
        AND id NOT IN (SELECT id FROM clock WHERE run NOT NULL ORDER BY id DESC LIMIT 5)
      """, [])
    try database.run(
      """
      UPDATE clock SET session = ifnull(
        (SELECT id FROM session WHERE id <= clock.session ORDER BY id DESC LIMIT 1), 0)
      WHERE session > 0 AND session NOT IN (SELECT id FROM session)
      """, [])
  }
}

extension Timestamp {
  fileprivate var milliseconds: Int64 { microseconds / 1000 }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1000)
    if overflows { return seconds < 0 ? .min : .max }
    let rest = attoseconds / 1_000_000_000_000_000
    let (total, overflowsToo) = milliseconds.addingReportingOverflow(rest)
    return overflowsToo ? milliseconds : total
  }
}
