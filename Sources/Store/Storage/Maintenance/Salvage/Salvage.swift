/// Reads all readable rows of a damaged database, page by page, each page once.
///
/// First it follows the trees from the roots that the schema names. That misses pages if a page of
/// a tree is unreadable or outdated. It then identifies the remaining pages by their rows, except
/// those that the pointer map lists as free, as overflow pages or as its own.
///
/// SQLite's own recovery, the command `.recover` of its shell, loses more (`Benchmarks/recovery`
/// compares them). Without the first page it recovers nothing, it does not name the tables of rows
/// that no tree leads to, and it reads no indexes. That of `grid` tells which grids a session had.
struct Salvage {
  /// Receives a row of a table: all columns, and the row id (0 if there is none).
  typealias Take = (SalvagedTable, [SQLValue], Int64) throws(StoreError) -> Void

  private static let depthLimit = 20

  let file: PageFile
  private var isRead: [Bool]
  /// The number of damaged places of each table: missing or unreadable pages, pages that its tree
  /// does not lead to, and damaged rows on other pages.
  private(set) var losses: [SalvagedTable: Int] = [:]
  /// Reports the progress of one page.
  private let advance: () -> Void
  private let take: Take

  init(_ file: PageFile, advance: @escaping () -> Void, take: @escaping Take) {
    self.file = file
    self.advance = advance
    self.take = take
    isRead = Array(repeating: false, count: file.pageCount + 1)
  }

  mutating func run() throws(StoreError) {
    let roots = roots()
    for table in SalvagedTable.allCases {
      if let root = roots[table] {
        try follow(root, of: table, depth: 0)
      } else if ![.mask, .maskIndex, .checkpoint].contains(table) {
        countLoss(table)
      }
    }
    for isTable in [false, true] {
      for number in isRead.indices.dropFirst(2) where !isRead[number] {
        switch file.use(of: number) {
        case .free, .firstOverflow, .overflow, .map: continue
        case .root, .tree, nil: try readUnlinkedPage(number, isTable: isTable)
        }
      }
    }
  }

  private mutating func countLoss(_ table: SalvagedTable) { losses[table, default: 0] += 1 }

  /// Returns the root page of each table that the schema names.
  private mutating func roots() -> [SalvagedTable: Int] {
    var roots: [SalvagedTable: Int] = [:]
    for (number, page) in file.schemaPages() {
      isRead[number] = true
      for cell in page.cells where page.kind.isLeaf {
        if let row = file.row(page, cell), row.values.count == 5,
          case .text(let name) = row.values[1], case .integer(let root) = row.values[3],
          let table = SalvagedTable(rawValue: name), root > 1, root <= file.pageCount
        {
          roots[table] = Int(root)
        }
      }
    }
    return roots
  }

  private mutating func follow(
    _ number: Int, of table: SalvagedTable, depth: Int
  ) throws(StoreError) {
    guard depth < Self.depthLimit, isRead.indices.contains(number), number > 1, !isRead[number],
      let page = file.tree(number), page.kind.isTable == table.hasRowIDs
    else { return countLoss(table) }
    isRead[number] = true
    advance()
    var fitting = 0
    var strange = 0
    for cell in page.cells {
      if !page.kind.isLeaf {
        try follow(page.bytes.number(at: cell, 4), of: table, depth: depth + 1)
      }
      guard page.kind != .interiorTable else { continue }
      if let row = file.row(page, cell), let columns = table.columns(row) {
        fitting += 1
        try take(table, columns, row.id)
      } else {
        strange += 1
        countLoss(table)
      }
    }
    if let last = page.lastChild { try follow(last, of: table, depth: depth + 1) }
    // A damaged page may have led here, so this page may belong to another table. Leave it to
    // `readUnlinkedPage`.
    if strange > 0, fitting == 0, page.kind.isLeaf { isRead[number] = false }
  }

  private mutating func readUnlinkedPage(_ number: Int, isTable: Bool) throws(StoreError) {
    if isTable { advance() }
    guard let page = file.tree(number), page.kind != .interiorTable, page.kind.isTable == isTable
    else { return }
    isRead[number] = true
    if !isTable { advance() }
    var found: Set<SalvagedTable> = []
    for cell in page.cells {
      guard let row = file.row(page, cell),
        let table = SalvagedTable.of(row, inTable: page.kind.isTable),
        let columns = table.columns(row)
      else { continue }
      found.insert(table)
      try take(table, columns, row.id)
    }
    // No tree led to this page, so a page above it is damaged or outdated.
    for table in found { countLoss(table) }
  }
}
