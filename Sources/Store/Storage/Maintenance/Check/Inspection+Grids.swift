internal import TouchModel

/// Checks the views and grids of sessions, and their sums in days.
extension Inspection {
  /// Checks every view: it can be read, and the touches on the screens of an owner add up to its
  /// `counted`.
  func views(of owner: CountOwner, _ report: Report) throws(StoreError) -> String {
    let looked = try begin(owner.views, "views")
    try database.each(
      """
      SELECT display, screen, geometry, placement, mask, \(owner.rawValue) FROM \(owner.views)
      """
    ) { row throws(StoreError) in
      progress(.advances)
      _ = try reading(try owner.fault(row, 5), report) { () throws(StoreError) in
        _ = try lookup.key(row, 0, in: database)
        _ = try lookup.placements(row.integer(3), in: database)
        _ = try lookup.masks(row, 4, in: database)
      }
    }
    let id = owner == .session ? "id" : "day"
    try database.each(
      """
      SELECT \(id), counted, printf('%.0f', shown) FROM (
        SELECT \(id), counted, (
          SELECT total(touches) FROM \(owner.views)
          WHERE \(owner.views).\(owner.rawValue) = \(owner.rawValue).\(id)) AS shown
        FROM \(owner.rawValue))
      WHERE counted <> shown
      """
    ) { row throws(StoreError) in
      report(
        try owner.fault(row, 0),
        "\(owner.rawValue) \(try row.text(0)): the counted touches, \(row.integer(1)), differ "
          + "from those of its screens, \(try row.text(2))")
    }
    return looked
  }

  /// Checks every grid or sum: it inflates to the size of its geometry, its cells are as narrow as
  /// possible, the parts of a sum agree on which blocks were touched, and it has at most as many
  /// taps as its screen has touches. It may have fewer, because layers may be switched on while a
  /// session runs.
  func grids(of owner: CountOwner, _ report: Report) throws(StoreError) -> String {
    let looked = try begin(owner.grids, owner == .session ? "grids" : "sums")
    try database.each(
      """
      SELECT display, screen, geometry, layer, \(owner.rawValue), \(owner.cells), touches,
        \(owner == .session ? "1" : "sessions")
      FROM \(owner.grids) LEFT JOIN \(owner.views)
        USING (\(owner.rawValue), display, screen, geometry)
      """
    ) { row throws(StoreError) in
      progress(.advances)
      let name = try owner.fault(row, 4)
      let text = try reading(name, report) { () throws(StoreError) in
        try fault(ofGrid: row, of: owner)
      }
      guard let text = text ?? nil else { return }
      report(
        name,
        "\(owner.rawValue) \(try row.text(4)), display \(try row.text(0)), screen "
          + "\(try row.text(1)), layer \(try row.text(3)): \(text)")
    }
    return looked
  }

  private func fault(
    ofGrid row: borrowing Statement, of owner: CountOwner
  ) throws(StoreError) -> String? {
    let key = try lookup.key(row, 0, in: database)
    let count = key.geometry.columns * key.geometry.rows
    let view = Int32(5 + 2 * owner.parts.count)
    var touched: [Bool]?
    for part in owner.parts {
      let width = try inflater.inflate(part, of: owner, row, key, in: database)
      guard inflater.isNarrowest(width: width, count: count) else {
        return "its cells are not stored in the narrowest width"
      }
      guard !row.isNull(view) else { return "it has no view of its screen" }
      if part == .sum, try row.text(3).hasSameBytes(as: Layer.taps.rawValue) {
        let taps = inflater.sum(width: width, count: count)
        guard let taps, taps <= UInt64(clamping: row.integer(view)) else {
          return "its taps exceed the touches of the screen, \(row.integer(view))"
        }
      }
      if owner == .session { continue }
      let now = (0..<count).map { cell in
        inflater.cells[(cell * width)..<(cell * width + width)].contains { $0 != 0 }
      }
      guard now == touched ?? now else {
        return "its three grids disagree on which blocks were touched"
      }
      touched = now
      guard part == .touched else { continue }
      let most = (0..<count).map { inflater.value($0, width: width) }.max() ?? 0
      let sessions = row.integer(view + 1)
      if most > UInt64(clamping: sessions) {
        return "\(most) sessions touched a block, but only \(sessions) showed the screen"
      }
    }
    return nil
  }
}

extension CountOwner {
  /// Returns the owner in a column, for a fault.
  func fault(_ row: borrowing Statement, _ column: Int32) throws(StoreError) -> FaultOwner {
    self == .session ? .session(row.integer(column)) : .day(try row.text(column))
  }
}
