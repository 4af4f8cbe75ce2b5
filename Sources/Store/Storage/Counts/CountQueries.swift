public import TouchModel

/// Queries for counts. Whole rolled-up days are read from their sums, everything else from sessions.
extension Store {
  /// Returns the counts of controls, added up over sessions, in the order of their screens.
  /// - Parameter query: its layer is ignored.
  /// - Throws: the errors of `grids`; `.overflow` if there are more controls than one answer holds.
  public func controls(of query: GridQuery) throws(StoreError) -> [SummedControls] {
    try during("adding up controls") { () throws(StoreError) in
      // One snapshot: otherwise a day that is rolled up meanwhile would count twice or not at all.
      try database.transaction(.read) { () throws(StoreError) in
        var views = ScreenSums(interruption)
        views.pass = .views
        try summation(query)(&views)
        var all: [SummedCounts] = []
        try forEachDay(
          of: ControlKind.name, query.sessions, isByDay: false,
          wants: { $0.view?.key.isOf(query) ?? false }
        ) {
          all = $1
          return true
        }
        var controls: [SummedControls] = []
        for counts in all {
          guard let own = ControlCounts(SubjectCounts(counts.subject, counts.numbers)),
            let view = views.byKey[own.key]
          else { throw database.damaged("controls have no view of their screen") }
          controls.append(
            SummedControls(
              counts: own, sessions: counts.sessions, screenSessions: view.sessions,
              screenTouches: view.touches,
              masks: Rectangle.union([view.masks], on: own.key.geometry)))
        }
        return controls.sorted { one, other in
          one.counts.key == other.counts.key
            ? CountSubject.isBefore(one.counts.subject, other.counts.subject)
            : GridKey.isBefore(one.counts.key, other.counts.key)
        }
      }
    }
  }

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
        try forEachDay(of: PanelKind.name, sessions) { day, counts in
          counts.compactMap { SummedPanel(day: day, $0) }
            .filter { device?.hasSameBytes(as: $0.key.device) ?? true }
            .sorted { PanelKey.isBefore($0.key, $1.key) }.allSatisfy(body)
        }
      }
    }
  }

  /// Passes the sums of a kind on, day by day, those of a day in no particular order. Call it within
  /// a transaction.
  /// - Parameters:
  ///   - isByDay: false to add up all days, as the day "".
  ///   - wants: which subjects.
  ///   - body: returns whether to continue.
  private func forEachDay(
    of kind: String, _ sessions: GridQuery.Sessions, isByDay: Bool = true,
    wants: (CountShape) -> Bool = { _ in true }, _ body: (String, [SummedCounts]) -> Bool
  ) throws(StoreError) {
    var lookup = Lookup()
    let sources = try countSources(sessions)
    var days: [String: CountSums] = [:]
    var room = CountSums.numberLimit
    for (condition, values) in sources.conditions {
      try forEachCount(
        in: .session, of: kind, where: condition, values, &lookup, wants: { wants($1) }
      ) {
        id, sum, row throws(StoreError) in
        try days[isByDay ? try row.text(5) : "", default: CountSums()]
          .add(sum, to: id, room: &room)
      }
    }
    for day in Set(days.keys).union(sources.wholeDays).sorted() {
      var sums = days.removeValue(forKey: isByDay ? day : "") ?? CountSums()
      if sources.wholeDays.contains(day) {
        try forEachCount(
          in: .day, of: kind, where: "day = ?1", [.text(day)], &lookup, wants: { wants($1) }
        ) {
          id, sum, _ throws(StoreError) in
          if isByDay { try sums.add(sum, to: id) } else { try sums.add(sum, to: id, room: &room) }
        }
      }
      if !isByDay {
        days[""] = sums
      } else if try !body(day, summed(sums, &lookup)) {
        return
      }
    }
    if !isByDay { _ = try body("", summed(days[""] ?? CountSums(), &lookup)) }
  }

  func summed(_ sums: CountSums, _ lookup: inout Lookup) throws(StoreError) -> [SummedCounts] {
    var summed: [SummedCounts] = []
    for (id, sum) in sums.byID {
      let known = try lookup.subject(id, options.kinds, in: database)
      guard known.shape.isPlausible(sum.numbers, sum.sessions) else {
        throw StoreError(
          .overflow, message: "a sum of counts of the kind \(known.subject.kind) is too large")
      }
      summed.append(SummedCounts(known.subject, sessions: sum.sessions, sum.numbers))
    }
    return summed
  }

  /// Returns the days that are read from their sums, and the conditions that select the sessions
  /// that are read one by one. The conditions have `?1` to `?3`.
  private func countSources(
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
}

extension GridKey {
  fileprivate func isOf(_ query: GridQuery) -> Bool {
    (query.screen?.hasSameBytes(as: screen) ?? true)
      && (query.display?.hasSameBytes(as: display) ?? true)
  }
}
