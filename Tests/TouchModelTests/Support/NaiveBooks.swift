import TouchModel

/// A simple implementation of the rules of `SessionRecorder`, on plain lists of all touches,
/// sessions and names. It shares no code with the recorder.
struct NaiveBooks {
  struct Touch {
    var session: Int64?
    var began: Timestamp
    var placement: Placement
    /// The touch's positions, in points.
    var points: [Point] = []
    /// The rectangles that the touch entered.
    var crossed: Set<Mask> = []
    /// Whether the touch was masked by masks that have been removed.
    var wasMasked = false
    var isMasked = false
    /// Whether the touch began in a pause.
    var isIgnored = false
    /// When the touch ended; nil while it is down.
    var ended: Moment?
    /// When the touch is committed, on `CLOCK_BOOTTIME`: at its end, or `lateNames` after its
    /// beginning if that is later.
    var settles: Timestamp?
    var isPalm = false
    var isCancelled = false
    var isPreexisting = false
    /// Whether it began in a cover, and whether the app did not get it.
    var isCovered = false
    var isSwallowed = false
    /// Whether it neither begins a session nor keeps one open.
    var isQuiet = false
    /// Whether the touch was counted in the grids: it was committed before its session closed, and
    /// was neither masked, nor a palm, nor swallowed.
    var isCounted = false
    var isSettled = false
    /// The screen that was shown when the touch began, according to the names that had arrived by
    /// the time the touch was committed.
    var screen = ""
  }

  struct Session {
    var id: Int64
    var began: Moment
    /// The index of its first touch.
    var first: Int
    var end: (reason: SessionEnd, at: Timestamp)?
    /// The session cannot become idle before this time.
    var heldUntil = Timestamp.zero
    var isClosed = false
    var drops: UInt64 = 0
    var totalsAtClose = SessionTotals()
  }

  private(set) var rules: SessionRules
  private(set) var masks: Set<Mask> = []
  private(set) var isPaused = false
  var covers: [Cover] = []
  private(set) var spans: [SwallowedSpan] = []
  var touches: [Touch] = []
  var sessions: [Session] = []
  var names: [(time: Timestamp, name: String)] = []
  var unrecorded = 0
  /// All touches before this index are settled.
  private var firstPending = 0

  init(rules: SessionRules) { self.rules = rules }

  var current: Int? { sessions.indices.last.flatMap { sessions[$0].end == nil ? $0 : nil } }

  func screen(at time: Timestamp) -> String {
    var latest: (time: Timestamp, name: String)?
    for change in names where change.time <= time {
      if let known = latest, change.time < known.time { continue }
      latest = change
    }
    return latest?.name ?? "default"
  }

  mutating func begin(_ touch: Touch, x: Int32, y: Int32, at now: Moment) -> Int {
    settle(now)
    endIfIdle(now)
    var touch = touch
    touch.points = [touch.placement.locate(rawX: x, rawY: y).point]
    if isPaused {
      unrecorded += 1
      (touch.ended, touch.isSettled, touch.isIgnored) = (now, true, true)
      touches.append(touch)
      return touches.count - 1
    }
    touch.crossed = rectangles(touch).filter {
      $0.rectangle?.contains(touch.points[0]) == true
    }
    touch.isCovered = covers.contains { cover in
      (cover.display ?? touch.placement.display) == touch.placement.display
        && cover.rectangle.contains(touch.points[0])
    }
    let span = spans.first { includes($0, touch) }
    touch.isSwallowed = touch.isCovered || span != nil
    touch.isQuiet = !isMasked(touch) && (touch.isCovered || span?.isUse == false)
    let isFinger = !touch.isQuiet && (!touch.isPalm || isMasked(touch))
    if current == nil, rules.mode == .automatic, isFinger { open(now) }
    touch.session = current.map { sessions[$0].id }
    if touch.session == nil { unrecorded += 1 }
    touches.append(touch)
    return touches.count - 1
  }

  mutating func move(_ index: Int, x: Int32, y: Int32) {
    guard touches[index].ended == nil, let last = touches[index].points.last else { return }
    let point = touches[index].placement.locate(rawX: x, rawY: y).point
    touches[index].points.append(point)
    touches[index].crossed.formUnion(
      rectangles(touches[index]).filter { $0.rectangle.map { clips(last, point, $0) } == true })
  }

