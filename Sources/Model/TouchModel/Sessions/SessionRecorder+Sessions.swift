/// The beginning and the end of sessions, and all deadlines.
extension SessionRecorder {
  /// The number of the running session; nil if no session is running.
  public var current: Int64? { runningIndex.map { sessions[$0].id } }

  private var runningIndex: Int? {
    guard let last = sessions.indices.last, sessions[last].ending == nil else { return nil }
    return last
  }

  /// The totals of the running session; nil if no session is running.
  public var totals: SessionTotals? { current == nil ? nil : sessions.last.map(totals(of:)) }

  /// The size of the counters of all sessions in memory, in bytes: at most `GridMemory.limit`.
  public var counterBytes: Int {
    var bytes = 0
    // Not by `reduce`, which would copy the sessions.
    for index in sessions.indices { bytes += sessions[index].counterBytes }
    return bytes
  }

  /// Whether touches of the running session were counted on `otherScreen`, or without grids,
  /// because memory had no room.
  public var isOverflowing: Bool { runningIndex.map { sessions[$0].isOverflowing } ?? false }

  /// Returns the number of the session that has begun to overflow (`isOverflowing`) since the last
  /// call; nil if none has.
  public mutating func takeOverflow() -> Int64? {
    defer { overflown = nil }
    return overflown
  }

  /// Begins a session, and ends the running one.
  /// - Returns: its number.
  @discardableResult
  public mutating func beginSession(
    tags: [String: String] = [:], at moment: Moment
  ) throws(TagError) -> Int64 {
    let tags = try SessionTags.merge(tags)
    endSession(.client, at: moment)
    openSession(at: moment)
    updateCurrent(at: moment) { $0.tags = tags }
    return nextSession - 1
  }

  /// Sets tags of the running session, and keeps its other tags.
  /// - Returns: the session's number; nil if no session is running.
  @discardableResult
  public mutating func tagSession(
    _ tags: [String: String], at moment: Moment
  ) throws(TagError) -> Int64? {
    guard current != nil, let session = sessions.last else { return nil }
    let merged = try SessionTags.merge(tags, into: session.tags)
    updateCurrent(at: moment) { $0.tags = merged }
    return session.id
  }

  /// Ends the running session. Fingers that are down still count for it for up to `drainLimit`.
  public mutating func endSession(_ reason: SessionEnd, at moment: Moment) {
    guard current != nil else { return }
    sessions[sessions.count - 1].ending = (reason, moment)
    closeDrained(at: moment)
  }

  /// Ends all sessions, because no more events will be read. All touches must have been cancelled.
  public mutating func stop(at moment: Moment) {
    commit(until: Timestamp(microseconds: .max), at: moment)
    endSession(.stopped, at: moment)
    while !sessions.isEmpty { closeSession(0, at: moment) }
    ghosts.release()
  }

  mutating func openSession(at moment: Moment) {
    forgetScreens(at: moment)
    sessions.append(
      OpenSession(
        id: nextSession, began: moment, funnels: funnels, tallies: kinds.makeTallies()))
    sessions[sessions.count - 1].skipShown(until: shownSince)
    if isPaused { sessions[sessions.count - 1].flow.giveUp() }
    nextSession += 1
    for display in displays.values {
      let screen = display.timeline.current
      _ = sessions[sessions.count - 1].admit(screen: screen, hasMask: masks.concern(screen))
    }
    updateCurrent(at: moment) { _ in }
  }

  mutating func closeIfIdle(asOf boottime: Timestamp, at moment: Moment) {
    guard rules.mode == .automatic, let last = runningIndex, !sessions[last].isHeld,
      boottime - sessions[last].lastSign.boottime >= rules.idleTimeout
    else { return }
    sessions[last].ending = (.idle, moment.earlier(sessions[last].lastSign))
    closeDrained(at: moment)
  }

  /// Closes ended sessions that have no uncommitted touches, or that have waited long enough.
  mutating func closeDrained(at moment: Moment) {
    var index = 0
    while index < sessions.count {
      if let ending = sessions[index].ending,
        sessions[index].totals.stillDown == 0
          || moment.boottime - ending.at.boottime >= drainLimit
      {
        closeSession(index, at: moment)
      } else {
        index += 1
      }
    }
  }

  mutating func closeSession(_ index: Int, at moment: Moment) {
    var session = sessions.remove(at: index)
    responses.forget(session: session.id)
    let end = session.ending?.at ?? moment
    // Fingers that are still down are not counted for another session: their further samples are
    // ignored.
    session.addShown(until: end.monotonic, displays: displays, masks: maskHistory)
    // Derived from the wall clock at the session's start, so that the duration is right even if the
    // clock was set meanwhile.
    let wall = session.wall(of: end.instant)
    let totals = totals(of: session)
    // Include the complete session: the store may have been damaged since earlier records, and no
    // later record can repeat them.
    let reason = session.ending?.reason
    var record = session.takeRecord(lastActive: wall, end: reason, totals: totals, .all)
    if let reason {
      let flow = session.finishFlow(
        reason, at: end.monotonic, displays: displays, known: moment.monotonic,
        isOneTouch: totals.counted + totals.masked == 1, masks: masks)
      record.dayCounts = flow?.summed.map { SubjectCounts($0.subject, $0.numbers) } ?? []
    }
    records.append(record)
    ghosts.release()
  }

  // MARK: Time

