extension Store {
  /// Leaves nothing in the database's file and its log but what is stored.
  /// - Throws: `.busy` where another connection keeps the log.
  func erase() throws(StoreError) {
    try doing("erasing what was forgotten") { () throws(StoreError) in
      try giveBack()
      let isBusy = try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0
      guard !isBusy else {
        throw StoreError(
          .busy,
          message: """
            the sessions are forgotten, but another program reads the database, and its log \
            (\(path)-wal) still holds what they were; once it has ended, forget again
            """,
          path: path)
      }
    }
  }
}
