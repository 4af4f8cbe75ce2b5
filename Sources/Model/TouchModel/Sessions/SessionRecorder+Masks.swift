/// Masked touches.
extension SessionRecorder {
  /// Replaces the masks, also for touches that are not committed yet. A masked touch stays masked:
  /// an app that removes a mask means future touches.
  public mutating func setMasks(_ masks: Masks, at moment: Moment) {
    replaceMasks(with: masks, at: moment.monotonic)
    // Keep the masks of times that are still needed: for screens that are not added up, and for
    // late names.
    let earliest = sessions.map(\.gatheredUntil).min() ?? moment.monotonic
    maskHistory.forget(before: min(earliest, moment.monotonic + -rules.lateNames))
  }

  /// - Parameter time: when the masks begin to apply; nil if they are to count as always applied.
  mutating func replaceMasks(with masks: Masks, at time: Timestamp?) {
    let former = self.masks
    guard masks != former else { return }
    maskHistory.replace(with: masks, at: time, lead: rules.lateNames)
    hasHadMasksOrPauses = true
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

  private func adopting(_ touch: ActiveContact, replacing former: Masks) -> ActiveContact {
    var touch = touch
    touch.wasMasked = isMasked(touch, by: former)
    touch.trace.adopt(masks, replacing: former)
    return touch
  }

  /// Whether a touch is masked, as far as is known now.
  func isMasked(_ touch: borrowing ActiveContact) -> Bool { isMasked(touch, by: masks) }

  private func isMasked(_ touch: borrowing ActiveContact, by masks: borrowing Masks) -> Bool {
    touch.wasMasked || isMasked(touch.trace, screen: screen(of: touch), by: masks)
  }

  /// - Parameter screen: nil if it is no longer known. Then the touch counts as masked, because the
  ///   screen might have had a mask.
  func isMasked(
    _ trace: borrowing TouchTrace, screen: String?, by masks: borrowing Masks
  ) -> Bool {
    guard !masks.isEmpty else { return false }
    guard let screen else { return true }
    if masks.mayConcern(screen, on: trace.placement) { return true }
    return masks.cover(screen: screen, display: trace.placement.display, path: trace.path)
  }

  /// The totals of a session, provided that nothing more becomes known. A masked touch counts only
  /// as `masked`, and not as still down, cancelled or preexisting.
  func books(of session: borrowing OpenSession) -> SessionTotals {
    var totals = session.totals
    let id = session.id
    func book(_ touch: borrowing ActiveContact, isCancelled: Bool) {
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
