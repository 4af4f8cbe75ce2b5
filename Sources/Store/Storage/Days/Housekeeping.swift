extension Store {
  /// Does the daily housekeeping: rolls up the days that have ended, deletes sessions that are too
  /// old or exceed the size limit, and removes geometries and lists of placements and masks that
  /// are no longer used.
  ///
  /// - Parameters:
  ///   - keepSessions: how long sessions are kept; nil keeps them forever.
  ///   - maxSize: the size limit of the database, in bytes; nil for no limit.
  ///   - isKept: whether housekeeping was already done today. It then only enforces the size limit
  ///     and continues a search for unused lists, unless the clock history gets a new entry.
  /// - Throws: an error of the clock history or the roll-up, after the other steps were tried; an
  ///   error of another step immediately. If the file is damaged, throws before any session is
  ///   deleted, because lost sums can only be computed again from the sessions.
  public func doHousekeeping(
    keepSessions: Duration?, maxSize: Int64?, isKept: Bool = false, at reading: ClockReading
  ) throws(StoreError) {
    // Rolling up many days and sessions needs memory that is then no longer used.
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
    // Do this even after a failure: `retain` deletes only sessions that are rolled up, so the
    // sessions of a failed day are kept.
    try retain(through: last, maxSize: maxSize)
    try removeUnusedLists(begins: true)
    try database.transaction(.write) { () throws(StoreError) in try pruneClockHistory() }
    if let failure { throw failure }
  }
}
