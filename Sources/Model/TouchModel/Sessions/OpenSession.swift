/// A session in memory: its totals, and the grids of its screens.
struct OpenSession: Sendable {
  /// The maximum number of screens of a session.
  static let screenLimit = 256

  /// The counts that a touch without motion or duration added to the grids, from which it can be
  /// removed.
  struct StillTouch: Sendable {
    let touch: TouchID
    let ended: Moment.Instant
    let key: GridKey
    /// The layers that it was added to.
    let layers: Set<Layer>
    let block: Int
    let milliseconds: UInt64
    let clampedSamples: UInt64
    let effects: [TallyEffect]
  }

  /// The time for which a screen was shown, and its masks meanwhile.
  private struct ShownTime: Sendable {
    var microseconds: Int64 = 0
    var masks: Set<Rectangle> = []

    mutating func add(_ other: ShownTime, on geometry: DisplayGeometry) {
      microseconds += other.microseconds
      guard !other.masks.isSubset(of: masks) else { return }
      masks = Set(Rectangle.union([masks, other.masks], on: geometry))
    }
  }

  private struct View: Sendable {
    var shown = ShownTime()
    var touches: UInt64 = 0
    var placements: [Placement] = []
    /// The counters of each layer, by `Layer.place`; nil: only zeros.
    var layers: [Counters?] = Layer.allCases.map { _ in nil }
    var haveChanged = Layer.allCases.map { _ in false }
    var hasChanged = true
  }

  let id: Int64
  let began: Moment
  var tags: [String: String] = [:]
  /// The totals. Touches that are not committed yet count only as `begun` and `stillDown`; see
  /// `SessionRecorder.totals(of:)`.
  var totals = SessionTotals()
  /// Of `totals.stillDown`: touches that do not keep the session open (`ActiveContact.isQuiet`).
  var quietDown: UInt64 = 0
  /// Whether a touch keeps the session open.
  var isHeld: Bool { totals.stillDown > quietDown }
  /// The last activity of a person. Excludes `stillTouches`, which may prove to be ghosts.
  var lastActive: Moment.Instant
  /// The last activity of a person that is known to have been outside of masks. Excludes
  /// `stillTouches` too.
  var lastUnmasked: Moment.Instant
  /// Set when the session has ended but waits for touches that are not committed.
  var ending: (reason: SessionEnd, at: Moment)?
  /// The time of the oldest change that is in no record yet, on `CLOCK_BOOTTIME`; nil if there is
  /// none.
  private(set) var changedSince: Timestamp?

  private var views = ScreenList<View>()
  private var screens: Set<String> = []
  /// Whether a masked screen was shown for which there was no room. Touches on such screens count
  /// as masked.
  private(set) var lacksScreens = false
  /// The size of the counters of grids, in bytes.
  private var gridBytes = 0
  /// The size of all counters, including those of other counts, in bytes.
  var counterBytes: Int { tallies.indices.reduce(gridBytes) { $0 + tallies[$1].byteCount } }
  /// Whether touches were counted on `otherScreen`, or without grids, because memory had no room
  /// for the grids of their screens.
  private(set) var isOverflowing = false
  /// The time, on `CLOCK_MONOTONIC`, up to which screens have been counted as shown.
  private(set) var shownUntil: Timestamp
  /// The time for which each screen was shown between `shownUntil` and `gatheredUntil`. It counts
  /// only if there is a later activity of a person.
  private var gathered: [GridKey: ShownTime] = [:]
  /// The time before which the session needs no timelines, on `CLOCK_MONOTONIC`. Never before
  /// `shownUntil`.
  private(set) var gatheredUntil: Timestamp
  /// The latest touches without motion or duration. Later touches may prove that they are ghosts.
  private var stillTouches: [StillTouch] = []
  private static let stillTouchLimit = 64

  /// The changes between screens.
  var flow: FlowTally
  /// The counts of the kinds that have a tally for touches.
  private var tallies: [any CountTally]
  /// Whether a tally has left out a touch for lack of room.
  var hasFullTally: Bool { tallies.contains { $0.isFull } }

  init(id: Int64, began: Moment, funnels: [Funnel] = [], tallies: [any CountTally] = []) {
    self.tallies = tallies
    self.id = id
    self.began = began
    flow = FlowTally(began: began.monotonic, funnels: funnels)
    lastActive = began.instant
    lastUnmasked = began.instant
    shownUntil = began.monotonic
    gatheredUntil = began.monotonic
  }

  /// Records that something has changed.
  mutating func touch(at moment: Moment) {
    if changedSince == nil { changedSince = moment.boottime }
  }

  /// The wall time of an instant, by the wall clock at the start of the session.
  func wall(of instant: Moment.Instant) -> WallTime {
    let elapsed = max(0, instant.boottime - began.boottime) / 1000
    return WallTime(milliseconds: began.wall.milliseconds + elapsed)
  }