  /// Does all due work: commits touches, ends sessions, and creates records of changed ones.
  public mutating func advance(to moment: Moment) {
    commit(until: moment.boottime, at: moment)
    responses.forgetHits(asOf: moment.monotonic)
    echoes.advance(to: moment.boottime)
    closeIfIdle(asOf: moment.boottime, at: moment)
    if rules.mode == .automatic, let last = runningIndex,
      moment.boottime - sessions[last].began.boottime >= rules.maxDuration
    {
      endSession(.maxDuration, at: moment)
    }
    closeDrained(at: moment)
    for index in sessions.indices {
      if let since = sessions[index].changedSince, moment.boottime - since >= rules.checkpoint {
        checkpoint(index, at: moment)
      }
    }
    if let due = ghosts.deadline, due <= moment.boottime { ghosts.release() }
  }

  /// The time of the next `advance`, on `CLOCK_BOOTTIME`; nil if it is not needed before the next
  /// touch.
  public var nextDeadline: Timestamp? {
    var deadline = Timestamp.first(.first(nextCommit, echoes.nextDeadline), ghosts.deadline)
    // Access the sessions in place: copying one costs more than the rest of a frame.
    for index in sessions.indices {
      if let since = sessions[index].changedSince {
        deadline = .first(deadline, since + rules.checkpoint)
      }
      if let ending = sessions[index].ending {
        deadline = .first(deadline, ending.at.boottime + drainLimit)
      }
    }
    if rules.mode == .automatic, let last = runningIndex {
      deadline = .first(deadline, sessions[last].began.boottime + rules.maxDuration)
      if !sessions[last].isHeld {
        deadline = .first(deadline, sessions[last].lastSign.boottime + rules.idleTimeout)
      }
    }
    return deadline
  }

  /// `nextDeadline` for a recorder that is a property of an object. It is `mutating`, although it
  /// changes nothing, because a getter would copy the whole recorder.
  public mutating func nextDeadlineInPlace() -> Timestamp? { nextDeadline }

  /// The last activity of a person; now, if a finger keeps the session open.
  private func sign(in session: borrowing OpenSession, at moment: Moment) -> Moment.Instant {
    session.isHeld ? moment.instant : session.lastSign
  }

  /// Adds up the time for which each screen was shown, as far as it is certain.
  mutating func addShown(in index: Int, at moment: Moment) {
    let known = moment.monotonic + -rules.lateNames
    // An automatic session that proves to be idle ends at the last activity of a person. Only
    // committed touches outside of masks count here: the views in a checkpoint, and therefore their
    // order in the store, must not reveal the times of masked touches.
    let sign = sessions[index].lastUnmaskedSign.monotonic
    let shown = rules.mode == .automatic ? min(sign, known) : known
    sessions[index].addShown(until: shown, displays: displays, masks: maskHistory)
  }

  mutating func checkpoint(_ index: Int, at moment: Moment) {
    let sign = sign(in: sessions[index], at: moment)
    addShown(in: index, at: moment)
    let wall = sessions[index].wall(of: sign)
    let totals = totals(of: sessions[index])
    records.append(
      sessions[index].takeRecord(lastActive: wall, end: nil, totals: totals, .changed))
  }
}

/// Changing rules and placements while touches are down.
extension SessionRecorder {
  /// Replaces the rules. A running session continues. If sessions now end automatically, the idle
  /// time of that session starts at `moment`.
  public mutating func setRules(_ rules: SessionRules, at moment: Moment) {
    let former = self.rules
    self.rules = rules
    revision += 1
    if former.mode == .manual, rules.mode == .automatic, current != nil {
      let last = sessions.count - 1
      sessions[last].lastActive = max(sessions[last].lastActive, moment.instant)
      sessions[last].lastUnmasked = sessions[last].lastActive
    }
    for index in ended.indices {
      let touch = ended[index]
      ended[index].commitsAt = settling(
        touch.live, device: touch.device, ended: touch.ended)
    }
    updateNextCommit()
  }

  /// Changes the placement of a device. Touches that are down keep their placement. Other devices
  /// on the same display get its geometry.
  public mutating func setPlacement(
    _ placement: Placement, of device: DeviceIndex, at moment: Moment
  ) {
    guard placement != devices[device].placement else { return }
    // Add up the time on the former geometry before it is replaced.
    addShown(until: moment.monotonic)
    devices[device].placement = placement
    lay(placement)
    forgetDisplays(at: moment)
    revision += 1
  }

  /// Adds or updates the display of a placement. A known display keeps its screen.
  mutating func lay(_ placement: Placement) {
    let name = placement.display
    displays[name] = (placement.geometry, displays[name]?.timeline ?? timeline(ofNew: name))
    for index in devices.indices where devices[index].placement.display == name {
      devices[index].placement.geometry = placement.geometry
      devices[index].placement.geometrySource = placement.geometrySource
      devices[index].candidates = masks.candidates(on: name)
    }
  }
}

/// Pausing.
extension SessionRecorder {
  /// Pauses recording. Touches that are down end here, and count with their samples so far. Does
  /// nothing while recording is paused.
  public mutating func pause(at moment: Moment) {
    guard !isPaused else { return }
    isPaused = true
    pauses += 1
    hasHadMasksOrPauses = true
    revision += 1
    // The person's actions during the pause are unknown.
    for index in sessions.indices { sessions[index].flow.giveUp() }
    for device in devices.indices {
      for slot in devices[device].live.indices {
        guard var live = devices[device].live[slot] else { continue }
        live.trace.stay(until: moment.monotonic)
        devices[device].live[slot] = nil
        finish(live, device: device, how: .cancelled, at: moment.monotonic, now: moment)
      }
    }
  }

  /// Resumes recording. Only touches that begin from now on count, so fingers that are down must be
  /// lifted first.
  public mutating func resume(at moment: Moment) {
    isPaused = false
    revision += 1
  }
}
