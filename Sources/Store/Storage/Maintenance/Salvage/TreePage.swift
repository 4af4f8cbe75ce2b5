/// A page of a B-tree, with the offsets of its cells.
struct TreePage {
  enum Kind: UInt8 {
    case interiorIndex = 2
    case interiorTable = 5
    case leafIndex = 10
    case leafTable = 13

    var isTable: Bool { self == .interiorTable || self == .leafTable }
    var isLeaf: Bool { self == .leafIndex || self == .leafTable }
  }

  let bytes: [UInt8]
  let kind: Kind
  /// The offsets of the cells, in the order of their keys.
  let cells: [Int]
  /// The page number of the child after the last cell; nil for a leaf.
  let lastChild: Int?

  /// - Returns: nil if the page does not belong to a B-tree.
  init?(_ bytes: [UInt8], number: Int, usable: Int) {
    // The first page begins with the header of the file.
    let start = number == 1 ? 100 : 0
    guard let kind = Kind(rawValue: bytes[start]) else { return nil }
    let first = start + (kind.isLeaf ? 8 : 12)
    let count = bytes.number(at: start + 3, 2)
    guard first + 2 * count <= usable else { return nil }
    self.bytes = bytes
    self.kind = kind
    // SQLite ignores the upper bits of a damaged pointer in the same way. The size of a page is a
    // power of two.
    cells = (0..<count).map { bytes.number(at: first + 2 * $0, 2) & (bytes.count - 1) }
    lastChild = kind.isLeaf ? nil : bytes.number(at: start + 8, 4)
  }
}

/// A row as stored in a cell.
struct RawRow {
  /// The row id; 0 in an index and in a table without row ids.
  var id: Int64
  var values: [SQLValue]
}

extension PageFile {
  func tree(_ number: Int) -> TreePage? {
    page(number).flatMap { TreePage($0, number: number, usable: usable) }
  }

  /// Returns the pages of the schema's tree: at most 100, because the schema of a store fits on few.
  func schemaPages() -> [(number: Int, page: TreePage)] {
    var found: [(number: Int, page: TreePage)] = []
    var numbers = [1]
    var next = 0
    while next < numbers.count, next < 100 {
      let number = numbers[next]
      next += 1
      guard let page = tree(number), page.kind.isTable else { continue }
      found.append((number, page))
      if !page.kind.isLeaf { numbers += page.cells.map { page.bytes.number(at: $0, 4) } }
      if let last = page.lastChild { numbers.append(last) }
    }
    return found
  }

  /// - Returns: the row in a cell; nil if it cannot be read.
  func row(_ page: TreePage, _ cell: Int) -> RawRow? {
    var place = cell + (page.kind == .interiorIndex ? 4 : 0)
    guard let length = page.bytes.varint(&place), length > 0, length <= 1 << 26,
      length <= pageCount * usable
    else { return nil }
    var id: Int64 = 0
    if page.kind == .leafTable {
      guard let number = page.bytes.varint(&place) else { return nil }
      id = number
    }
    guard let record = payload(page, at: place, Int(length)),
      let values = RawRecord.values(record)
    else { return nil }
    return RawRow(id: id, values: values)
  }

  /// Returns the bytes of a row: those on its page, then those on its overflow pages. nil if one of
  /// these pages cannot be read, or if the row extends beyond its page.
  private func payload(_ page: TreePage, at start: Int, _ length: Int) -> [UInt8]? {
    let most = page.kind.isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard length > most else {
      return start + length <= usable ? Array(page.bytes[start..<(start + length)]) : nil
    }
    let least = (usable - 12) * 32 / 255 - 23
    let best = least + (length - least) % (usable - 4)
    let local = best <= most ? best : least
    guard start + local + 4 <= usable else { return nil }
    var bytes = Array(page.bytes[start..<(start + local)])
    var next = page.bytes.number(at: start + local, 4)
    // If a damaged chain forms a loop, reading ends at the length of the row.
    while bytes.count < length {
      guard next > 1, let overflow = self.page(next) else { return nil }
      bytes += overflow[4..<(4 + min(usable - 4, length - bytes.count))]
      next = overflow.number(at: 0, 4)
    }
    return bytes
  }
}

enum RawRecord {
  /// Decodes a record: a header with the types, then the values.
  /// - Returns: nil if the bytes are not a record.
  static func values(_ bytes: [UInt8]) -> [SQLValue]? {
    var place = 0
    guard let header = bytes.varint(&place), header <= bytes.count else { return nil }
    var at = Int(header)
    var values: [SQLValue] = []
    while place < Int(header) {
      guard let type = bytes.varint(&place), let value = value(bytes, &at, type) else {
        return nil
      }
      values.append(value)
    }
    return place == Int(header) ? values : nil
  }

  private static func value(_ bytes: [UInt8], _ at: inout Int, _ type: Int64) -> SQLValue? {
    let widths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]
    guard type >= 0, type != 10, type != 11 else { return nil }
    let width = type < 10 ? widths[Int(type)] : Int((type - 12) / 2)
    guard width <= bytes.count - at else { return nil }
    defer { at += width }
    switch type {
    case 0: return .null
    case 1...6:
      let shift = 64 - 8 * width
      return .integer((Int64(bytes.number(at: at, width)) << shift) >> shift)
    case 7: return .real(Double(bitPattern: UInt64(bitPattern: Int64(bytes.number(at: at, 8)))))
    case 8, 9: return .integer(type - 8)
    default:
      let content = bytes[at..<(at + width)]
      if type % 2 == 0 { return .blob(Array(content)) }
      // Text that is not valid UTF-8 is damaged, and stays a blob.
      return String(validating: content, as: UTF8.self).map { .text($0) } ?? .blob(Array(content))
    }
  }
}

extension [UInt8] {
  /// Reads a variable-length integer of SQLite: big-endian, seven bits per byte, eight in the
  /// ninth. Moves `place` behind it.
  /// - Returns: nil if the bytes end first.
  func varint(_ place: inout Int) -> Int64? {
    var value: UInt64 = 0
    for step in 0..<9 {
      guard indices.contains(place) else { return nil }
      let byte = self[place]
      place += 1
      if step == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 128 { return Int64(bitPattern: value) }
    }
    return nil
  }
}
