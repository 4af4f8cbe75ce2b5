public import TouchModel

public struct CountQuery: Sendable {
  /// The name of the kind.
  public var kind: String
  public var sessions: GridQuery.Sessions
  /// Only counts of views of this screen, and of this display; nil for all counts.
  public var screen: String?
  public var display: String?
  /// Whether each day gets counts of its own, which come without their views.
  public var isByDay: Bool

  public init(
    _ kind: String, _ sessions: GridQuery.Sessions, screen: String? = nil, display: String? = nil,
    isByDay: Bool = false
  ) {
    self.kind = kind
    self.sessions = sessions
    self.screen = screen
    self.display = display
    self.isByDay = isByDay
  }

  /// The query with its names in Unicode's normal form C, in which the daemon stores names.
  public var normalised: CountQuery {
    CountQuery(
      kind, sessions, screen: screen?.normalised, display: display?.normalised, isByDay: isByDay)
  }

  func wants(_ shape: CountShape) -> Bool {
    guard screen != nil || display != nil else { return true }
    guard let key = shape.view?.key else { return false }
    return (screen?.hasSameBytes(as: key.screen) ?? true)
      && (display?.hasSameBytes(as: key.display) ?? true)
  }
}

/// Queries for counts. Whole rolled-up days are read from their sums, everything else from sessions.
extension Store {
  /// The kinds of counts that the store keeps.
  public var kinds: CountKinds { options.kinds }

  /// - Throws: the errors of `forEachCounts`.
  public func counts(of query: CountQuery) throws(StoreError) -> CountAnswer {
    var found: [FoundCounts] = []
    let hidden = try forEachCounts(of: query) {
      found.append($0)
      return true
    }
    return CountAnswer(found, hidden: hidden)
  }

  /// Calls `body` with counts, day by day, and within a day in the order of their subjects. All of
  /// them come from one snapshot of the store.
  ///
  /// For a kind that only days keep, a day is included if any part of it is in the span.
  /// - Parameter body: returns whether to continue.
  /// - Returns: the number of hidden subjects.
  /// - Throws: the errors of `grids`; `.overflow` if there are more counts than one answer holds;
  ///   `.refused` if the kind is unknown, or its sessions cannot be selected in this way.
  public func forEachCounts(
    of query: CountQuery, _ body: (FoundCounts) -> Bool
  ) throws(StoreError) -> Int {
    guard let kind = kinds[query.kind] else {
      throw StoreError(.refused, message: "there are no counts of this kind", path: path)
    }
    return try transaction(.read, "adding up counts") { () throws(StoreError) in
      var answer = Answer(kind: kind)
      if kind.isOnlyOfDays {
        try addDayCounts(query, to: &answer, body)
      } else {
        try addCounts(query, to: &answer, body)
      }
      return answer.hidden
    }
  }

  /// Calls a body with the sums of single days, or of all days.
  private struct Answer {
    let kind: any CountKind
    var hidden = 0
    var isOver = false

    mutating func add(
      _ counts: [SummedCounts], day: String? = nil, views: [GridKey: FoundView]? = nil,
      in database: borrowing Database, _ body: (FoundCounts) -> Bool
    ) throws(StoreError) {
      guard kind.agree(counts) else {
        throw database.damaged("counts of the kind \(kind.name) contradict each other")
      }
      for counts in counts.sorted(by: { CountSubject.isBefore($0.subject, $1.subject) })
      where !isOver {
        if kind.isHidden(counts) {
          hidden += 1
          continue
        }
        var view: FoundView?
        if let views, let key = kind.shape(of: counts.subject.key)?.view?.key {
          guard let known = views[key] else {
            throw database.damaged("counts have no view of their screen")
          }
          view = known
        }
        isOver = !body(FoundCounts(day: day, counts, view: view))
      }
    }
  }