  mutating func end(_ index: Int, cancellation: Cancellation?, at now: Moment) {
    guard touches[index].ended == nil else { return }
    touches[index].isPalm = cancellation == .palm
    touches[index].isCancelled = cancellation != nil && cancellation != .palm
    touches[index].ended = now
    touches[index].settles = settling(touches[index])
  }

  private func settling(_ touch: Touch) -> Timestamp? {
    touch.ended.map { $0.boottime + max(0, (touch.began + rules.lateNames) - $0.monotonic) }
  }

  mutating func pause(_ now: Moment) {
    if isPaused { return }
    isPaused = true
    for index in touches.indices { end(index, cancellation: .lost, at: now) }
  }

  mutating func resume() { isPaused = false }

  mutating func setRules(_ rules: SessionRules, at now: Moment) {
    if self.rules.mode == .manual, rules.mode == .automatic, let current {
      sessions[current].heldUntil = now.boottime
    }
    self.rules = rules
    for index in touches.indices where !touches[index].isSettled {
      touches[index].settles = settling(touches[index])
    }
  }

  // MARK: Masks

  mutating func setMasks(_ masks: Set<Mask>) {
    for index in touches.indices where !touches[index].isSettled {
      if isMasked(touches[index]) { touches[index].wasMasked = true }
    }
    let former = self.masks
    self.masks = masks
    for index in touches.indices where !touches[index].isSettled {
      let touch = touches[index]
      let xs = touch.points.map(\.x).sorted()
      let ys = touch.points.map(\.y).sorted()
      touches[index].crossed = rectangles(touch).filter { mask in
        if former.contains(mask) { return touch.crossed.contains(mask) }
        guard let box = mask.rectangle else { return false }
        return xs[xs.count - 1] >= box.x && xs[0] <= box.x + box.width
          && ys[ys.count - 1] >= box.y && ys[0] <= box.y + box.height
      }
    }
  }

  private func rectangles(_ touch: Touch) -> Set<Mask> {
    masks.filter {
      $0.rectangle != nil && ($0.display == nil || $0.display == touch.placement.display)
    }
  }

  /// Whether the touch is masked, by what is known now.
  func isMasked(_ touch: Touch) -> Bool {
    let screen = screen(at: touch.began)
    return touch.wasMasked || touch.crossed.contains { $0.screen == screen }
      || masks.contains(Mask(screen: screen))
      || masks.contains(Mask(screen: screen, display: touch.placement.display))
  }

  // MARK: Swallowed touches

  private func includes(_ span: SwallowedSpan, _ touch: Touch) -> Bool {
    (span.display ?? touch.placement.display) == touch.placement.display
      && span.from <= touch.began && touch.began < span.until ?? Timestamp(microseconds: .max)
  }

  /// Adds a span, or replaces that with the same beginning.
  mutating func swallow(_ span: SwallowedSpan, at now: Moment) {
    let former = spans.filter { $0.from == span.from && $0.display == span.display }
    spans.removeAll(where: former.contains)
    spans.append(span)
    for index in touches.indices where !touches[index].isSettled && !touches[index].isCovered {
      if includes(span, touches[index]) {
        touches[index].isSwallowed = true
      } else if former.contains(where: { includes($0, touches[index]) }) {
        touches[index].isSwallowed = false
        if touches[index].isQuiet { makeLoud(index, at: now) }
      }
    }
  }

  /// Lets quiet touches that proved to be masked count like all masked touches.
  mutating func confirmMasked(at now: Moment) {
    for index in touches.indices where !touches[index].isSettled && touches[index].isQuiet {
      if isMasked(touches[index]) { makeLoud(index, at: now) }
    }
  }

  private mutating func makeLoud(_ index: Int, at now: Moment) {
    let began = touches[index].began
    guard now.monotonic - began <= rules.lateNames + 1_000_000 else { return }
    touches[index].isQuiet = false
    guard touches[index].session == nil else { return }
    if current == nil, rules.mode == .automatic {
      let ago = now.monotonic - began
      open(
        Moment(
          monotonic: began, boottime: now.boottime + -ago,
          wall: WallTime(milliseconds: now.wall.milliseconds - ago / 1000)), first: index)
    }
    guard let current else { return }
    touches[index].session = sessions[current].id
    sessions[current].first = min(sessions[current].first, index)
    unrecorded -= 1
  }

  mutating func open(_ now: Moment, first: Int? = nil) {
    let id = Int64(sessions.count) + 1
    sessions.append(Session(id: id, began: now, first: first ?? touches.count))
  }

  mutating func end(_ reason: SessionEnd, at now: Moment) {
    guard let current else { return }
    sessions[current].end = (reason, now.boottime)
    close(now)
  }

