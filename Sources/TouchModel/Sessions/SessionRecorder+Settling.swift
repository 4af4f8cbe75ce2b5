/// From the touch that has ended to the grids, once it is known which screen it belongs to.
extension SessionRecorder {
  /// Adds the touches to the grids whose screen is known by now.
  /// - Parameter time: on `CLOCK_BOOTTIME`.
  mutating func settle(until time: Timestamp, at moment: Moment) {
    guard let nextSettling, nextSettling <= time else { return }
    let due = ended.filter { $0.settles <= time }
    ended.removeAll { $0.settles <= time }
    updateNextSettling()
    for touch in due { settle(touch, at: moment) }
    forgetDisplays(at: moment)
  }

  mutating func updateNextSettling() { nextSettling = ended.lazy.map(\.settles).min() }

  mutating func settle(_ touch: EndedTouch, at moment: Moment) {
    let live = touch.live
    let trace = live.trace
    let isStill = trace.isStill
    let verdict =
      isStill && rules.separatesGhosts
      ? devices[touch.device].ghosts.observe(
        touch: trace.touch, x: trace.rawX, y: trace.rawY, at: trace.began) : nil
    if let verdict {
      devices[touch.device].tally.ghosts += UInt64(verdict.earlier.count) + 1
      moveOut(verdict.earlier, at: moment)
      update(live.session, at: moment) { session in
        session.totals.ghosts += 1
        session.totals.stillDown -= 1
      }
      if live.session == nil { tallyGhost(of: touch, period: verdict.period, at: moment) }
    } else if let display = displays[trace.placement.display] {
      // A suspect that was out of beat after all, and that no session could take.
      if live.session == nil { devices[touch.device].tally.unrecorded += 1 }
      let screen = display.timeline.name(at: trace.began)
      let layers = rules.layers
      update(live.session, at: moment) { session in
        session.totals.stillDown -= 1
        session.count(trace, screen: screen, layers: layers)
        guard isStill else { return }
        session.remember(
          OpenSession.StillTouch(
            touch: trace.touch, ended: touch.ended,
            key: GridKey(
              display: trace.placement.display, screen: screen, geometry: trace.placement.geometry),
            block: trace.firstBlock,
            milliseconds: trace.visits.reduce(0) { $0 + $1.milliseconds },
            clampedSamples: trace.clampedSamples))
      }
    }
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
