/// Touches that are never placed.
extension SessionRecorder {
  /// Other masks hold from now on, also for the touches that are not settled. What was masked stays so: the
  /// app that removes a mask thinks of what comes.
  public mutating func setMasks(_ masks: Masks, at moment: Moment) {
    replaceMasks(with: masks, at: moment.monotonic)
    // What may still be asked for: what was shown and is not added up, and by names that come late.
    let earliest = sessions.map(\.gatheredUntil).min() ?? moment.monotonic
    maskHistory.forget(before: min(earliest, moment.monotonic + -rules.lateNames))
  }

  /// - Parameter time: nil: as if it had always been so.
  mutating func replaceMasks(with masks: Masks, at time: Timestamp?) {
    let former = self.masks
    guard masks != former else { return }
    maskHistory.replace(with: masks, at: time, lead: rules.lateNames)
    hasHadSecrets = true
    revision += 1
    for index in devices.indices {
      devices[index].candidates = masks.candidates(on: devices[index].placement.display)
      for slot in devices[index].live.indices {
        guard let touch = devices[index].live[slot] else { continue }
        devices[index].live[slot] = adopting(touch, replacing: former)
      }
    }
    for index in ended.indices {
      ended[index].live = adopting(ended[index].live, replacing: former)
    }
  }

  private func adopting(_ touch: DownTouch, replacing former: Masks) -> DownTouch {
    var touch = touch
    touch.wasMasked = isMasked(touch, by: former)
    touch.trace.adopt(masks, replacing: former)
    return touch
  }

  /// Whether a touch is masked, as far as is known now.
  func isMasked(_ touch: borrowing DownTouch) -> Bool { isMasked(touch, by: masks) }

  private func isMasked(_ touch: borrowing DownTouch, by masks: borrowing Masks) -> Bool {
    touch.wasMasked || isMasked(touch.trace, screen: screen(of: touch), by: masks)
  }

  /// - Parameter screen: nil where it is no longer known: it might have been masked.
  func isMasked(
    _ trace: borrowing TouchTrace, screen: String?, by masks: borrowing Masks
  ) -> Bool {
    guard !masks.isEmpty else { return false }
    guard let screen else { return true }
    if masks.mayConcern(screen, on: trace.placement) { return true }
    return masks.cover(screen: screen, display: trace.placement.display, path: trace.path)
  }

  /// The books of a session as they would be if no more became known: what is masked shows there alone, and
  /// nowhere that it was down, lost or there before.
  func books(of session: borrowing OpenSession) -> SessionTotals {
    var totals = session.totals
    let id = session.id
    func book(_ touch: borrowing DownTouch, isCancelled: Bool) {
      guard touch.session == id else { return }
      if isMasked(touch) {
        totals.stillDown -= 1
        totals.masked += 1
      } else {
        if touch.isPreexisting { totals.preexisting += 1 }
        if isCancelled { totals.cancelled += 1 }
      }
    }
    for device in devices {
      for case .some(let touch) in device.live { book(touch, isCancelled: false) }
    }
    for touch in ended { book(touch.live, isCancelled: touch.isCancelled) }
    return totals
  }
}
