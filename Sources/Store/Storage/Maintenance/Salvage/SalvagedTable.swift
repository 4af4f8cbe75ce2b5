internal import TouchModel

/// The tables and indexes that are worth salvaging. A row on a page outside of all trees is
/// identified by its shape.
enum SalvagedTable: String, CaseIterable {
  // The order of the cases is the order of reading. `gridIndex` and `dailyIndex` come before their
  // tables, because rows are compared with them.
  case geometry, placement, mask
  case subject
  case session
  case view = "screen_view"
  case gridIndex = "sqlite_autoindex_grid_1"
  case grid, day
  case dayView = "daily_view"
  case dailyIndex = "sqlite_autoindex_daily_1"
  case daily, ghost, run, checkpoint, start
  case sessionCount = "session_count"
  case dayCount = "day_count"
  case dayKind = "day_kind"
  case dayOnly = "day_only"
  case sequence = "sqlite_sequence"
  // These indexes repeat the content of their tables, or a part of it, on other pages.
  case geometryIndex = "sqlite_autoindex_geometry_1"
  case placementIndex = "sqlite_autoindex_placement_1"
  case maskIndex = "sqlite_autoindex_mask_1"
  case subjectIndex = "sqlite_autoindex_subject_1"
  case began = "session_began"

  /// Whether this is a table with row ids. Indexes and tables `WITHOUT ROWID` have pages of another
  /// type.
  var hasRowIDs: Bool {
    switch self {
    case .geometry, .placement, .mask, .subject, .session, .grid, .daily, .run, .sequence,
      .checkpoint,
      .start:
      true
    default: false
    }
  }

  /// The type of each column, one letter per column: `n` the row id, `i` an integer, `r` a number,
  /// `t` text, `b` a blob, `k` text that may be damaged here because an index holds a copy. A
  /// capital letter means that the column may be NULL. `z` is a number of at least 0; other values
  /// become 0, because only counts depend on it.
  private var shape: String {
    switch self {
    case .geometry: "niiriiii"
    case .placement, .mask: "nt"
    case .subject: "ntt"
    case .session: "ntiiITtiiiiiiiiiiiiz"
    case .view: "ittiiiiI"
    case .grid: "ikkikib"
    case .day: "tiiiIIIIIIIIIIIT"
    case .dayView: "tttiiiiiI"
    case .daily: "kkkikibibib"
    case .ghost: "ttiiii"
    case .run: "ni"
    case .checkpoint: "nib"
    case .start: "nii"
    case .sessionCount: "iiib"
    case .dayCount: "tiiib"
    case .dayKind: "tti"
    case .dayOnly: "ttib"
    case .subjectIndex: "tti"
    case .sequence, .placementIndex, .maskIndex: "ti"
    case .geometryIndex: "iiriii"
    case .gridIndex: "ittiti"
    case .dailyIndex: "tttiti"
    case .began: "ii"
    }
  }

  /// Returns all columns of the row, as they are to be written; nil if the row does not fit this
  /// table.
  func columns(_ row: RawRow) -> [SQLValue]? {
    let shape = Array(shape.utf8)
    var values = row.values
    guard values.count == shape.count else { return nil }
    for (index, letter) in shape.enumerated() {
      guard values[index].fits(letter) else { return nil }
      if letter == UInt8(ascii: "n") { values[index] = .integer(row.id) }
      if letter == UInt8(ascii: "z") { values[index] = values[index].orZero }
    }
    return values
  }

  /// Determines the table of a row on a page outside of all trees.
  /// - Returns: nil if the table cannot be determined, or if it is `monthly`.
  static func of(_ row: RawRow, inTable: Bool) -> SalvagedTable? {
    let fitting = allCases.filter { $0.hasRowIDs == inTable && $0.columns(row) != nil }
    guard fitting.count > 1 else {
      // Sums of months have the same shape as those of days. They are skipped, because they are
      // computed again.
      if case .text(let period)? = row.values.first, period.utf8.count == 7 { return nil }
      return fitting.first
    }
    // Placements and masks have the same shape, and so have the kinds of days and the index of
    // subjects. Decide by the content.
    guard case .text(let text)? = row.values.first(where: \.isText) else { return nil }
    if fitting.contains(.dayKind) { return Day(text) == nil ? .subjectIndex : .dayKind }
    if fitting.contains(.placementIndex) || fitting.contains(.placement) {
      let isMask = !(Rectangle.list(text) ?? []).isEmpty
      guard isMask || text.hasPrefix("[") else { return nil }
      return fitting.contains(.placement)
        ? (isMask ? .mask : .placement) : (isMask ? .maskIndex : .placementIndex)
    }
    return nil
  }
}

extension SQLValue {
  fileprivate var isText: Bool { if case .text = self { true } else { false } }

  fileprivate var orZero: SQLValue {
    if case .integer(let number) = self, number >= 0 { self } else { .integer(0) }
  }

  fileprivate func fits(_ letter: UInt8) -> Bool {
    switch (self, Character(Unicode.Scalar(letter))) {
    case (.null, "n"), (.null, "I"), (.null, "T"), (.integer, "i"), (.integer, "I"),
      (.integer, "r"), (.real, "r"), (.text, "t"), (.text, "T"), (.blob, "b"),
      (.text, "k"), (.blob, "k"), (_, "z"):
      true
    default: false
    }
  }
}
