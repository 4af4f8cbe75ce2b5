internal import CSQLite
internal import Glibc
internal import TouchModel

/// Tells a store from any other file, by its bytes: before SQLite opens it. SQLite may write beside another program's
/// database, and into it, as soon as it is read.
enum Recognition {
  /// Of every store.
  private static let pageSize = 4096
  /// Pages of a file that are looked at for rows of a store: 16 MiB.
  private static let pageLimit = 4096

  /// An empty file may become a store, where no log lies beside it.
  /// - Throws: `.damaged` for a store that cannot be opened; `.notADatabase` and `.notOurs` for a file that never was
  ///   one. Not for a file that cannot be read.
  static func check(_ path: String) throws(StoreError) {
    let size = try Opening.fileSize(path) ?? 0
    guard size > 0 else { return try checkLog(of: path) }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    guard let head = PageFile.read(file, at: 0, 100) else { return }
    // The smallest page that a database may have.
    if size >= 512, isDatabase(head) {
      guard isOurs(head) else {
        throw StoreError(
          .notOurs,
          message: "a database, but no store of Touchgrid (application_id "
            + "\(head.number(at: 68, 4)), not \(Schema.applicationID))",
          path: path)
      }
      return
    }
    let log = WriteAheadLog(Store.resolved(path) + "-wal")
    // SQLite then takes its first page from there.
    if let first = log?.page(1), isDatabase(first), isOurs(first) { return }
    if head.allSatisfy({ $0 == 0 }), wasBegun(path) { return }
    guard log.map(isOfStore) ?? false || hasRows(file) else {
      throw StoreError(.notADatabase, message: "this is not a store of Touchgrid", path: path)
    }
    throw StoreError(
      .damaged, sqliteCode: SQLITE_NOTADB, message: "the header of the file is damaged", path: path)
  }

  /// SQLite would delete a log that lies beside an empty file.
  private static func checkLog(of path: String) throws(StoreError) {
    let log = Store.resolved(path) + "-wal"
    guard Store.bytes(of: log) > 0 else { return }
    let isOurs = WriteAheadLog(log).map(isOfStore) ?? false
    throw StoreError(
      isOurs ? .damaged : .notOurs,
      message: "the database is gone or empty, and "
        + (isOurs ? "its log is still there: \(log)" : "\(log) is no log of a store"),
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

  /// Whether the transaction that made the file was cut off: its journal begins with a database of no page, to which
  /// SQLite goes back.
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

  /// Whether a row of a store lies on a page. Rows that other programs' databases might have as well do not count.
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

  /// The statements that made the tables of any version, without white space.
  private static let statements = Set(
    (Schema.statements(of: 1) + Schema.statements + Schema.laterTables.map(\.statement)).map {
      Schema.bare($0)
    })
}

extension TreePage {
  /// A row of a leaf page; nil where there is none that lies in the page whole.
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
  /// Refuses a file that is no store and never was one. Changes nothing, and makes nothing beside it.
  /// - Throws: `.notADatabase` or `.notOurs`.
  public static func refuseOthers(at path: String) throws(StoreError) {
    try doing("opening the store") { () throws(StoreError) in
      guard try Opening.fileSize(path) ?? 0 > 0 else { return }
      do throws(StoreError) { try Recognition.check(path) } catch {
        guard error.code == .damaged else { throw error }
      }
    }
  }
}
