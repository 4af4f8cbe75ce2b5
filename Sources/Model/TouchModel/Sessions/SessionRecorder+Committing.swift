/// Commits ended touches to the grids once their screen is known.
extension SessionRecorder {
  /// Commits the touches that are due.
  /// - Parameter time: on `CLOCK_BOOTTIME`.
  mutating func commit(until time: Timestamp, at moment: Moment) {
    guard let nextCommit, nextCommit <= time else { return }
    // Create a new array: removing the touches in place would leave them in memory
    // (docs/privacy.md).
    let waiting = ended.filter { $0.commitsAt > time }
    var due = (waiting.isEmpty ? ended : ended.filter { $0.commitsAt <= time })[...]
    ended = waiting
    updateNextCommit()
    while let touch = due.popFirst() {
      let isCounted = commit(touch, at: moment)
      if isCounted { noteAct(touch, beside: &due) }
      finishPairs(of: touch.live.trace.touch, counts: isCounted, at: moment)
    }
    if responses.haveWaiting { responses.forgetWaiting(unless: ended.map(\.ended.monotonic)) }
    forgetDisplays(at: moment)
  }

  mutating func updateNextCommit() { nextCommit = ended.lazy.map(\.commitsAt).min() }

  /// - Returns: whether the touch was counted, and will not be removed.
  private mutating func commit(_ touch: borrowing EndedTouch, at moment: Moment) -> Bool {
    if isMasked(touch.live) {
      commitMasked(touch, at: moment)
      return false
    }
    if touch.how != .palm, !touch.live.isSuspect, !touch.live.isQuiet {
      noteTouchDown(of: touch, at: moment)
    }
    guard !touch.live.isUnrecorded else { return false }
    update(touch.live.session, at: moment) { session in
      session.totals.stillDown -= 1
      if touch.live.isQuiet { session.quietDown -= 1 }
      if touch.how != .palm, !touch.live.trace.isStill, !touch.live.isQuiet {
        session.lastUnmasked = max(session.lastUnmasked, touch.ended)
      }
      if touch.live.isPreexisting { session.totals.preexisting += 1 }
      if touch.isCancelled { session.totals.cancelled += 1 }
    }
    let isSwallowed = touch.live.swallowing != nil
    typealias Total = WritableKeyPath<SessionTotals, UInt64>
    func total(_ own: Total) -> Total { isSwallowed ? \.swallowed : own }
    if touch.how == .palm || (!rules.countsGrips && grip(touch) != nil) {
      // A palm is not counted in the grids at all, not even the time before it was recognised.
      update(touch.live.session, at: moment) { $0.totals[keyPath: total(\.palms)] += 1 }
      if touch.live.session == nil { devices[touch.device].tally.unrecorded += 1 }
    } else if let verdict = judge(touch) {
      devices[touch.device].tally.ghosts += UInt64(verdict.earlier.count) + 1
      moveOut(verdict.earlier, at: moment)
      let lines = touch.live.trace.panel.lines
      let isPanelCounted = counts(lines)
      update(touch.live.session, at: moment) { session in
        session.totals[keyPath: total(\.ghosts)] += 1
        guard isPanelCounted else { return }
        session.note(PanelTally.Ghost(key: lines.key, hour: Self.hour(of: touch, in: session)))
      }
      if touch.live.session == nil { tallyGhost(of: touch, period: verdict.period, at: moment) }
    } else {
      // A touch without a session is quiet, or was a suspected ghost when it began, but has proven
      // not to be one.
      if touch.live.session == nil { devices[touch.device].tally.unrecorded += 1 }
      if isSwallowed { countSwallowed(touch, at: moment) } else { count(touch, at: moment) }
      return !(rules.separatesGhosts && touch.live.trace.isStill)
    }
    return false
  }

  /// Commits a masked touch: it counts as activity and in the totals. It does not cause a record,
  /// because the time of writing would reveal the time of the touch.
  private mutating func commitMasked(_ touch: EndedTouch, at moment: Moment) {
    if touch.live.session == nil {
      if !touch.live.isUnrecorded { devices[touch.device].tally.unrecorded += 1 }
      return
    }
    let display = touch.live.trace.placement.display
    update(touch.live.session, at: moment, isNews: false) { session in
      session.totals.stillDown -= 1
      if touch.live.isQuiet { session.quietDown -= 1 }
      session.totals.masked += 1
      session.lastActive = max(session.lastActive, touch.ended)
      session.flow.noteMasked(on: display)
    }
  }

  /// Adds a touch to the session's flow.
  private mutating func addToFlow(
    _ touch: borrowing EndedTouch, screen: String, isKnown: Bool, at moment: Moment
  ) {
    let (display, began) = (touch.live.trace.placement.display, touch.live.trace.began)
    let shown = touch.live.screen == nil ? displays[display]?.timeline.shown(at: began) : nil
    let part = FlowTally.Touch(
      display: display, screen: screen, shown: shown, began: began,
      ended: touch.ended.monotonic, isKnown: isKnown)
    update(touch.live.session, at: moment, isNews: false) { $0.flow.add(part) }
  }