  private func addCounts(
    _ query: CountQuery, to answer: inout Answer, _ body: (FoundCounts) -> Bool
  ) throws(StoreError) {
    let kind = query.kind
    var lookup = Lookup()
    let sources = try Sources(query.sessions, in: self)
    let wholeDays = Set(sources.wholeDays.map(\.text))
    var days: [String: CountSums] = [:]
    var room = CountSums.numberLimit
    for (condition, values) in sources.conditions {
      try forEachCount(
        in: .session, of: kind, where: condition, values, &lookup, wants: { query.wants($1) }
      ) {
        id, sum, row throws(StoreError) in
        try days[query.isByDay ? try row.text(5) : "", default: CountSums()]
          .add(sum, to: id, room: &room)
      }
    }
    for day in wholeDays.union(days.keys).sorted() {
      var sums = days.removeValue(forKey: query.isByDay ? day : "") ?? CountSums()
      if wholeDays.contains(day) {
        try forEachCount(
          in: .day, of: kind, where: "day = ?1", [.text(day)], &lookup, wants: { query.wants($1) }
        ) {
          id, sum, _ throws(StoreError) in
          if query.isByDay {
            try sums.add(sum, to: id)
          } else {
            try sums.add(sum, to: id, room: &room)
          }
        }
      }
      if !query.isByDay {
        days[""] = sums
      } else {
        try answer.add(summed(sums, &lookup), day: day, in: database, body)
        if answer.isOver { return }
      }
    }
    guard let sums = days[""], !query.isByDay else { return }
    let counts = try summed(sums, &lookup)
    let haveViews = counts.contains { kinds.shape(of: $0.subject)?.view != nil }
    try answer.add(counts, views: haveViews ? views(of: query) : nil, in: database, body)
  }

  private func views(of query: CountQuery) throws(StoreError) -> [GridKey: FoundView] {
    var sums = ScreenSums(interruption)
    sums.pass = .views
    try summation(GridQuery(query.sessions, layer: .taps, screen: query.screen))(&sums)
    let views = sums.byKey.map { key, view in
      let masks = Rectangle.union([view.masks], on: key.geometry)
      return (key, FoundView(sessions: view.sessions, touches: view.touches, masks: masks))
    }
    return Dictionary(uniqueKeysWithValues: views)
  }

  func summed(_ sums: CountSums, _ lookup: inout Lookup) throws(StoreError) -> [SummedCounts] {
    var summed: [SummedCounts] = []
    for (id, sum) in sums.byID {
      let known = try lookup.subject(id, kinds, in: database)
      guard known.shape.isPlausible(sum.numbers, sum.sessions) else {
        throw StoreError(
          .overflow, message: "a sum of counts of the kind \(known.subject.kind) is too large")
      }
      summed.append(SummedCounts(known.subject, sessions: sum.sessions, sum.numbers))
    }
    return summed
  }

  private func addDayCounts(
    _ query: CountQuery, to answer: inout Answer, _ body: (FoundCounts) -> Bool
  ) throws(StoreError) {
    guard let days = try dayRange(query.sessions) else { return }
    var sums: [CountSubject: CountSum] = [:]
    var last: String?
    try database.each(
      """
      SELECT day, kind, bytes, counts FROM day_only
      WHERE kind = ?1 AND day BETWEEN ifnull(?2, '') AND ifnull(?3, '~')\(days.condition)
      ORDER BY day
      """,
      [
        .text(query.kind), days.first.map { .text($0) } ?? .null,
        days.last.map { .text($0) } ?? .null,
      ]
    ) { row throws(StoreError) in
      try checkCancellation()
      let day = try row.text(0)
      if query.isByDay, let last, last != day {
        try answer.add(Self.sorted(sums), day: last, in: database, body)
        sums = [:]
      }
      last = day
      var counts = try readDayCounts(row)
      if query.screen != nil || query.display != nil {
        counts.removeAll {
          !(answer.kind.shape(of: $0.subject.key).map { query.wants($0) } ?? false)
        }
      }
      try add(counts, to: &sums)
      guard sums.count <= Self.subjectLimit else {
        throw StoreError(
          .overflow,
          message: "there are counts of more than \(Self.subjectLimit) subjects: choose fewer days",
          path: path)
      }
    }
    guard !sums.isEmpty else { return }
    try answer.add(Self.sorted(sums), day: query.isByDay ? last : nil, in: database, body)
  }

  /// Returns the days of a kind that only days keep; nil if there are none.
  private func dayRange(
    _ sessions: GridQuery.Sessions
  ) throws(StoreError) -> (first: String?, last: String?, condition: String)? {
    switch sessions {
    case .one:
      throw StoreError(.refused, message: "only days keep these counts", path: path)
    case .day(let day): return (day.text, day.text, "")
    case .span(let span, let filter):
      guard filter.tags.isEmpty, filter.hours == nil else {
        throw StoreError(
          .refused, message: "only days keep these counts, so tags and hours are unknown",
          path: path)
      }
      guard let bounds = span.bounds else { return nil }
      // Days are compared as texts, so their years must have four digits.
      func day(_ time: Int64) -> String {
        let time = min(max(time, Self.years.lowerBound), Self.years.upperBound)
        return self.day(of: WallTime(milliseconds: time)).text
      }
      return (
        span.since.map { _ in day(bounds.lowerBound) },
        span.until.map { _ in day(bounds.upperBound) }, filter.weekdays.andCondition("day")
      )
    }
  }
}
