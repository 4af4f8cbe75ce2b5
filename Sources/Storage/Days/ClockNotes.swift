public import TouchModel

/// What the clocks say while house is kept.
public struct ClockReading: Hashable, Sendable {
  /// What the wall clock says, right or wrong.
  public var now: WallTime
  /// `CLOCK_BOOTTIME`: for how long the machine has run.
  public var uptime: Timestamp
  /// The same when this daemon began.
  public var start: Timestamp

  public init(now: WallTime, uptime: Timestamp, start: Timestamp) {
    self.now = now
    self.uptime = uptime
    self.start = start
  }
}

/// Clocks jump, and nothing brings back what one that jumped to 2099 has dropped. So what the clock says is noted,
/// with the last session until then: one note for each day that the machine runs and for each of its starts,
/// however often somebody sets the clock meanwhile. Starts on one day, right or wrong, have one voice. Sessions
/// are as old as the note that follows them; the dates that they bear themselves do not matter.
extension Store {
  /// A clock without a battery is set from the network soon after the start; what it says before is not noted.
  private static let settlingTime: Int64 = 10 * 60_000
  private static let hour: Int64 = 3_600_000
  private static let day = 24 * hour

  /// Notes what the clock says, once in an hour of running at the most. Of what it says in the course of a day
  /// the last word counts.
  /// - Returns: whether a day, or another start, has begun.
  func note(_ reading: ClockReading) throws(StoreError) -> Bool {
    let start = reading.start.milliseconds
    guard reading.uptime.milliseconds - start >= Self.settlingTime else { return false }
    // A full hour of running: house is kept when a session ends, and that moment is nobody's business here.
    let since = reading.uptime.milliseconds
    let uptime = since < Self.hour ? Self.settlingTime : since - since % Self.hour
    let time = reading.now.milliseconds &- (since - uptime)
    return try doing("noting the time") { () throws(StoreError) in
      try database.transaction(.write) { () throws(StoreError) in
        let run = try database.integer("SELECT ifnull(max(id), 0) FROM run")
        let last = try database.first(
          "SELECT id, run, uptime_ms FROM clock WHERE run NOT NULL ORDER BY id DESC LIMIT 1"
        ) { (id: $0.integer(0), run: $0.integer(1), uptime: min(max(0, $0.integer(2)), 1 << 60)) }
        var isNew = true
        if let last {
          // A later run of the daemon that began earlier is one on a machine that was started anew.
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
  }

  /// Sessions of before the first note are dated by themselves.
  private func noteDates() throws(StoreError) {
    try database.run(
      """
      INSERT INTO clock (time, session)
      SELECT max(began) / ?1 * ?1, max(id) FROM session GROUP BY day ORDER BY max(id)
      """, [.integer(Self.hour)])
  }

  /// Dates the sessions that came after the last note of the run before by the last of them: they would be as old
  /// as the next note, and so long may a machine be off. To be called before a run begins.
  func noteLastSessions() throws(StoreError) {
    try database.run(
      """
      INSERT INTO clock (time, session)
      SELECT last_active / ?1 * ?1, id FROM session WHERE id > (
        SELECT session FROM clock WHERE run = (SELECT ifnull(max(id), 0) FROM run) ORDER BY id DESC LIMIT 1)
      ORDER BY id DESC LIMIT 1
      """, [.integer(Self.hour)])
  }

  /// The time by which sessions are old.
  ///
  /// Each note says what time it is now: what it was then, and the time since that the machine is known to have
  /// run. Of what the last five say the third latest is believed: as long as the clock was right on three of any
  /// five, nothing is dropped too early, and it need not be right at this moment.
  /// - Returns: nil while there are fewer than three.
  func believedTime(at reading: ClockReading) throws(StoreError) -> WallTime? {
    let uptime = reading.uptime.milliseconds
    var times: [Int64] = []
    try database.each(
      "SELECT time, uptime_ms FROM clock WHERE run NOT NULL ORDER BY id DESC LIMIT 5"
    ) { row in
      let (time, then) = (row.integer(0), row.integer(1))
      // Of an earlier start of the machine at least as much has passed.
      let (now, overflows) = time.addingReportingOverflow(max(0, uptime - max(0, then)))
      times.append(overflows ? .max : now)
    }
    guard times.count >= 3 else { return nil }
    return WallTime(milliseconds: times.sorted(by: >)[2])
  }

  /// The last session that is old: what was noted after a note that is young is young, though the clock then
  /// stood in 1970, and what was noted before one that is old is old, though the clock then stood in 2099.
  /// - Returns: 0 where none is.
  func lastOld(_ keepSessions: Duration, at reading: ClockReading) throws(StoreError) -> Int64 {
    guard let now = try believedTime(at: reading) else { return 0 }
    // A note says the hour.
    let (age, _) = keepSessions.milliseconds.addingReportingOverflow(Self.hour)
    let (cut, overflows) = now.milliseconds.subtractingReportingOverflow(age)
    return try database.integer(
      """
      SELECT ifnull(max(session), 0) FROM clock WHERE time < ?1 AND id < ifnull(
        (SELECT min(id) FROM clock WHERE time BETWEEN ?1 AND ?2), 9223372036854775807)
      """, [.integer(overflows ? .min : cut), .integer(now.milliseconds)])
  }

  /// Lets go of notes that date nothing any more; the others do not name what is gone. To be called in
  /// a transaction.
  func tidyNotes() throws(StoreError) {
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