  /// - Returns: nil if the touch is not a suspected ghost.
  private mutating func judge(_ touch: borrowing EndedTouch) -> GhostDetector.Verdict? {
    guard rules.separatesGhosts, touch.live.trace.isStill else { return nil }
    return devices[touch.device].ghosts.observe(
      touch: touch.live.trace.touch, x: touch.live.trace.rawX, y: touch.live.trace.rawY,
      at: touch.live.trace.began)
  }

  private mutating func count(_ touch: borrowing EndedTouch, at moment: Moment) {
    let trace = touch.live.trace
    let screen = screen(of: touch.live) ?? ScreenTimeline.initialName
    let (layers, history, used) = (rules.layers, maskHistory, counterBytes)
    let id = touch.live.session
    let (known, separates) = (controls(of: screen, at: trace), rules.separatesGhosts)
    let (pointSize, grip) = (pointSize(of: trace), grip(touch))
    let isPanelCounted = counts(trace.panel.lines)
    var hasOverflown = false
    var counted: (touch: CountedTouch, effects: [TallyEffect])?
    update(id, at: moment) { session in
      let wasOverflowing = session.isOverflowing
      let place = session.count(
        trace, screen: screen, layers: layers, masks: history, used: used)
      hasOverflown = session.isOverflowing && !wasOverflowing
      let controls = place.isOwn ? known : nil
      let own = CountedTouch(
        key: place.key, isSuspect: separates && trace.isStill, isWhole: touch.isWhole,
        grip: grip, pointSize: pointSize,
        hour: Self.hour(of: touch, in: session), isShort: touch.isShort,
        isOfPanel: isPanelCounted, controls: controls, match: controls?.match(trace.point),
        used: used, trace: trace)
      let effects = session.tally(own)
      if own.controls != nil { counted = (own, effects) }
      guard trace.isStill else { return }
      session.remember(
        OpenSession.StillTouch(
          touch: trace.touch, ended: touch.ended, key: place.key, layers: place.layers,
          block: trace.firstBlock, milliseconds: trace.milliseconds,
          clampedSamples: trace.clampedSamples, effects: effects))
    }
    if let extent = trace.clampedExtent {
      devices[touch.device].tally.noteClamped(extent)
      clampedTouches += 1
    }
    if hasOverflown { overflown = id }
    if let (own, effects) = counted, let id {
      expectResponse(
        to: own, effects, session: id, ended: touch.ended.monotonic, at: moment)
    }
    let isCertain = !(trace.isStill && rules.separatesGhosts) && !touch.live.isPreexisting
    addToFlow(touch, screen: screen, isKnown: isCertain, at: moment)
  }

  /// Counts a swallowed touch in the totals, and for its panel, which may be failing there. Nothing
  /// of it concerns the app.
  private mutating func countSwallowed(_ touch: EndedTouch, at moment: Moment) {
    let (live, panel) = (touch.live, touch.live.trace.panel)
    let isPanelCounted = counts(panel.lines)
    update(live.session, at: moment) { session in
      session.totals.swallowed += 1
      if !live.isQuiet {
        session.lastActive = max(session.lastActive, touch.ended)
        session.lastUnmasked = max(session.lastUnmasked, touch.ended)
      }
      guard isPanelCounted else { return }
      session.note(
        PanelTally.Swallowed(
          trace: panel, hour: Self.hour(of: touch, in: session), isShort: touch.isShort))
    }
    // Short contacts of sessions are among the counts of the panel. A cover must not hide those
    // between sessions.
    if live.session == nil, live.swallowing == .cover, isPanelCounted, touch.isShort {
      let middle = panel.lines.middle(of: panel)
      ghosts.add(
        GhostTally(
          device: devices[touch.device].key, x: middle.x, y: middle.y, periodMilliseconds: 0,
          touches: 1), at: moment.boottime)
    }
  }

  private mutating func noteTouchDown(of touch: borrowing EndedTouch, at moment: Moment) {
    let began = touch.live.trace.began
    let instant = Moment.Instant(
      monotonic: began, boottime: touch.ended.boottime + (began - touch.ended.monotonic))
    noteTouchDown(moment.earlier(instant))
  }

  mutating func noteTouchDown(_ touchDown: Moment) {
    if let lastTouchDown, lastTouchDown.boottime >= touchDown.boottime { return }
    lastTouchDown = touchDown
  }

  mutating func moveOut(_ touches: [TouchID], at moment: Moment) {
    for touch in touches {
      for index in sessions.indices where sessions[index].moveOutGhost(touch) {
        sessions[index].touch(at: moment)
      }
    }
  }

