/// Committing ended touches to the grids, once it is known which screen they belong to.
extension SessionRecorder {
  /// Commits the touches that are due.
  /// - Parameter time: on `CLOCK_BOOTTIME`.
  mutating func commit(until time: Timestamp, at moment: Moment) {
    guard let nextCommit, nextCommit <= time else { return }
    let due = ended.filter { $0.commitsAt <= time }
    // In a new array: the memory of the old one would keep the committed touches (docs/privacy.md).
    ended = ended.filter { $0.commitsAt > time }
    updateNextCommit()
    for touch in due { commit(touch, at: moment) }
    forgetDisplays(at: moment)
  }

  mutating func updateNextCommit() { nextCommit = ended.lazy.map(\.commitsAt).min() }

  mutating func commit(_ touch: EndedTouch, at moment: Moment) {
    let live = touch.live
    if isMasked(live) { return commitMasked(touch, at: moment) }
    if touch.how != .palm, !live.isSuspect { noteTouchDown(of: touch, at: moment) }
    guard !live.isUnrecorded else { return }
    update(live.session, at: moment) { session in
      session.totals.stillDown -= 1
      if live.isPreexisting { session.totals.preexisting += 1 }
      if touch.isCancelled { session.totals.cancelled += 1 }
    }
    if touch.how == .palm {
      // A palm contributes nothing, not even the time before it was recognised.
      update(live.session, at: moment) { $0.totals.palms += 1 }
      if live.session == nil { devices[touch.device].tally.unrecorded += 1 }
    } else if let verdict = judge(touch) {
      devices[touch.device].tally.ghosts += UInt64(verdict.earlier.count) + 1
      moveOut(verdict.earlier, at: moment)
      update(live.session, at: moment) { $0.totals.ghosts += 1 }
      if live.session == nil { tallyGhost(of: touch, period: verdict.period, at: moment) }
    } else {
      // A touch without a session was suspected when it began, but it is no ghost.
      if live.session == nil { devices[touch.device].tally.unrecorded += 1 }
      count(touch, at: moment)
    }
  }

  /// Commits a masked touch: it counts as an activity and in the totals. It is no reason to write
  /// the session, because the time of writing would reveal the time of the touch.
  private mutating func commitMasked(_ touch: EndedTouch, at moment: Moment) {
    if touch.live.session == nil {
      if !touch.live.isUnrecorded { devices[touch.device].tally.unrecorded += 1 }
      return
    }
    update(touch.live.session, at: moment, isNews: false) { session in
      session.totals.stillDown -= 1
      session.totals.masked += 1
      session.lastActive = max(session.lastActive, touch.ended)
    }
  }

  /// - Returns: nil if the touch is not a suspected ghost.
  private mutating func judge(_ touch: EndedTouch) -> GhostDetector.Verdict? {
    let trace = touch.live.trace
    guard rules.separatesGhosts, trace.isStill else { return nil }
    return devices[touch.device].ghosts.observe(
      touch: trace.touch, x: trace.rawX, y: trace.rawY, at: trace.began)
  }

  private mutating func count(_ touch: EndedTouch, at moment: Moment) {
    let trace = touch.live.trace
    let screen = screen(of: touch.live) ?? ScreenTimeline.initialName
    let (layers, history, used) = (rules.layers, maskHistory, counterBytes)
    let id = touch.live.session
    var hasOverflown = false
    update(id, at: moment) { session in
      let wasOverflowing = session.isOverflowing
      let place = session.count(
        trace, screen: screen, layers: layers, masks: history, used: used)
      hasOverflown = session.isOverflowing && !wasOverflowing
      guard trace.isStill else { return }
      session.remember(
        OpenSession.StillTouch(
          touch: trace.touch, ended: touch.ended, key: place.key, layers: place.layers,
          block: trace.firstBlock, milliseconds: trace.visits.reduce(0) { $0 + $1.milliseconds },
          clampedSamples: trace.clampedSamples))
    }
    if hasOverflown { overflown = id }
  }

  private mutating func noteTouchDown(of touch: EndedTouch, at moment: Moment) {
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
