/// The screens that the app shows.
extension SessionRecorder {
  /// The screen until a client names one.
  public static let initialScreen = ScreenTimeline.initialName
  /// The screen on which touches are counted if memory has no room for the grids of their own
  /// screens.
  public static let otherScreen = "other"

  /// The reason why a screen could not be named.
  public enum ScreenError: Error, Hashable, Sendable {
    /// The session already has `limit` screens.
    case tooManyScreens(limit: Int)
    /// The change was so long ago that it exceeds `SessionRules.lateNames`.
    case tooLate(microseconds: Int64)
  }

  /// Records that the app shows another screen.
  /// - Parameters:
  ///   - name: checked by the caller: at most 128 bytes of printable UTF-8.
  ///   - display: the display that shows it; nil for all displays.
  ///   - changed: the time of the change, on `CLOCK_MONOTONIC`; nil for now.
  ///   - namer: the client that names the screen; nil if `forgetNames` will not be called for it.
  public mutating func setScreen(
    _ name: String, display: String? = nil, changed: Timestamp? = nil, by namer: ClientID? = nil,
    at moment: Moment
  ) throws(ScreenError) {
    let time = min(changed ?? moment.monotonic, moment.monotonic)
    guard moment.monotonic - time <= rules.lateNames else {
      // The screen may nevertheless be shown, so a mask holds from the earliest possible time.
      let known = display.map { displays[$0]?.timeline ?? absent[$0] } ?? screens
      if masks.concern(name), known?.hasName(after: time) != true {
        let earliest = moment.monotonic + -rules.lateNames
        try setScreen(name, display: display, changed: earliest, by: namer, at: moment)
      }
      throw .tooLate(microseconds: moment.monotonic - time)
    }
    if let last = sessions.indices.last,
      !sessions[last].admit(screen: name, hasMask: masks.concern(name))
    {
      throw .tooManyScreens(limit: OpenSession.screenLimit)
    }
    revision += 1
    screenRevision += 1
    if display == nil { screens.insert(name, at: time, by: namer, revision: screenRevision) }
    for key in Array(displays.keys) where display == nil || key == display {
      displays[key]?.timeline.insert(name, at: time, by: namer, revision: screenRevision)
    }
    if display == nil {
      surplus?.insert(name, at: time, by: namer)
      for key in Array(absent.keys) { absent[key]?.insert(name, at: time, by: namer) }
      forgetGeneralScreens()
    }
    forgetScreens(at: moment)
    confirmMasked(at: moment)
    // Mark the session as changed, so that the next checkpoint stores how long each screen was
    // shown. Timelines can then forget earlier changes.
    updateCurrent(at: moment) { _ in }
  }

  /// Records the screen of a display without a touchscreen, for the time when it gets one.
  public mutating func setAbsentScreen(
    _ name: String, of display: String, changed: Timestamp? = nil, by namer: ClientID? = nil,
    at moment: Moment
  ) {
    let time = max(
      min(changed ?? moment.monotonic, moment.monotonic), moment.monotonic + -rules.lateNames)
    var timeline = absent[display] ?? screens
    timeline.insert(name, at: time, by: namer)
    keepAbsent(timeline, of: display)
    forgetScreens(at: moment)
  }

  /// Stores the screen of a display without a touchscreen. If there is no room, screens with a mask
  /// replace those without.
  mutating func keepAbsent(_ timeline: ScreenTimeline, of display: String) {
    absent[display] = nil
    guard !timeline.current.hasSameBytes(as: screens.current) else { return }
    if absent.count >= Self.absentLimit {
      guard masks.concern(timeline.current, on: display) else { return }
      guard let spare = absent.first(where: { !masks.concern($0.value.current, on: $0.key) }) else {
        surplus = timeline
        return
      }
      absent[spare.key] = nil
    }
    absent[display] = timeline
  }

  /// Removes displays from `absent` whose screen is the one that is named for all displays.
  private mutating func forgetGeneralScreens() {
    absent = absent.filter { !$0.value.current.hasSameBytes(as: screens.current) }
    if surplus?.current.hasSameBytes(as: screens.current) == true { surplus = nil }
  }