  mutating func tallyGhost(of touch: EndedTouch, period: Int64, at moment: Moment) {
    let trace = touch.live.trace
    let tally = GhostTally(
      device: devices[touch.device].key, x: trace.rawX, y: trace.rawY,
      periodMilliseconds: period / 1000, touches: 1)
    ghosts.add(tally, at: moment.boottime)
  }
}

/// Queries for the current state.
extension SessionRecorder {
  /// The current state of the running session; nil if no session is running. Touches that wait for
  /// a late name or for their touch-up are among `stillDown`.
  /// - Parameter withGrids: whether to include all views and grids, even those that are stored.
  public func runningSession(withGrids: Bool = false, at moment: Moment) -> SessionRecord? {
    guard current != nil, var session = sessions.last else { return nil }
    let sign = session.isHeld ? moment.instant : session.lastSign
    if withGrids {
      session.addShown(until: moment.monotonic, displays: displays, masks: maskHistory)
    }
    return session.record(
      lastActive: session.wall(of: sign), end: nil, totals: totals(of: session),
      withGrids ? .all : .head)
  }

  /// The current screen.
  /// - Parameter display: nil for the only display. Without exactly one display, nil stands for the
  ///   screen that was last named for all displays.
  /// - Returns: nil if no device lies on the named display.
  public func screen(of display: String? = nil) -> String? {
    if let display { return displays[display]?.timeline.current }
    if displays.count == 1, let only = displays.first { return only.value.timeline.current }
    return screens.current
  }

  /// A number that rises whenever `screen(of:)` changes, even for a moment.
  /// - Parameter display: as for `screen(of:)`.
  public func screenRevision(of display: String? = nil) -> Int64 {
    if let display { return displays[display]?.timeline.revision ?? 0 }
    if displays.count == 1, let only = displays.first { return only.value.timeline.revision }
    return screens.revision
  }

  /// The screen that a display showed at a time, as far as known now.
  /// - Returns: nil if it is no longer known.
  public func screen(of display: String, at time: Timestamp) -> String? {
    displays[display]?.timeline.name(at: time)
  }

  public func placement(of device: DeviceIndex) -> Placement { devices[device].placement }

  /// The number of touches that are down and, as far as known, not masked. Includes touches outside
  /// of sessions, but not touches that began while recording was paused.
  public var touchesDown: Int {
    devices.reduce(0) { $0 + touchesDown(of: $1) }
  }

  public func touchesDown(of device: DeviceIndex) -> Int { touchesDown(of: devices[device]) }

  private func touchesDown(of device: Device) -> Int {
    device.live.count { touch in touch.map { !isMasked($0) } ?? false }
  }

  /// The sum over all devices, including removed ones.
  public var tally: DeviceTally {
    devices.reduce(into: formerTally) { $0.add($1.tally) }
  }
}

extension SessionRecorder.DeviceTally {
  mutating func add(_ other: Self) {
    touches += other.touches
    drops += other.drops
    ghosts += other.ghosts
    echoes += other.echoes
    unrecorded += other.unrecorded
  }
}

/// Reports whether the touchscreens are in use, for clients with the role `signal`. These functions
/// are `mutating`, although they change nothing, because otherwise a recorder that is a property of
/// an object would be copied.
extension SessionRecorder {
  /// The state as described by `Activity`.
  public mutating func activityState(
    idleAfter: Int64, since start: Timestamp, at now: Timestamp
  ) -> Activity.State? {
    activity.state(idleAfter: idleAfter, since: start, isTouched: isTouched, at: now)
  }

  /// The time at which the state becomes `idle`, on `CLOCK_BOOTTIME`; nil if a finger is down.
  public mutating func idleTime(idleAfter: Int64, since start: Timestamp) -> Timestamp? {
    isTouched ? nil : activity.idleTime(idleAfter: idleAfter, since: start)
  }

  /// Whether a finger is down, in a mask or not. Fingers that were put down during a pause are
  /// unknown.
  private var isTouched: Bool {
    devices.contains { $0.live.contains { $0?.isActivity ?? false } }
  }
}

/// Ends sessions that are to be forgotten.
extension SessionRecorder {
  /// Ends the selected sessions immediately, even if fingers are still down. Those fingers no
  /// longer count towards any session. Passes on the complete sessions once more, so that nothing
  /// is lost if forgetting them fails.
  /// - Parameter wanted: returns whether to end a session, given its number and its start time.
  /// - Returns: the number of the next session. Every session that may be forgotten has a lower
  ///   number.
  public mutating func closeForForgetting(
    at moment: Moment, where wanted: (_ id: Int64, _ began: WallTime) -> Bool
  ) -> Int64 {
    commit(until: moment.boottime, at: moment)
    while let index = sessions.firstIndex(where: { wanted($0.id, $0.began.wall) }) {
      if sessions[index].ending == nil { sessions[index].ending = (.client, moment) }
      closeSession(index, at: moment)
    }
    // Pass on the suspected ghosts that belong to no session, so that they are in the store when
    // their day is forgotten.
    ghosts.release()
    return nextSession
  }
}
