extension Store {
  /// Does the daily housekeeping: rolls up the days that are over, deletes sessions that are too
  /// old or exceed the size limit, and removes the lists that are no longer used.
  ///
  /// - Parameters:
  ///   - keepSessions: how long sessions are kept; nil for ever.
  ///   - maxSize: the size limit of the database, in bytes; nil for no limit.
  ///   - isKept: whether housekeeping was done today. Then only the size is checked, unless the
  ///     clock history gets a new entry.
  /// - Throws: the first error, after everything else was tried. If the file is damaged, throws at
  ///   once, because lost sums are computed again from the sessions.
  public func doHousekeeping(
    keepSessions: Duration?, maxSize: Int64?, isKept: Bool = false, at reading: ClockReading
  ) throws(StoreError) {
    // Rolling up many days and sessions needs memory that is not needed afterwards.
    defer { database.releaseMemory() }
    var failure: StoreError?
    var isNew = true
    var last: Int64 = 0
    do throws(StoreError) {
      isNew = try record(reading)
      if isNew || !isKept, let keepSessions { last = try lastOld(keepSessions, at: reading) }
    } catch {
      if error.isDamagedFile { throw error }
      failure = error
    }
    if isKept && !isNew {
      try retain(through: 0, maxSize: maxSize)
      try removeUnusedLists(begins: false)
      if let failure { throw failure }
      return
    }
    do throws(StoreError) {
      try rollUp(today: day(of: reading.now), through: last)
    } catch {
      if error.isDamagedFile { throw error }
      failure = failure ?? error
    }
    // Also after a failure: only the sessions of a day that cannot be rolled up are kept.
    try retain(through: last, maxSize: maxSize)
    try removeUnusedLists(begins: true)
    try database.transaction(.write) { () throws(StoreError) in try pruneClockHistory() }
    if let failure { throw failure }
  }
}
