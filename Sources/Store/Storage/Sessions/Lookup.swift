internal import TouchModel

/// A cache of the geometries, placements, masks and subjects that rows refer to by id, for one query.
struct Lookup {
  private var geometries: [Int64: DisplayGeometry] = [:]
  private var placements: [Int64: [Placement]] = [:]
  private var masks: [Int64: [Rectangle]] = [:]
  var subjects: [Int64: KnownSubject] = [:]

  /// - Throws: `.damaged` if the row is missing or out of range.
  mutating func geometry(
    _ id: Int64, in database: borrowing Database
  ) throws(StoreError) -> DisplayGeometry {
    if let known = geometries[id] { return known }
    let sql = """
      SELECT pixel_width, pixel_height, scale, rotation, block_size, columns, rows
      FROM geometry WHERE id = ?1
      """
    let read = try database.first(sql, [.integer(id)]) { row -> DisplayGeometry? in
      guard let rotation = Rotation(rawValue: Int(clamping: row.integer(3))),
        let geometry = DisplayGeometry(
          pixelWidth: Int(clamping: row.integer(0)), pixelHeight: Int(clamping: row.integer(1)),
          scale: row.real(2),
          rotation: rotation, blockSize: Int(clamping: row.integer(4))),
        geometry.columns == Int(clamping: row.integer(5)),
        geometry.rows == Int(clamping: row.integer(6))
      else { return nil }
      return geometry
    }
    guard case .some(.some(let geometry)) = read else {
      throw database.damaged("the geometry number \(id) is missing or invalid")
    }
    geometries[id] = geometry
    return geometry
  }

  /// - Throws: `.damaged` if the row is missing or is not a list of placements.
  mutating func placements(
    _ id: Int64, in database: borrowing Database
  ) throws(StoreError) -> [Placement] {
    try Self.list(id, in: database, &placements)
  }

  /// Returns the masks that a column refers to; empty if the column is NULL.
  /// - Throws: `.damaged` if the row is missing or is not a list of rectangles.
  mutating func masks(
    _ row: borrowing Statement, _ column: Int32, in database: borrowing Database
  ) throws(StoreError) -> [Rectangle] {
    try row.isNull(column) ? [] : Self.list(row.integer(column), in: database, &masks)
  }

  private static func list<Element: StoredElement>(
    _ id: Int64, in database: borrowing Database, _ known: inout [Int64: [Element]]
  ) throws(StoreError) -> [Element] {
    if let list = known[id] { return list }
    let text = try database.first(
      "SELECT list FROM \(Element.table) WHERE id = ?1", [.integer(id)]
    ) { row throws(StoreError) in try row.text(0) }
    guard let list = text.flatMap({ Element.list($0) }) else {
      throw database.damaged("the \(Element.table) number \(id) is missing or invalid")
    }
    known[id] = list
    return list
  }

  /// Checks that a row of one of `UnusedRowSearch.tables` can be read.
  mutating func check(
    _ id: Int64, of table: String, _ kinds: CountKinds, in database: borrowing Database
  ) throws(StoreError) {
    switch table {
    case "geometry": _ = try geometry(id, in: database)
    case "placement": _ = try placements(id, in: database)
    case "subject": _ = try subject(id, kinds, in: database)
    default: _ = try Self.list(id, in: database, &masks)
    }
  }

  /// Returns the key in the columns `display`, `screen` and `geometry`, from `column` on.
  mutating func key(
    _ row: borrowing Statement, _ column: Int32, in database: borrowing Database
  ) throws(StoreError) -> GridKey {
    GridKey(
      display: try row.text(column), screen: try row.text(column + 1),
      geometry: try geometry(row.integer(column + 2), in: database))
  }
}

/// Finds the ids of geometries and of lists of placements and masks, and inserts those that are new. Equal ones share a row.
extension Database {
  /// - Returns: nil if the store does not have the geometry.
  func knownNumber(of geometry: DisplayGeometry) throws(StoreError) -> Int64? {
    try first(
      """
      SELECT id FROM geometry WHERE pixel_width = ?1 AND pixel_height = ?2 AND scale = ?3
        AND rotation = ?4 AND block_size = ?5
      """, values(of: geometry), keeping: true
    ) { $0.integer(0) }
  }

  private func values(of geometry: DisplayGeometry) -> [SQLValue] {
    [
      .integer(Int64(geometry.pixelWidth)), .integer(Int64(geometry.pixelHeight)),
      .real(geometry.scale), .integer(Int64(geometry.rotation.rawValue)),
      .integer(Int64(geometry.blockSize)),
    ]
  }

  func number(of geometry: DisplayGeometry) throws(StoreError) -> Int64 {
    if let id = try knownNumber(of: geometry) { return id }
    let id = try unusedID(
      for: "\(geometry.pixelWidth) \(geometry.pixelHeight) \(geometry.scale.bitPattern) "
        + "\(geometry.rotation.rawValue) \(geometry.blockSize)", in: "geometry")
    let columns: [SQLValue] = [
      .integer(Int64(geometry.columns)), .integer(Int64(geometry.rows)), .integer(id),
    ]
    try run(
      """
      INSERT INTO geometry (pixel_width, pixel_height, scale, rotation, block_size, columns, rows, id)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """, values(of: geometry) + columns)
    return id
  }

  /// - Returns: NULL if there are no masks.
  func number(of masks: [Rectangle]) throws(StoreError) -> SQLValue {
    masks.isEmpty ? .null : .integer(try number(ofList: masks))
  }

  func number<Element: StoredElement>(ofList elements: [Element]) throws(StoreError) -> Int64 {
    let list = Element.text(elements)
    let values: [SQLValue] = [.text(list)]
    let sql = "SELECT id FROM \(Element.table) WHERE list = ?1"
    if let id = try first(sql, values, keeping: true, { $0.integer(0) }) { return id }
    let id = try unusedID(for: list, in: Element.table)
    try run("INSERT INTO \(Element.table) (list, id) VALUES (?1, ?2)", values + [.integer(id)])
    return id
  }

  /// Returns an id for a new row. It depends on the content, not on earlier rows: the order would
  /// reveal which screen was used first, and therefore when a mask was touched.
  func unusedID(for content: String, in table: String) throws(StoreError) -> Int64 {
    // FNV-1a.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in content.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let (place, step) = (hash % Self.idLimit, 1 + (hash >> 32) % (Self.idLimit - 1))
    var id = place
    let sql = "SELECT 1 FROM \(table) WHERE id = ?1"
    while try first(sql, [.integer(Int64(id + 1))], keeping: true, { $0.integer(0) }) != nil {
      id = (id + step) % Self.idLimit
    }
    return Int64(id + 1)
  }

  /// The largest prime below 2^23, so that every step reaches every number. Up to 2^23, a number
  /// takes 3 bytes in each row that refers to it.
  private static var idLimit: UInt64 { 8_388_593 }

  /// Returns the columns `display`, `screen` and `geometry` of a key. Inserts the geometry if it is
  /// new.
  func values(of key: GridKey) throws(StoreError) -> [SQLValue] {
    [.text(key.display), .text(key.screen), .integer(try number(of: key.geometry))]
  }
}