  // MARK: Counting

  /// The grids to which a touch was added.
  struct Place {
    var key: GridKey
    /// The layers that it was added to.
    var layers: Set<Layer>
    /// Whether the grids are those of the touch's own screen, not of `otherScreen`.
    var isOwn = true
  }

  /// Adds an ended touch to the grids of its screen. If memory has no room for these grids, adds
  /// the touch to the grids of `otherScreen`. If there is no room for those either, or
  /// `otherScreen` has a mask, only the screen's number of touches increases.
  /// - Parameters:
  ///   - masks: the masks that may have applied to the touch.
  ///   - used: the size of the counters of all open sessions, in bytes.
  mutating func count(
    _ trace: borrowing TouchTrace, screen: String, layers: Set<Layer>,
    masks: borrowing MaskHistory, used: Int
  ) -> Place {
    let (display, geometry) = (trace.placement.display, trace.placement.geometry)
    let own = GridKey(display: display, screen: screen, geometry: geometry)
    let isOther = screen.hasSameBytes(as: SessionRecorder.otherScreen)
    let limit = isOther ? GridMemory.limit : GridMemory.namedLimit
    if hasRoom(for: trace, layers, on: own, used: used, limit: limit) {
      return add(trace, layers, to: own, masks: masks)
    }
    isOverflowing = true
    let other = GridKey(
      display: display, screen: SessionRecorder.otherScreen, geometry: geometry)
    // A masked screen must not get touches of other screens.
    if !masks.masks.concern(other.screen, on: display),
      hasRoom(for: trace, layers, on: other, used: used, limit: GridMemory.limit)
    {
      var place = add(trace, layers, to: other, masks: masks)
      place.isOwn = false
      // Touches in the masks of the touch's own screen are missing from `otherScreen` as well, so
      // list these masks there.
      let rectangles = masks.rectangles(of: own, from: trace.began, to: trace.began)
      let view = views.place(of: other, orNew: View())
      views.values[view].shown.add(ShownTime(masks: rectangles), on: geometry)
      return place
    }
    return add(trace, [], to: own, masks: masks)
  }

  private func hasRoom(
    for trace: borrowing TouchTrace, _ layers: Set<Layer>, on key: GridKey, used: Int, limit: Int
  ) -> Bool {
    // A counter has 8 bytes at most, so an exact sum is needed only near the limit.
    let most = layers.count * 8 * key.geometry.columns * key.geometry.rows
    if used + most <= limit { return true }
    var growth = 0
    let place = views.place(of: key)
    for layer in layers {
      let grid = place.flatMap { views.values[$0].layers[layer.place] }
      growth += trace.byteCount(adding: layer, to: grid) - (grid?.bytes.count ?? 0)
    }
    return growth == 0 || used + growth <= limit
  }

  private mutating func add(
    _ trace: borrowing TouchTrace, _ layers: Set<Layer>, to key: GridKey,
    masks: borrowing MaskHistory
  ) -> Place {
    let geometry = key.geometry
    let cells = geometry.columns * geometry.rows
    // Only a new view needs these masks: `addShown` adds the masks of an existing one.
    let view = views.place(
      of: key,
      orNew: View(
        shown: ShownTime(masks: masks.rectangles(of: key, from: trace.began, to: trace.began))))
    views.values[view].touches += 1
    views.values[view].hasChanged = true
    if !views.values[view].placements.contains(trace.placement) {
      views.values[view].placements.append(trace.placement)
    }
    let last = trace.lastVisit
    for layer in layers {
      gridBytes -= views.values[view].layers[layer.place]?.bytes.count ?? 0
      // Take the counters out while they change, so that they are not copied.
      var counters = views.values[view].layers[layer.place].take() ?? Counters(count: cells)
      switch layer {
      case .taps: counters.add(1, at: trace.firstBlock)
      case .trail:
        counters.add(trace.formerStays) { (Int($0.block), 1) }
        counters.add(trace.mergedVisits) { ($0.block, $0.entries) }
        counters.add(last.entries, at: last.block)
      case .dwell:
        counters.add(trace.formerStays) { (Int($0.block), UInt64($0.milliseconds)) }
        counters.add(trace.mergedVisits) { ($0.block, $0.milliseconds) }
        counters.add(last.milliseconds, at: last.block)
      }
      gridBytes += counters.bytes.count
      views.values[view].layers[layer.place] = counters
      views.values[view].haveChanged[layer.place] = true
    }
    totals.counted += 1
    totals.clamped += trace.clampedSamples
    return Place(key: key, layers: layers)
  }

