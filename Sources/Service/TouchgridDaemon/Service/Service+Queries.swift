internal import Storage
internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// Queries about the past, answered by the storage's query thread.
extension Service {
  /// The maximum number of elements of a list in each of several replies.
  private static let elementsPerReply = 100

  func listSessions(
    _ wish: API.ListSessions, _ call: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.ListSessions.Reply? {
    let (span, filter) = (try span(wish.span), try filter(wish))
    // The store has the running session only as of its last checkpoint, or not at all, so take the
    // session from the recorder.
    let running = capture.recorder.runningSession(at: moment)
      .flatMap { span.contains($0.began) && filter.chooses($0) ? $0 : nil }
    try answer(call, "sessions") { store throws(StoreError) in
      try store.sessions(in: span, filter).filter { $0.record.id != running?.id }
        .map { API.Session($0.record, day: $0.day.text) }
        + [running].compactMap(\.self)
        .map { API.Session($0, day: Day(local: $0.began).text) }
    }
    return nil
  }

  func listDays(
    _ wish: API.ListDays, _ call: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.ListDays.Reply? {
    let (span, weekdays) = (try span(wish.span), try filter(wish).weekdays)
    let running = capture.recorder.runningSession(at: moment)
    try answer(call, "days") { store throws(StoreError) in
      try store.days(in: span, on: weekdays, running: running).map {
        API.Day(
          $0.day.text, sessions: $0.sessions, totals: $0.totals, hours: $0.hours,
          ghostsOutside: $0.ghostsOutside)
      }
    }
    return nil
  }

  func listGhosts(
    _ wish: API.ListGhosts, _ call: Call, _: Moment
  ) throws(VarlinkError) -> API.ListGhosts.Reply? {
    let day = try day(wish.day)
    try answer(call, "ghosts") { store throws(StoreError) in
      try store.ghosts(on: day).map(API.GhostPlace.init)
    }
    return nil
  }

  func listScreens(
    _ wish: API.ListScreens, _ call: Call, _: Moment
  ) throws(VarlinkError) -> API.ListScreens.Reply? {
    let span = try span(wish.span)
    try answer(call, "screens") { store throws(StoreError) in
      try store.screens(in: span).map {
        API.Screen(
          key: $0.key, sessions: $0.sessions, touches: $0.touches,
          shownMilliseconds: $0.shownMilliseconds)
      }
    }
    return nil
  }

  func getGrids(
    _ wish: API.GetGrids, _ call: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.GetGrids.Reply? {
    let layer = wish.layer ?? .taps
    let wantsMore = call.wantsMore
    let below = try wish.sessionCountsBelow.map { below throws(VarlinkError) in
      guard (2...GridQuery.mostSessionCounts).contains(UInt64(clamping: below)) else {
        throw invalid(
          "sessionCountsBelow", "\(below)", "must be 2 to \(GridQuery.mostSessionCounts)")
      }
      return UInt64(below)
    }
    if wish.live == true {
      guard below == nil else {
        throw invalid("sessionCountsBelow", "\(below ?? 0)", "cannot be combined with live")
      }
      guard wish.session == nil, wish.day == nil, wish.spanParameters.isEmpty else {
        throw invalid(
          "live", "true", "cannot be combined with session, day, span, tags, weekdays or hours")
      }
      let session = capture.recorder.runningSession(withGrids: true, at: moment)
      guard let session else { throw API.NoSession().varlinkError }
      let views = session.changedViews.filter { wish.wants($0.key) }
      try compose(call) { checkCancellation throws(VarlinkError) in
        var replies = ReplyEncoder("grids", wantsMore, elements: 1)
        try replies.expect(grids: views.map { ($0.key.geometry, 1) })
        for view in views {
          try checkCancellation()
          try replies.append(API.Grid(session.grid(layer, of: view)))
        }
        return try replies.finish()
      }
      return nil
    }
    let query = GridQuery(
      try sessions(wish), layer: layer, screen: wish.screen, display: wish.display,
      sessionCountsBelow: below
    ).normalised
    try answerFromStore(call) { store throws(VarlinkError) in
      try Self.replies(query, wantsMore, store)
    }
    return nil
  }

  func getCounts(
    _ wish: API.GetCounts, _ call: Call, _: Moment
  ) throws(VarlinkError) -> API.GetCounts.Reply? {
    let wantsMore = call.wantsMore
    let query = CountQuery(
      wish.kind, try sessions(wish), screen: wish.screen, display: wish.display,
      isByDay: wish.byDay ?? false
    ).normalised
    let bottoms = Dictionary(
      capture.assignment.configuration.displays.compactMap { display in
        display.bottom.map { (ExactName(display.name), $0) }
      }, uniquingKeysWith: { $1 })
    try answerFromStore(call) { store throws(VarlinkError) in
      guard let kind = store.kinds[wish.kind] else {
        throw API.InvalidValue(
          "kind", wish.kind, "must be \(store.kinds.names.joined(separator: ", "))"
        ).varlinkError
      }
      if kind.isOnlyOfDays, wish.session != nil || wish.tags != nil || wish.hours != nil {
        throw API.InvalidValue(
          "kind", wish.kind, "cannot be combined with session, tags or hours: only days keep it"
        ).varlinkError
      }
      var replies = ReplyEncoder(
        "counts", wantsMore, bytes: Self.countBytesPerReply, number: "hidden")
      var failure: VarlinkError?
      let hidden = try Self.asking { () throws(StoreError) in
        try store.forEachCounts(of: query) { found in
          var found = found
          if found.view != nil,
            let display = kind.shape(of: found.counts.subject.key)?.view?.key.display
          {
            found.view?.bottom = bottoms[ExactName(display)]
          }
          do throws(VarlinkError) { try replies.append(API.Counts(found)) } catch {
            failure = error
          }
          return failure == nil
        }
      }
      if let failure { throw failure }
      if case .one(let session) = query.sessions, replies.isEmpty,
        try !Self.asking({ () throws(StoreError) in try store.hasSession(session) })
      {
        throw API.NoSuchSession(session).varlinkError
      }
      return try replies.finish(hidden)
    }
    return nil
  }

  /// Runs a part of a query, and converts its error into an error of the interface.
  static func asking<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(VarlinkError) -> Result {
    do throws(StoreError) { return try body() } catch {
      throw API.StoreFailed(error).varlinkError
    }
  }

  // MARK: Replies

  /// The length of counts from which further ones go into another reply, in bytes.
  static let countBytesPerReply = 64 << 10

  /// Lets the query thread answer a call with a list.
  private func answer<Element: Encodable & Sendable>(
    _ call: Call, _ name: String,
    _ list: @escaping @Sendable (Store) throws(StoreError) -> [Element]
  ) throws(VarlinkError) {
    let wantsMore = call.wantsMore
    try answerFromStore(call) { store throws(VarlinkError) in
      var replies = ReplyEncoder(name, wantsMore, elements: Self.elementsPerReply)
      for element in try Self.asking({ () throws(StoreError) in try list(store) }) {
        try Self.asking { () throws(StoreError) in try store.checkCancellation() }
        try replies.append(element)
      }
      return try replies.finish()
    }
  }

  private static func replies(
    _ query: GridQuery, _ wantsMore: Bool, _ store: Store
  ) throws(VarlinkError) -> [EncodedReply] {
    var replies = ReplyEncoder("grids", wantsMore, elements: 1)
    var failure: VarlinkError?
    /// - Returns: whether to continue.
    func attempt(_ body: () throws(VarlinkError) -> Void) -> Bool {
      do throws(VarlinkError) { try body() } catch { failure = error }
      return failure == nil
    }
    try asking { () throws(StoreError) in
      try store.forEachGrid(
        of: query,
        screens: { screens in
          attempt { () throws(VarlinkError) in
            try replies.expect(grids: screens.map { ($0.key.geometry, $0.sessions) })
          }
        },
        { grid in
          let grid = API.Grid(grid)
          return attempt { () throws(VarlinkError) in try replies.append(grid) }
        })
    }
    if let failure { throw failure }
    if case .one(let session) = query.sessions, replies.isEmpty,
      try !asking({ () throws(StoreError) in try store.hasSession(session) })
    {
      throw API.NoSuchSession(session).varlinkError
    }
    return try replies.finish()
  }
}

extension API.StoreFailed {
  init(_ error: StoreError) { self.init(code: error.code.rawValue, message: "\(error)") }
}

extension API.GetGrids {
  fileprivate func wants(_ key: GridKey) -> Bool {
    (screen.map { key.screen.hasSameBytes(as: $0.normalised) } ?? true)
      && (display.map { key.display.hasSameBytes(as: $0.normalised) } ?? true)
  }
}

extension SessionRecord {
  /// Returns one layer of a screen; a grid of zeros if the session has none.
  fileprivate func grid(_ layer: Layer, of view: ScreenView) -> SummedGrid {
    let grid = changedGrids.first { $0.key == view.key && $0.layer == layer }
    let cells = view.key.geometry.columns * view.key.geometry.rows
    return SummedGrid(
      grid ?? Grid(key: view.key, layer: layer, counters: Counters(count: cells)), view: view)
  }
}
