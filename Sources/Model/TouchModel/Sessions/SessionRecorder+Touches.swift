/// The life of a touch, from its touch-down until it has ended and waits to be committed.
extension SessionRecorder {
  /// Processes one frame of one device. Once warm, it allocates memory only when a touch begins,
  /// ends, or enters many blocks.
  /// - Parameter time: the kernel's time of the frame.
  public mutating func process(
    _ updates: [TouchUpdate], device: DeviceIndex, at time: Timestamp, now moment: Moment
  ) {
    var position = 0
    while position < updates.count {
      let update = updates[position]
      switch update.phase {
      case .began:
        let next = position + 1 < updates.count ? updates[position + 1] : nil
        let isPalm = next?.touch == update.touch && next?.cancellation == .palm
        begin(update, device: device, at: time, now: moment, isPalm: isPalm)
      case .stationary:
        break
      case .moved:
        let next = devices[device].extend(updates, from: position, to: time)
        if next > position {
          position = next
          continue
        }
        extend(update, device: device, at: time, now: moment)
      case .ended, .cancelled:
        end(update, device: device, at: time, now: moment)
      }
      position += 1
    }
  }

  mutating func begin(
    _ update: TouchUpdate, device: DeviceIndex, at time: Timestamp, now moment: Moment,
    isPalm: Bool
  ) {
    let boottime = moment.boottime(of: time)
    commit(until: boottime, at: moment)
    closeIfIdle(asOf: boottime, at: moment)
    let arrival = EchoFilter.TouchDown(
      touch: update.touch, device: device, slot: update.slot,
      isVirtual: devices[device].isVirtual, time: time,
      expires: boottime + EchoFilter.retention, isPaused: isPaused)
    switch echoes.judge(arrival) {
    case .original: break
    case .originalOf(let echo): revoke(echo, at: moment)
    case .echo:
      devices[device].tally.echoes += 1
      return
    }
    devices[device].tally.touches += 1
    guard !isPaused else {
      devices[device].tally.unrecorded += 1
      if !matchesGhostRhythm(update, of: device, at: time) { activity.note(boottime) }
      return
    }
    let trace = TouchTrace(
      touch: update.touch, at: time, rawX: update.x, rawY: update.y,
      placement: devices[device].sharedPlacement, candidates: devices[device].candidates)
    // Ignore ghosts and palms inside a mask, where all touches must be treated alike.
    let screen = screen(of: trace.placement.display, at: time)
    let isMasked = isMasked(trace, screen: screen, by: masks)
    let swallowing = swallowing(trace)
    let isQuiet = !isMasked && swallowing?.isQuiet == true
    let isSuspect = !isMasked && !isQuiet && matchesGhostRhythm(update, of: device, at: time)
    let touchDown = moment.earlier(moment.instant(of: time))
    let isFinger = !isSuspect && !isQuiet && (!isPalm || isMasked)
    if current == nil, rules.mode == .automatic, isFinger { openSession(at: touchDown) }
    if isFinger { activity.note(boottime) }
    if masks.isEmpty, isFinger { noteTouchDown(touchDown) }
    let isUnrecorded = current == nil && !isSuspect && !isQuiet
    if isUnrecorded { devices[device].tally.unrecorded += 1 }
    self.update(current, at: moment, isNews: masks.isEmpty) { session in
      session.totals.begun += 1
      session.totals.stillDown += 1
      if isQuiet { session.quietDown += 1 }
    }
    findPairs(of: trace, slot: update.slot, device: device)
    devices[device].live[update.slot] = ActiveContact(
      trace: consume trace, session: current, isUnrecorded: isUnrecorded,
      isPreexisting: update.preexisting, isSuspect: isSuspect, swallowing: swallowing?.by,
      isQuiet: isQuiet, isActivity: isFinger)
  }

  /// Whether a touch-down fits the rhythm of earlier ghosts.
  private func matchesGhostRhythm(
    _ update: TouchUpdate, of device: DeviceIndex, at time: Timestamp
  ) -> Bool {
    rules.separatesGhosts && devices[device].ghosts.expects(x: update.x, y: update.y, at: time)
  }