  mutating func tally(_ touch: CountedTouch) -> [TallyEffect] {
    tallies.indices.compactMap { index in
      tallies[index].add(touch).map { TallyEffect(tally: index, effect: $0) }
    }
  }

  /// Passes an event to all tallies. Each tally handles the events that it knows.
  mutating func note(_ event: any Sendable) {
    for index in tallies.indices { tallies[index].note(event) }
  }

  /// Remembers a counted touch without motion or duration. Such a touch is an activity of a person
  /// only if it does not prove to be a ghost.
  mutating func remember(_ still: StillTouch) {
    if stillTouches.count == Self.stillTouchLimit {
      let ended = stillTouches.removeFirst().ended
      (lastActive, lastUnmasked) = (max(lastActive, ended), max(lastUnmasked, ended))
    }
    stillTouches.append(still)
  }

  /// The last activity of a person, including `stillTouches`, which may be ghosts.
  var lastSign: Moment.Instant { stillTouches.reduce(lastActive) { max($0, $1.ended) } }

  /// The last activity outside of masks, including `stillTouches`.
  var lastUnmaskedSign: Moment.Instant {
    stillTouches.reduce(lastUnmasked) { max($0, $1.ended) }
  }

  /// Moves a counted touch from the grids to the suspected ghosts.
  /// - Returns: false if the touch is not, or no longer, remembered.
  mutating func moveOutGhost(_ touch: TouchID) -> Bool {
    guard let index = stillTouches.firstIndex(where: { $0.touch == touch }) else { return false }
    let still = stillTouches.remove(at: index)
    guard let view = views.place(of: still.key) else { return false }
    views.values[view].touches -= 1
    views.values[view].hasChanged = true
    for effect in still.effects { tallies[effect.tally].moveOutGhost(effect.effect) }
    for layer in still.layers {
      guard var counters = views.values[view].layers[layer.place].take() else { continue }
      switch layer {
      case .taps, .trail: counters.subtract(1, at: still.block)
      case .dwell: counters.subtract(still.milliseconds, at: still.block)
      }
      views.values[view].layers[layer.place] = counters
      views.values[view].haveChanged[layer.place] = true
    }
    totals.counted -= 1
    totals.ghosts += 1
    totals.clamped -= still.clampedSamples
    return true
  }

  // MARK: Screens

  /// Adds a screen if the session has room for it. The initial screen always fits. Screens with
  /// masks have a higher limit, because their touches would otherwise be placed on the previous
  /// screen. Beyond that limit they are nevertheless shown, and all touches on them count as
  /// masked.
  /// - Returns: false if the screen must not be shown, because there is no room.
  mutating func admit(screen: String, hasMask: Bool) -> Bool {
    // This number is limited too, because a client may mask one screen after another.
    let limit = hasMask ? Self.screenLimit + Masks.limit : Self.screenLimit
    let isKnown = screens.contains(screen) || screen == ScreenTimeline.initialName
    guard screens.count < limit || isKnown else {
      if hasMask { lacksScreens = true }
      return hasMask
    }
    screens.insert(screen)
    return true
  }

  /// Whether touches on a screen may be counted.
  func hasRoom(forScreen screen: String) -> Bool {
    !lacksScreens || screens.contains(screen) || screen == ScreenTimeline.initialName
  }

  /// Counts the time for which each screen was shown, and its masks, from the end of the last
  /// call's stretch to `time`.
  mutating func addShown(
    until time: Timestamp, displays: [String: SessionRecorder.Display],
    masks: borrowing MaskHistory
  ) {
    // Screens that are shown after the session's end do not count for it.
    let end = min(time, ending?.at.monotonic ?? time)
    guard end > shownUntil else { return }
    takeGathered(until: end)
    guard end > gatheredUntil else { return }
    for stretch in stretches(displays, from: gatheredUntil, to: end, masks) {
      flow.show(stretch.key.screen, on: stretch.key.display, from: stretch.from)
      addShown(stretch.shown, on: stretch.key)
    }
    (shownUntil, gatheredUntil) = (end, end)
  }

  /// Adds up the time for which each screen was shown, so that timelines can forget it. The result
  /// counts once `addShown` is called for a later time.
  mutating func gatherShown(
    until time: Timestamp, displays: [String: SessionRecorder.Display],
    masks: borrowing MaskHistory
  ) {
    let end = min(time, ending?.at.monotonic ?? time)
    guard end > gatheredUntil else { return }
    // After many changes, their order gets lost.
    flow.giveUp()
    for (key, _, shown) in stretches(displays, from: gatheredUntil, to: end, masks) {
      gathered[key, default: ShownTime()].add(shown, on: key.geometry)
    }
    gatheredUntil = end
  }

