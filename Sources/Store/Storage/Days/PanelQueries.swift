public import TouchModel

/// Queries for panels.
extension Store {
  /// How many sums of sessions a query may keep in memory, which take 28 KiB each. Whole days are
  /// read one after another.
  private static let panelLimit = 1000

  /// Returns the counts of panels, one for each panel and day, in this order.
  /// - Parameter device: the stable key of the only device; nil for all.
  /// - Throws: the errors of `grids`; `.overflow` if there are too many panels.
  public func panels(
    of sessions: GridQuery.Sessions, device: String? = nil
  ) throws(StoreError) -> [SummedPanel] {
    var panels: [SummedPanel] = []
    try forEachPanel(of: sessions, device: device) {
      panels.append($0)
      return true
    }
    return panels
  }

  /// Passes the counts of panels on, one for each panel and day, in the order of the days. All of
  /// them come from one snapshot of the store.
  /// - Parameters:
  ///   - device: the stable key of the only device; nil for all.
  ///   - body: returns whether to continue.
  /// - Throws: the errors of `panels`.
  public func forEachPanel(
    of sessions: GridQuery.Sessions, device: String? = nil, _ body: (SummedPanel) -> Bool
  ) throws(StoreError) {
    try during("adding up panels") { () throws(StoreError) in
      try database.transaction(.read) { () throws(StoreError) in
        let sources = try panelSources(sessions)
        var single: [String: PanelSums] = [:]
        for (condition, values) in sources.conditions {
          try add(where: condition, values, device, to: &single)
        }
        for day in Set(single.keys).union(sources.wholeDays).sorted() {
          try checkCancellation()
          var sums = single.removeValue(forKey: day) ?? PanelSums()
          if sources.wholeDays.contains(day) {
            try sums.addDays(
              where: "day = ?1 AND (?2 IS NULL OR device = ?2)",
              [.text(day), device.map { .text($0) } ?? .null], in: database)
          }
          for (key, sum) in sums.sorted {
            let panel = SummedPanel(
              day: day, key: key, sessions: sum.sessions, counts: sum.counts)
            guard body(panel) else { return }
          }
        }
      }
    }
  }

  /// Returns the days that are read from their sums, and the conditions that select the sessions
  /// that are read one by one. The conditions have `?1` to `?3`.
  private func panelSources(
    _ sessions: GridQuery.Sessions
  ) throws(StoreError) -> (wholeDays: Set<String>, conditions: [(String, [SQLValue])]) {
    switch sessions {
    case .span(let span, let filter) where filter.choosesWholeDays:
      guard let sources = try Sources(span, on: filter.weekdays, in: database) else {
        return ([], [])
      }
      return (Set(sources.wholeDays.map(\.text)), sources.conditions.map { ($0.sql, $0.values) })
    case .span(let span, let filter):
      guard let bounds = span.bounds else { return ([], []) }
      try Sources.requireSessions(of: bounds, for: filter, in: database)
      try prepareHours(of: bounds, for: filter)
      let values: [SQLValue] = [
        .integer(bounds.lowerBound), .integer(bounds.upperBound), .text(Tags.text(filter.tags)),
      ]
      return ([], [("session.began BETWEEN ?1 AND ?2 AND " + filter.condition, values)])
    case .day(let day):
      return (
        [day.text],
        [("session.rolled_up = 0 AND session.day = ?1", [.text(day.text), .null, .null])]
      )
    case .one(let session):
      return ([], [("session.id = ?1", [.integer(session), .null, .null])])
    }
  }

  /// Adds the sessions that match a condition to the sums of their days.
  private func add(
    where condition: String, _ values: [SQLValue], _ device: String?,
    to days: inout [String: PanelSums]
  ) throws(StoreError) {
    var count = 0
    try database.each(
      """
      SELECT \(PanelSums.columns(sessions: "1", owner: "'session ' || session")), session.day
      FROM session CROSS JOIN panel ON panel.session = session.id
      WHERE \(condition) AND (?4 IS NULL OR device = ?4)
      """, values + [device.map { .text($0) } ?? .null]
    ) { row throws(StoreError) in
      try checkCancellation()
      let (key, sum) = try PanelSums.read(row, in: database)
      let day = try row.text(11)
      if days[day]?.byKey[key] == nil { count += 1 }
      guard count <= Self.panelLimit else {
        throw StoreError(
          .overflow, message: "more than \(Self.panelLimit) panels and days: choose a shorter time",
          path: path)
      }
      try days[day, default: PanelSums()].add(sum, to: key)
    }
  }
}