  /// Revokes a touch of a virtual device, because its original was found.
  mutating func revoke(_ echo: EchoFilter.TouchDown, at moment: Moment) {
    let live: ActiveContact?
    if let down = devices[echo.device].live[echo.slot], down.trace.touch == echo.touch {
      live = down
      devices[echo.device].live[echo.slot] = nil
    } else if let index = ended.firstIndex(where: { $0.live.trace.touch == echo.touch }) {
      live = ended[index].live
      // Create a new array, as in `commit`.
      ended = ended.filter { $0.live.trace.touch != echo.touch }
      updateNextCommit()
    } else if echo.isPaused {
      live = nil
    } else {
      return
    }
    finishPairs(of: echo.touch, counts: false, at: moment)
    devices[echo.device].tally.touches -= 1
    devices[echo.device].tally.echoes += 1
    if live?.isUnrecorded ?? true { devices[echo.device].tally.unrecorded -= 1 }
    update(live?.session, at: moment, isNews: masks.isEmpty) { session in
      session.totals.begun -= 1
      session.totals.stillDown -= 1
      if live?.isQuiet == true { session.quietDown -= 1 }
    }
  }

  mutating func extend(
    _ update: TouchUpdate, device: DeviceIndex, at time: Timestamp, now moment: Moment
  ) {
    // Extend in place: copying the touch for every move would cost more than the rest of a frame.
    guard let isAcquitted = devices[device].live[update.slot]?.extend(update, to: time) else {
      // The touch of this finger is not followed, for example because it began during a pause.
      return activity.note(moment.boottime(of: time))
    }
    guard isAcquitted, var live = devices[device].live[update.slot] else { return }
    confirmAsFinger(&live, now: moment)
    devices[device].live[update.slot] = live
  }

  mutating func end(
    _ update: TouchUpdate, device: DeviceIndex, at time: Timestamp, now moment: Moment
  ) {
    guard devices[device].live[update.slot]?.isInPlace(update.touch) == true,
      var live = devices[device].live[update.slot].take()
    else { return }
    let how: Ending =
      update.cancellation == .palm ? .palm : update.phase == .cancelled ? .cancelled : .lifted
    if how != .palm { live.trace.extend(to: time, rawX: update.x, rawY: update.y) }
    finish(consume live, device: device, how: how, at: time, now: moment)
  }

  /// Ends a touch, which then waits until it can be committed.
  mutating func finish(
    _ live: consuming ActiveContact, device: DeviceIndex, how: Ending, at time: Timestamp,
    now moment: Moment
  ) {
    let instant = moment.instant(of: time)
    if how != .palm, !live.trace.isStill, !live.isQuiet {
      if live.isSuspect { confirmAsFinger(&live, now: moment) }
      update(live.session, at: moment, isNews: masks.isEmpty) { session in
        session.lastActive = max(session.lastActive, instant)
      }
    }
    // Record the activity for every way in which a touch ends, because all touches in a mask must
    // be treated alike. Otherwise the state could become idle at the touch-up.
    if live.isActivity { activity.note(instant.boottime) }
    let commitsAt = settling(live, device: device, ended: instant)
    if ended.isEmpty, let session = sessions.indices.last {
      // Of several fingers the others end soon.
      ended.reserveCapacity(Int(min(sessions[session].totals.stillDown, 16)))
    }
    ended.append(
      EndedTouch(
        live: consume live, device: device, ended: instant, how: how, commitsAt: commitsAt))
    nextCommit = min(nextCommit ?? commitsAt, commitsAt)
  }

  /// Returns the time, on `CLOCK_BOOTTIME`, from which on neither a late name nor the original of
  /// an echo can affect a touch.
  func settling(
    _ touch: borrowing ActiveContact, device: DeviceIndex, ended: Moment.Instant
  ) -> Timestamp {
    // A touch of a virtual device may be an echo, and its original may be found as late as
    // `window`.
    let wait = devices[device].isVirtual ? max(rules.lateNames, EchoFilter.window) : rules.lateNames
    return ended.boottime + max(0, (touch.trace.began + wait) - ended.monotonic)
  }

  /// Treats a suspected ghost that has moved or lasted, or a quiet touch that is not swallowed, as a
  /// finger. Opens a session for it in automatic mode if none is running.
  mutating func confirmAsFinger(_ live: inout ActiveContact, now moment: Moment) {
    if live.isQuiet { update(live.session, at: moment, isNews: false) { $0.quietDown -= 1 } }
    live.isQuiet = false
    live.isSuspect = false
    live.isActivity = true
    let began = moment.earlier(moment.instant(of: live.trace.began))
    if live.session == nil {
      if current == nil, rules.mode == .automatic { openSession(at: began) }
      live.session = current
      update(current, at: moment, isNews: masks.isEmpty) { session in
        session.totals.begun += 1
        session.totals.stillDown += 1
      }
    }
  }
}
