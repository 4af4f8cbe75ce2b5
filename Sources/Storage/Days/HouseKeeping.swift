extension Store {
  /// Does all that is due from day to day: adds up what is over, drops what is old or too much, and then the lists that
  /// nothing refers to any more.
  ///
  /// - Parameters:
  ///   - keepSessions: how long sessions are kept; nil for ever.
  ///   - isKept: house was kept on this day. Then only the size is looked at, unless the clock has a new word.
  /// - Throws: the first error, after all else has been tried; at once where the file is damaged: sums that are
  ///   lost are made anew from the sessions.
  public func keepHouse(
    keepSessions: Duration?, maxSize: Int64?, isKept: Bool = false, at reading: ClockReading
  ) throws(StoreError) {
    // Of many a day and session it was needed once.
    defer { database.releaseMemory() }
    var failure: StoreError?
    var isNew = true
    var last: Int64 = 0
    do throws(StoreError) {
      isNew = try note(reading)
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
    // Also after a failure: a day that cannot be rolled up keeps its own sessions only.
    try retain(through: last, maxSize: maxSize)
    try removeUnusedLists(begins: true)
    try database.transaction(.write) { () throws(StoreError) in try tidyNotes() }
    if let failure { throw failure }
  }
}
