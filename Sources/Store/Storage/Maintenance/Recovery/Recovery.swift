internal import Glibc
internal import TouchModel

/// Makes a new store from the readable parts of a damaged one.
public enum Recovery {
  /// Recovers a damaged store into a new one.
  /// - Parameters:
  ///   - damaged: the damaged store. It is only read, with the `-wal` file beside it if there is
  ///     one.
  ///   - new: the path of the new store; the file must be empty or missing.
  ///   - progress: called on this thread.
  /// - Throws: `.cannotOpen`; `.otherVersion`; `.notOurs` if the file contains no session and no day; the
  ///   errors of writing the new store.
  public static func run(
    _ damaged: String, into new: String, options: StoreOptions = StoreOptions(),
    _ progress: @escaping (MaintenanceProgress) -> Void = { _ in }
  ) throws(StoreError) -> RecoveryReport {
    let file = try PageFile(damaged)
    try refuseOtherVersion(file, damaged)
    let store = try Store(path: new, options: options)
    // Commits need not reach the disk: the caller gives the file its final name once it is
    // complete.
    try store.database.execute("PRAGMA synchronous = OFF")
    try store.database.execute("PRAGMA foreign_keys = OFF")
    try store.database.execute("PRAGMA temp_store = FILE")
    var report = RecoveryReport()
    report.pages = file.pageCount
    let importer = try RecoveryImporter(store)
    progress(.begins(file.pageCount, "pages"))
    var salvage = Salvage(file, advance: { progress(.advances) }) {
      table, columns, row throws(StoreError) in try importer.importRow(table, columns, row: row)
    }
    try salvage.run()
    try importer.finish()
    guard importer.found > 0 else {
      throw StoreError(
        .notOurs, message: "no session and no day of a Touchgrid store can be read in the file",
        path: damaged)
    }
    let losses = salvage.losses.merging(importer.losses, uniquingKeysWith: +)
    report.damagedSpots = losses.values.reduce(0, +)
    var sifting = RecoveryFilter(store, losses: losses, progress)
    try sifting.run(&report)
    try importer.restoreSequences()
    try store.noteRecovery(at: WallTime(milliseconds: Int64(time(nil)) * 1000))
    try store.database.execute("PRAGMA foreign_keys = ON")
    report.cutShort = try store.applyCheckpoints()
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return report
  }

  /// Throws `.otherVersion` if the header has another version and the schema contains statements that
  /// this version of Touchgrid does not know. The version number alone proves nothing, because it may
  /// be damaged.
  private static func refuseOtherVersion(_ file: PageFile, _ path: String) throws(StoreError) {
    guard let head = file.page(1), head.starts(with: Array("SQLite format 3\0".utf8)),
      head.number(at: 68, 4) == Int(Schema.applicationID)
    else { return }
    let version = head.number(at: 60, 4)
    guard version != Schema.version, version < 1000 else { return }
    let known = Set(Schema.statements.map { Schema.bare($0) })
    var strange = 0
    for (_, page) in file.schemaPages() {
      for cell in page.cells where page.kind.isLeaf {
        guard let row = file.row(page, cell), row.values.count == 5,
          case .text(let statement) = row.values[4], statement.hasPrefix("CREATE")
        else { continue }
        // SQLite creates this table itself.
        if !known.contains(Schema.bare(statement)),
          !statement.hasPrefix("CREATE TABLE sqlite_sequence")
        {
          strange += 1
        }
      }
    }
    if strange > 0 { throw .otherVersion(Int64(version), path) }
  }
}