  /// Returns the screen of a new display. If there was no room for a screen with a mask, it may be
  /// that one.
  mutating func timeline(ofNew display: String) -> ScreenTimeline {
    var timeline = absent.removeValue(forKey: display) ?? screens
    if let surplus, !masks.concern(timeline.current, on: display),
      masks.concern(surplus.current, on: display)
    {
      timeline = surplus
    }
    if let last = sessions.indices.last {
      let hasMask = masks.concern(timeline.current)
      if !sessions[last].admit(screen: timeline.current, hasMask: hasMask) { timeline = screens }
    }
    screenRevision += 1
    timeline.revision = screenRevision
    return timeline
  }

  /// Resets the displays that show a screen named by this client to `initialScreen`. Call when the
  /// client has disconnected. A screen with a mask stays, because it may still be shown.
  /// - Returns: the names of the displays that were reset, and whether no display shows a screen
  ///   that this client named.
  public mutating func forgetNames(
    of namer: ClientID, at moment: Moment
  ) -> (displays: [String], isForgotten: Bool) {
    var reset: [String] = []
    var isForgotten = true
    screenRevision += 1
    for (name, display) in displays where display.timeline.namer == namer {
      if masks.concern(display.timeline.current, on: name) {
        isForgotten = false
      } else {
        displays[name]?.timeline.reset(at: moment.monotonic, revision: screenRevision)
        reset.append(name)
      }
    }
    for (display, timeline) in absent where timeline.namer == namer {
      if masks.concern(timeline.current, on: display) {
        isForgotten = false
      } else {
        absent[display]?.reset(at: moment.monotonic)
      }
    }
    if screens.namer == namer {
      if masks.concern(screens.current) {
        isForgotten = false
      } else {
        screens.reset(at: moment.monotonic, revision: screenRevision)
      }
    }
    forgetGeneralScreens()
    revision += 1
    forgetScreens(at: moment)
    updateCurrent(at: moment) { _ in }
    return (reset.sorted(), isForgotten)
  }

  /// The screen that was shown at the touch-down, by the names received so far.
  /// - Returns: nil if it is no longer known.
  func screen(of touch: borrowing ActiveContact) -> String? {
    touch.screen ?? screen(of: touch.trace.placement.display, at: touch.trace.began)
  }

  /// Forgets the screens of times that are no longer needed. A finger may rest for weeks, so a
  /// touch that late names can no longer affect stores the name of its screen itself.
  mutating func forgetScreens(at moment: Moment) {
    let settled = moment.monotonic + -(rules.lateNames + Self.recall)
    for device in devices.indices {
      for slot in devices[device].live.indices {
        guard let touch = devices[device].live[slot], touch.needsTimeline(before: settled) else {
          continue
        }
        let screen = screen(of: touch)
        devices[device].live[slot]?.screen = screen
      }
    }
    for index in ended.indices where ended[index].live.needsTimeline(before: settled) {
      ended[index].live.screen = screen(of: ended[index].live)
    }
    thinScreens(at: moment)
    let earliest = earliestNeeded(by: moment.monotonic, settled: settled)
    screens.forget(before: earliest)
    for display in Array(displays.keys) { displays[display]?.timeline.forget(before: earliest) }
    // Sessions do not count the time for which these displays show a screen.
    for display in Array(absent.keys) { absent[display]?.shorten(before: settled) }
    surplus?.shorten(before: settled)
  }

  /// The time before the limit of late names up to which timelines reach back, in µs. Frames may be
  /// read late, and frames for watching clients wait for late names.
  static let recall: Int64 = 1_000_000

  /// The earliest time for which the shown screens must still be known.
  private func earliestNeeded(by now: Timestamp, settled: Timestamp) -> Timestamp {
    var earliest = settled
    for device in devices {
      for case .some(let live) in device.live where live.isSuspect && live.session == nil {
        // If a suspected ghost proves to be a finger, it opens a session that may have begun as
        // long as `maxDuration` ago.
        earliest = min(earliest, max(live.trace.began, now + -rules.maxDuration))
      }
    }
    for session in sessions {
      if let ending = session.ending, session.gatheredUntil >= ending.at.monotonic { continue }
      earliest = min(earliest, session.gatheredUntil)
    }
    return earliest
  }