  mutating func advance(_ now: Moment) {
    settle(now)
    endIfIdle(now)
    if let current, rules.mode == .automatic,
      now.boottime - sessions[current].began.boottime >= rules.maxDuration
    {
      end(.maxDuration, at: now)
    }
    close(now)
  }

  mutating func stop(_ now: Moment) {
    for index in touches.indices where touches[index].ended != nil { settle(index) }
    end(.stopped, at: now)
    for index in sessions.indices where !sessions[index].isClosed { close(index) }
  }

  private mutating func settle(_ now: Moment) {
    while firstPending < touches.count, touches[firstPending].isSettled { firstPending += 1 }
    for index in firstPending..<touches.count {
      if let settles = touches[index].settles, settles <= now.boottime { settle(index) }
    }
  }

  private mutating func settle(_ index: Int) {
    guard !touches[index].isSettled else { return }
    touches[index].screen = screen(at: touches[index].began)
    touches[index].isMasked = isMasked(touches[index])
    touches[index].isSettled = true
    let session = sessions.first { $0.id == touches[index].session }
    touches[index].isCounted =
      session?.isClosed == false && !touches[index].isPalm && !touches[index].isMasked
      && !touches[index].isSwallowed
  }

  private func members(_ session: Session) -> [Touch] {
    touches[session.first...].filter { $0.session == session.id }
  }

  private func isDrained(_ session: Session) -> Bool {
    (max(session.first, firstPending)..<touches.count).allSatisfy {
      touches[$0].isSettled || touches[$0].session != session.id
    }
  }

  private mutating func endIfIdle(_ now: Moment) {
    guard let current, rules.mode == .automatic else { return }
    let members = members(sessions[current])
    guard members.allSatisfy({ $0.isSettled || $0.isQuiet }) else { return }
    let signs = members.filter { !$0.isPalm && !$0.isQuiet || $0.isMasked }.compactMap {
      $0.ended?.boottime
    }
    let last = max(
      sessions[current].began.boottime, sessions[current].heldUntil, signs.max() ?? .zero)
    guard now.boottime - last >= rules.idleTimeout else { return }
    sessions[current].end = (.idle, last)
    close(now)
  }

  private mutating func close(_ now: Moment) {
    for index in sessions.indices where !sessions[index].isClosed {
      guard let end = sessions[index].end else { continue }
      if isDrained(sessions[index])
        || now.boottime - end.at >= 5_000_000 + max(50_000, rules.lateNames)
      {
        close(index)
      }
    }
  }

  private mutating func close(_ index: Int) {
    let members = members(sessions[index]).map { touch in
      var touch = touch
      if !touch.isSettled { touch.isMasked = isMasked(touch) }
      return touch
    }
    func count(_ isOne: (Touch) -> Bool) -> UInt64 { UInt64(members.filter(isOne).count) }
    let plain = members.filter { !$0.isMasked }
    var totals = SessionTotals()
    totals.begun = UInt64(members.count)
    totals.counted = count(\.isCounted)
    totals.masked = count(\.isMasked)
    totals.swallowed = UInt64(plain.filter { $0.isSwallowed && $0.isSettled }.count)
    totals.palms = UInt64(plain.filter { $0.isPalm && $0.isSettled && !$0.isSwallowed }.count)
    totals.stillDown = UInt64(plain.filter { !$0.isSettled }.count)
    totals.cancelled = UInt64(plain.filter(\.isCancelled).count)
    totals.preexisting = UInt64(plain.filter(\.isPreexisting).count)
    totals.drops = sessions[index].drops
    sessions[index].totalsAtClose = totals
    sessions[index].isClosed = true
  }
}

/// Whether a line meets a rectangle. Clips the line to the rectangle (Liang and Barsky, "A new
/// concept and method for line clipping", 1984).
func clips(_ from: Point, _ to: Point, _ rectangle: Rectangle) -> Bool {
  var (enters, leaves) = (0.0, 1.0)
  for (start, delta, low, size) in [
    (from.x, to.x - from.x, rectangle.x, rectangle.width),
    (from.y, to.y - from.y, rectangle.y, rectangle.height),
  ] {
    if delta == 0 {
      if start < low || start > low + size { return false }
      continue
    }
    let (one, other) = ((low - start) / delta, (low + size - start) / delta)
    enters = max(enters, min(one, other))
    leaves = min(leaves, max(one, other))
  }
  return enters <= leaves
}
