public import TouchModel

/// Questions about screens. Whole rolled-up days come from their sums, and their grids from those of whole months
/// where these are known; everything else comes from sessions, running ones as they stood at their last checkpoint; the numbers are the same either way.
extension Store {
  /// Every screen that was shown, by name.
  /// - Throws: `.onlyWholeDays` where the span cuts a day of which only the sums are left.
  public func screens(in span: TimeSpan) throws(StoreError) -> [ScreenSummary] {
    try doing("adding up screens") { () throws(StoreError) in
      // One picture: a day rolled up meanwhile would be counted twice or not at all.
      try database.transaction(.read) { () throws(StoreError) in
        var tallies = Tallies(interruption)
        try filling(screen: nil, layer: nil, in: span)(&tallies)
        return tallies.byKey.sorted { GridKey.isBefore($0.key, $1.key) }
          .map { ScreenSummary($0.key, $0.value) }
      }
    }
  }

  /// One layer over the sessions that began in the span: one summary for each display and geometry
  /// on which a screen was shown, those without a touch included.
  /// - Parameter screen: nil for all.
  /// - Throws: `.onlyWholeDays` where the span cuts a day of which only the sums are left;
  ///   `.overflow` where a sum exceeds 64 bits, or a sum of squares 128.
  public func summaries(
    screen: String?, layer: Layer, in span: TimeSpan
  ) throws(StoreError) -> [GridSummary] {
    try summaries(of: SummaryQuestion(.span(span, tags: [:]), layer: layer, screen: screen))
  }

  /// One layer over the sessions that began in the span and have all of the tags. These come from the
  /// sessions themselves, each of which is read.
  /// - Throws: `.tagsGone` where some of the span are gone; `.overflow` as above.
  public func summaries(
    screen: String?, layer: Layer, in span: TimeSpan, tags: [String: String]
  ) throws(StoreError) -> [GridSummary] {
    try summaries(of: SummaryQuestion(.span(span, tags: tags), layer: layer, screen: screen))
  }

  /// One layer over the sessions that began on a day of the kiosk's calendar: what was rolled up of it,
  /// and what was not yet.
  /// - Throws: `.overflow` as above.
  public func summaries(
    screen: String?, layer: Layer, day: Day
  ) throws(StoreError) -> [GridSummary] {
    try summaries(of: SummaryQuestion(.day(day), layer: layer, screen: screen))
  }

  /// One layer of one session; empty where it is not or no longer there.
  /// - Parameter screen: nil for all.
  public func summaries(
    screen: String?, layer: Layer, session: Int64
  ) throws(StoreError) -> [GridSummary] {
    try summaries(of: SummaryQuestion(.one(session), layer: layer, screen: screen))
  }

  private func summaries(of question: SummaryQuestion) throws(StoreError) -> [GridSummary] {
    var summaries: [GridSummary] = []
    try eachSummary(of: question) {
      summaries.append($0)
      return true
    }
    return summaries
  }

  // MARK: Adding up

  /// Adds everything that a question is about, as far as the pass of the tallies goes.
  typealias Filling = (inout Tallies) throws(StoreError) -> Void

  /// Looks once where the answer lies, within the transaction in which it is then added up.
  func filling(_ question: SummaryQuestion) throws(StoreError) -> Filling {
    let (screen, layer) = (question.screen, question.layer)
    switch question.sessions {
    case .span(let span, let tags) where tags.isEmpty:
      return try filling(screen: screen, layer: layer, in: span)
    case .span(let span, let tags):
      guard let bounds = span.bounds else { return { _ in } }
      try Sources.requireTags(of: bounds, in: database)
      return { [self] tallies throws(StoreError) in
        try add(
          where: "session.began BETWEEN ?1 AND ?2 AND " + Tags.condition("?3"),
          [
            .integer(bounds.lowerBound), .integer(bounds.upperBound), .text(Tags.text(tags)),
          ], screen, layer, to: &tallies)
      }
    case .day(let day):
      return { [self] tallies throws(StoreError) in
        try addViews(day, screen, to: &tallies)
        try addSums(of: .daily, day.text, screen, layer, to: &tallies)
        try add(
          where: "session.rolled_up = 0 AND session.day = ?1", [.text(day.text), .null, .null],
          screen, layer, to: &tallies)
      }
    case .one(let session):
      return { [self] tallies throws(StoreError) in
        try add(
          where: "session.id = ?1", [.integer(session), .null, .null], screen, layer, to: &tallies)
      }
    }
  }

  private func filling(
    screen: String?, layer: Layer?, in span: TimeSpan
  ) throws(StoreError) -> Filling {
    guard let sources = try Sources(span, in: database) else { return { _ in } }
    let periods = try sources.periods(in: database)
    return { [self] tallies throws(StoreError) in
      for day in sources.wholeDays { try addViews(day, screen, to: &tallies) }
      if let layer {
        for month in periods.months {
          try addSums(of: .monthly, month, screen, layer, to: &tallies)
        }
        for day in periods.days {
          try addSums(of: .daily, day.text, screen, layer, to: &tallies)
        }
      }
      for (condition, values) in sources.conditions {
        try add(where: condition, values, screen, layer, to: &tallies)
      }
    }
  }

  /// Adds the views of a rolled-up day.
  private func addViews(
    _ day: Day, _ screen: String?, to tallies: inout Tallies
  ) throws(StoreError) {
    try tallies.addDailyViews(
      where: "day = ?1 AND (?2 IS NULL OR screen = ?2)",
      [.text(day.text), screen.map { .text($0) } ?? .null], in: database)
  }

  /// Adds the grids of a rolled-up day or of a month.
  private func addSums(
    of table: SumTable, _ period: String, _ screen: String?, _ layer: Layer,
    to tallies: inout Tallies
  ) throws(StoreError) {
    try tallies.addSums(
      of: table, where: "\(table.period) = ?1 AND (?2 IS NULL OR screen = ?2) AND layer = ?3",
      [.text(period), screen.map { .text($0) } ?? .null, .text(layer.rawValue)], in: database)
  }

  /// - Parameters:
  ///   - condition: on `session`, with `?1` to `?3`.
  ///   - layer: nil where no grids are wanted.
  private func add(
    where condition: String, _ values: [SQLValue], _ screen: String?, _ layer: Layer?,
    to tallies: inout Tallies
  ) throws(StoreError) {
    let condition = condition + " AND (?4 IS NULL OR screen = ?4)"
    let values = values + [screen.map { .text($0) } ?? .null]
    try tallies.addViews(where: condition, values, in: database)
    if let layer {
      try tallies.addGrids(
        where: condition + " AND layer = ?5", values + [.text(layer.rawValue)], in: database)
    }
  }
}