  /// Keeps timelines short, even if clients name screens quickly and there is no touch for a long
  /// time. The older half of a timeline that is too long is added up and forgotten. The changes
  /// that touches still need are kept.
  private mutating func thinScreens(at moment: Moment) {
    var start = screens.crowdedUntil
    for display in displays.values {
      if let crowded = display.timeline.crowdedUntil { start = max(start ?? crowded, crowded) }
    }
    guard let start else { return }
    for index in sessions.indices {
      addShown(in: index, at: moment)
      sessions[index].gatherShown(until: start, displays: displays, masks: maskHistory)
    }
    shownSince = max(shownSince, start)
    var begins: [Timestamp] = []
    for device in devices {
      for case .some(let live) in device.live where live.screen == nil {
        begins.append(live.trace.began)
      }
    }
    for touch in ended where touch.live.screen == nil { begins.append(touch.live.trace.began) }
    screens.thin(before: start, keeping: begins)
    for display in Array(displays.keys) {
      displays[display]?.timeline.thin(before: start, keeping: begins)
    }
  }
}

extension SessionRecorder.ActiveContact {
  /// Whether the touch's screen is known only from the timeline, and late names can no longer
  /// change it.
  fileprivate func needsTimeline(before settled: Timestamp) -> Bool {
    screen == nil && trace.began < settled
  }
}

/// Masked touches.
extension SessionRecorder {
  /// Replaces the masks, also for uncommitted touches. A masked touch stays masked, because an app
  /// that removes a mask means only future touches.
  public mutating func setMasks(_ masks: Masks, at moment: Moment) {
    replaceMasks(with: masks, at: moment.monotonic)
    confirmMasked(at: moment)
    // Keep the masks of times that are still needed: times whose screens are not added up, and
    // times that late names can concern.
    let earliest = sessions.map(\.gatheredUntil).min() ?? moment.monotonic
    maskHistory.forget(before: min(earliest, moment.monotonic + -rules.lateNames))
  }

  /// - Parameter time: the time from which the masks apply; nil if they count as always applied.
  mutating func replaceMasks(with masks: Masks, at time: Timestamp?) {
    let former = self.masks
    guard masks != former else { return }
    maskHistory.replace(with: masks, at: time, lead: rules.lateNames)
    for index in sessions.indices { sessions[index].flow.noteReplaced(former) }
    hasHadMasksOrPauses = true
    revision += 1
    maskRevision += 1
    for index in devices.indices {
      devices[index].candidates = masks.candidates(on: devices[index].placement.display)
    }
    for place in pending { self[place] = self[place].map { adopting($0, replacing: former) } }
  }

  private func adopting(_ touch: ActiveContact, replacing former: Masks) -> ActiveContact {
    var touch = touch
    touch.wasMasked = isMasked(touch, by: former)
    touch.trace.adopt(masks, replacing: former)
    return touch
  }

  /// Whether recording is paused, or a display shows a screen with a mask. `mutating` for the same
  /// reason as `nextDeadlineInPlace`.
  public mutating func showsSecret() -> Bool {
    isPaused
      || !masks.isEmpty
        && displays.contains { masks.concern($0.value.timeline.current, on: $0.key) }
  }

  /// Whether a touch is masked, as far as known now.
  func isMasked(_ touch: borrowing ActiveContact) -> Bool { isMasked(touch, by: masks) }

  private func isMasked(_ touch: borrowing ActiveContact, by masks: borrowing Masks) -> Bool {
    if masks.isEmpty, !sessions.indices.contains(where: { sessions[$0].lacksScreens }) {
      return touch.wasMasked
    }
    let screen = screen(of: touch)
    return touch.wasMasked || isMasked(touch.trace, screen: screen, by: masks)
      || lacksRoom(screen, in: touch.session)
  }

  /// Whether a touch counts as masked because its session has too many masked screens.
  private func lacksRoom(_ screen: String?, in session: Int64?) -> Bool {
    sessions.contains {
      $0.lacksScreens && $0.id == session && !(screen.map($0.hasRoom(forScreen:)) ?? false)
    }
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

  /// The totals of a session, as far as known now. A masked touch counts only as `masked`, and not
  /// as still down, cancelled or preexisting.
  func totals(of session: borrowing OpenSession) -> SessionTotals {
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
