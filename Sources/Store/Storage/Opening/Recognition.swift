internal import CSQLite
internal import Glibc
internal import TouchModel

/// Distinguishes stores from other files by their bytes, before SQLite opens them. As soon as
/// SQLite reads another program's database, it may write into that file and beside it.
enum Recognition {
  /// The page size of every store, in bytes.
  private static let pageSize = 4096
  /// The maximum number of pages that are searched for rows of a store: 16 MiB.
  private static let pageLimit = 4096

  /// Refuses files that are not stores. Accepts a missing or empty file, which may become a store,
  /// if no WAL lies beside it. Also accepts a file that cannot be read: SQLite then reports why.
  /// - Parameter opens: whether the store will be opened, for which it must have this version.
  /// - Throws: `.damaged` for a store that cannot be opened; `.notADatabase` or `.notOurs` for a
  ///   file that never was a store; `.otherVersion`; `.cannotOpen` if the path cannot be examined.
  static func check(_ path: String, opens: Bool = true) throws(StoreError) {
    let size = try Opening.fileSize(path) ?? 0
    guard size > 0 else { return try checkLog(of: path) }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    guard let head = PageFile.read(file, at: 0, 100) else { return }
    // 512 bytes: the smallest page of a database.
    if size >= 512, isDatabase(head) {
      guard isOurs(head) else {
        throw StoreError(
          .notOurs,
          message: "not a Touchgrid store but another SQLite database (application_id "
            + "\(head.number(at: 68, 4)), not \(Schema.applicationID))",
          path: path)
      }
      if opens { try checkVersion(head, path) }
      return
    }
    let log = WriteAheadLog(Store.resolved(path) + "-wal")
    // SQLite reads page 1 from the WAL if it is there.
    if let first = log?.page(1), isDatabase(first), isOurs(first) { return }
    if head.allSatisfy({ $0 == 0 }), wasBegun(path) { return }
    guard log.map(isOfStore) ?? false || hasRows(file) else {
      throw StoreError(.notADatabase, message: "not a Touchgrid store", path: path)
    }
    throw StoreError(
      .damaged, sqliteCode: SQLITE_NOTADB, message: "the header of the file is damaged", path: path)
  }

  /// Refuses a store of another version before SQLite creates files beside it.
  private static func checkVersion(_ head: [UInt8], _ path: String) throws(StoreError) {
    let version = head.number(at: 60, 4)
    guard version != Schema.version else { return }
    // The WAL may have a later first page.
    if let first = WriteAheadLog(Store.resolved(path) + "-wal")?.page(1), isDatabase(first),
      isOurs(first), first.number(at: 60, 4) == Schema.version
    {
      return
    }
    throw .otherVersion(Int64(version), path)
  }

  /// Refuses an empty or missing file if a WAL lies beside it, because SQLite would delete the WAL.
  private static func checkLog(of path: String) throws(StoreError) {
    let log = Store.resolved(path) + "-wal"
    guard Store.bytes(of: log) > 0 else { return }
    let isOurs = WriteAheadLog(log).map(isOfStore) ?? false
    throw StoreError(
      isOurs ? .damaged : .notOurs,
      message: "the database is missing or empty, "
        + (isOurs ? "but its WAL exists: \(log)" : "and \(log) is not the WAL of a store"),
      path: path)
  }

  private static func isOfStore(_ log: WriteAheadLog) -> Bool {
    if let first = log.page(1), isDatabase(first) { return isOurs(first) }
    return log.pages.prefix(pageLimit).contains { number in
      log.page(number).map { hasRow($0, number) } ?? false
    }
  }

  // MARK: The header

  private static func isDatabase(_ head: [UInt8]) -> Bool {
    head.starts(with: Array("SQLite format 3\0".utf8))
  }

  private static func isOurs(_ head: [UInt8]) -> Bool {
    head.number(at: 68, 4) == Int(Schema.applicationID)
  }

  /// Whether the transaction that created the file was interrupted. Its journal then records a
  /// database without pages, and SQLite rolls back to that.
  private static func wasBegun(_ path: String) -> Bool {
    let file = unsafe open(
      Store.resolved(path) + "-journal", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    guard let head = PageFile.read(file, at: 0, 28) else { return false }
    return head.starts(with: [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
      && head.number(at: 16, 4) == 0 && head.number(at: 24, 4) == pageSize
  }

  // MARK: Rows

  private static func hasRows(_ file: Int32) -> Bool {
    for number in 1...pageLimit {
      guard let page = PageFile.read(file, at: (number - 1) * pageSize, pageSize) else { break }
      if hasRow(page, number) { return true }
    }
    return false
  }

  /// Whether a page contains a row of a store. Rows that might also be in another program's
  /// database do not count.
  private static func hasRow(_ bytes: [UInt8], _ number: Int) -> Bool {
    guard let page = TreePage(bytes, number: number, usable: bytes.count), page.kind.isLeaf else {
      return false
    }
    return page.cells.contains { cell in
      page.row(cell).map { isOurs($0, inTable: page.kind.isTable) } ?? false
    }
  }

  private static func isOurs(_ row: RawRow, inTable: Bool) -> Bool {
    if row.values.count == 5, case .text(let statement) = row.values[4] {
      return statements.contains(Schema.bare(statement))
    }
    func fits(_ table: SalvagedTable) -> Bool {
      table.hasRowIDs == inTable && table.columns(row) != nil
    }
    if fits(.session), case .text(let day) = row.values[1] { return Day(day) != nil }
    if fits(.checkpoint), case .blob(let changes) = row.values[2] {
      return changes.first == Checkpoint.format && Checkpoint.isSealed(changes)
    }
    if [.grid, .gridIndex, .daily, .dailyIndex].contains(where: fits),
      case .text(let layer) = row.values[4]
    {
      return Layer(rawValue: layer) != nil
    }
    return false
  }

  /// The statements that create the tables, without white space.
  private static let statements = Set(Schema.statements.map { Schema.bare($0) })
}

extension TreePage {
  /// Returns the row in a cell of a leaf page; nil if the page does not contain the whole row.
  fileprivate func row(_ cell: Int) -> RawRow? {
    var place = cell
    guard let length = bytes.varint(&place), (1...Int64(bytes.count)).contains(length) else {
      return nil
    }
    var id: Int64 = 0
    if kind == .leafTable {
      guard let number = bytes.varint(&place) else { return nil }
      id = number
    }
    let end = place + Int(length)
    guard end <= bytes.count, let values = RawRecord.values(Array(bytes[place..<end])) else {
      return nil
    }
    return RawRow(id: id, values: values)
  }
}

extension Store {
  /// Refuses a file that is not a store and never was one. Changes nothing, and creates no files.
  /// - Throws: `.notADatabase` or `.notOurs`; `.cannotOpen` if the path cannot be examined.
  public static func checkIsStore(at path: String) throws(StoreError) {
    try during("opening the store") { () throws(StoreError) in
      guard try Opening.fileSize(path) ?? 0 > 0 else { return }
      do throws(StoreError) { try Recognition.check(path, opens: false) } catch {
        guard error.code == .damaged else { throw error }
      }
    }
  }
}