  /// Counts the last changes of screens that the person may have seen, and ends the counts.
  /// - Parameter time: the time up to which screens are known.
  mutating func finishFlow(
    _ reason: SessionEnd, at end: Timestamp, displays: [String: SessionRecorder.Display],
    known time: Timestamp, isOneTouch: Bool, masks: Masks
  ) -> FlowCounts? {
    for (name, display) in displays {
      display.timeline.forEachStretch(from: gatheredUntil, to: time) { screen, from, _ in
        flow.show(screen, on: name, from: from)
      }
    }
    return flow.finish(reason, at: end, isOneTouch: isOneTouch, masks: masks)
  }

  /// Skips the time before `time`, which timelines have forgotten.
  mutating func skipShown(until time: Timestamp) {
    shownUntil = max(shownUntil, time)
    gatheredUntil = max(gatheredUntil, time)
  }

  /// Counts the gathered times up to a time. The exact times of each screen are no longer known. So
  /// if the time is before `gatheredUntil`, the same share of each screen is counted.
  private mutating func takeGathered(until end: Timestamp) {
    guard gatheredUntil > shownUntil else { return }
    let isAll = end >= gatheredUntil
    let share = Double(end - shownUntil) / Double(gatheredUntil - shownUntil)
    for (key, shown) in gathered {
      var part = shown
      if !isAll { part.microseconds = Int64(share * Double(shown.microseconds)) }
      gathered[key]?.microseconds -= part.microseconds
      addShown(part, on: key)
    }
    if isAll { gathered = [:] }
    shownUntil = min(end, gatheredUntil)
  }

  private mutating func addShown(_ shown: ShownTime, on key: GridKey) {
    let view = views.place(of: key, orNew: View())
    views.values[view].shown.add(shown, on: key.geometry)
    views.values[view].hasChanged = true
  }

  /// The stretches between two times in which a display showed one screen.
  private func stretches(
    _ displays: [String: SessionRecorder.Display], from start: Timestamp, to end: Timestamp,
    _ masks: borrowing MaskHistory
  ) -> [(key: GridKey, from: Timestamp, shown: ShownTime)] {
    var stretches: [(key: GridKey, from: Timestamp, shown: ShownTime)] = []
    for (name, display) in displays {
      display.timeline.forEachStretch(from: start, to: end) { screen, from, to in
        guard hasRoom(forScreen: screen) else { return }
        let key = GridKey(display: name, screen: screen, geometry: display.geometry)
        stretches.append(
          (
            key, from,
            ShownTime(
              microseconds: to - from, masks: masks.rectangles(of: key, from: from, to: to))
          ))
      }
    }
    return stretches
  }

  // MARK: For the store

  /// Returns the current state of the session for the store, and resets its list of changes.
  /// - Parameters:
  ///   - lastActive: the `lastActive` of the record.
  ///   - end: nil while touches may still be added, even if the session is ending.
  ///   - totals: the totals of the session.
  mutating func takeRecord(
    lastActive: WallTime, end: SessionEnd?, totals: SessionTotals, _ extent: Extent
  ) -> SessionRecord {
    let record = record(lastActive: lastActive, end: end, totals: totals, extent)
    for view in views.values.indices {
      views.values[view].hasChanged = false
      views.values[view].haveChanged.overwrite(with: false)
    }
    for index in tallies.indices { tallies[index].clearChanges() }
    changedSince = nil
    return record
  }

  /// The extent of views, grids and other counts in a record.
  enum Extent {
    /// No views, no grids and no other counts.
    case head
    /// Those that changed since the last record.
    case changed
    case all
  }

  /// Returns the current state of the session. Views and grids are sorted, so that their order does
  /// not reveal when each was first used.
  func record(
    lastActive: WallTime, end: SessionEnd?, totals: SessionTotals, _ extent: Extent
  ) -> SessionRecord {
    var record = SessionRecord(
      id: id, began: began.wall, lastActive: lastActive, end: end, tags: tags, totals: totals)
    record.lastUnmasked = wall(of: lastUnmaskedSign)
    guard extent != .head else { return record }
    record.changedCounts = tallies.flatMap { $0.counts(all: extent == .all) }
    for (key, view) in views.sorted {
      if view.hasChanged || extent == .all {
        record.changedViews.append(
          ScreenView(
            key: key, shownMilliseconds: UInt64(max(0, view.shown.microseconds / 1000)),
            touches: view.touches, placements: view.placements,
            masks: Rectangle.union([view.shown.masks], on: key.geometry)))
      }
      for layer in Layer.allCases where view.haveChanged[layer.place] || extent == .all {
        guard let counters = view.layers[layer.place] else { continue }
        record.changedGrids.append(Grid(key: key, layer: layer, counters: counters))
      }
    }
    record.changedCounts.sort { CountSubject.isBefore($0.subject, $1.subject) }
    return record
  }
}
