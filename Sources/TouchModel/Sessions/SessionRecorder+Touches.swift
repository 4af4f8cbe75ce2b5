/// From a finger that lands to the touch that has ended.
extension SessionRecorder {
  /// Takes one frame of one device. No allocation once warm, but where a touch begins or ends.
  /// - Parameter time: the kernel's time of the frame.
  public mutating func process(
    _ updates: [TouchUpdate], device: DeviceIndex, at time: Timestamp, now moment: Moment
  ) {
    for (position, update) in updates.enumerated() {
      switch update.phase {
      case .began:
        let next = position + 1 < updates.count ? updates[position + 1] : nil
        let isPalm = next?.touch == update.touch && next?.cancellation == .palm
        begin(update, device: device, at: time, now: moment, isPalm: isPalm)
      case .stationary:
        break
      case .moved:
        extend(update, device: device, at: time, now: moment)
      case .ended, .cancelled:
        end(update, device: device, at: time, now: moment)
      }
    }
  }

  mutating func begin(
    _ update: TouchUpdate, device: DeviceIndex, at time: Timestamp, now moment: Moment,
    isPalm: Bool
  ) {
    let boottime = moment.boottime(of: time)
    settle(until: boottime, at: moment)
    closeIfIdle(asOf: boottime, at: moment)
    let landing = EchoFilter.Landing(
      touch: update.touch, device: device, slot: update.slot,
      isVirtual: devices[device].isVirtual, time: time)
    switch echoes.judge(landing) {
    case .original: break
    case .originalOf(let echo): revoke(echo, at: moment)
    case .echo:
      devices[device].tally.echoes += 1
      return
    }
    devices[device].tally.touches += 1
    let isSuspect =
      rules.separatesGhosts
      && devices[device].ghosts.expects(x: update.x, y: update.y, at: time)
    if current == nil, rules.mode == .automatic, !isSuspect, !isPalm {
      openSession(at: moment.earlier(moment.instant(of: time)))
    }
    if current == nil, !isSuspect {
      devices[device].tally.unrecorded += 1
      return
    }
    updateCurrent(at: moment) { session in
      session.totals.begun += 1
      session.totals.stillDown += 1
      if update.preexisting { session.totals.preexisting += 1 }
    }
    devices[device].live[update.slot] = LiveTouch(
      trace: TouchTrace(
        touch: update.touch, at: time, rawX: update.x, rawY: update.y,
        placement: devices[device].placement),
      session: current, isPreexisting: update.preexisting, isSuspect: isSuspect)
  }

  /// Takes back a touch of a virtual device whose original has come to light.
  mutating func revoke(_ echo: EchoFilter.Landing, at moment: Moment) {
    let live: LiveTouch
    var isCancelled = false
    if let down = devices[echo.device].live[echo.slot], down.trace.touch == echo.touch {
      live = down
      devices[echo.device].live[echo.slot] = nil
    } else if let index = ended.firstIndex(where: { $0.live.trace.touch == echo.touch }) {
      let touch = ended.remove(at: index)
      updateNextSettling()
      (live, isCancelled) = (touch.live, touch.isCancelled)
    } else {
      return
    }
    devices[echo.device].tally.touches -= 1
    devices[echo.device].tally.echoes += 1
    update(live.session, at: moment) { session in
      session.totals.begun -= 1
      session.totals.stillDown -= 1
      if live.isPreexisting { session.totals.preexisting -= 1 }
      if isCancelled { session.totals.cancelled -= 1 }
    }
  }

  mutating func extend(
    _ update: TouchUpdate, device: DeviceIndex, at time: Timestamp, now moment: Moment
  ) {
    guard devices[device].live[update.slot]?.trace.touch == update.touch else { return }
    devices[device].live[update.slot]?.trace.extend(to: time, rawX: update.x, rawY: update.y)
    // Asked in place: a copy at every move would cost more than all the rest.
    guard devices[device].live[update.slot]?.isSuspect == true,
      var live = devices[device].live[update.slot], !live.trace.isStill
    else { return }
    acquit(&live, now: moment)
    devices[device].live[update.slot] = live
  }

  mutating func end(
    _ update: TouchUpdate, device: DeviceIndex, at time: Timestamp, now moment: Moment
  ) {
    guard var live = devices[device].live[update.slot], live.trace.touch == update.touch
    else { return }
    if update.cancellation == .palm {
      // It contributes nothing, not even the time until it was known to be one.
      devices[device].live[update.slot] = nil
      self.update(live.session, at: moment) { session in
        session.totals.palms += 1
        session.totals.stillDown -= 1
      }
      return
    }
    live.trace.extend(to: time, rawX: update.x, rawY: update.y)
    devices[device].live[update.slot] = nil
    let isStill = live.trace.isStill
    if live.isSuspect && !isStill { acquit(&live, now: moment) }
    let instant = moment.instant(of: time)
    let isCancelled = update.phase == .cancelled
    self.update(live.session, at: moment) { session in
      if isCancelled { session.totals.cancelled += 1 }
      if !isStill { session.lastActive = max(session.lastActive, instant) }
    }
    // The original of an echo may come to light as late as this.
    let wait = devices[device].isVirtual ? max(rules.lateNames, EchoFilter.window) : rules.lateNames
    let settles = moment.boottime(of: max(time, live.trace.began + wait))
    ended.append(
      EndedTouch(
        live: live, device: device, ended: instant, isCancelled: isCancelled, settles: settles))
    nextSettling = min(nextSettling ?? settles, settles)
  }

  /// A suspect has moved or lasted: it is a finger after all.
  mutating func acquit(_ live: inout LiveTouch, now moment: Moment) {
    live.isSuspect = false
    let began = moment.earlier(moment.instant(of: live.trace.began))
    if live.session == nil {
      if current == nil, rules.mode == .automatic { openSession(at: began) }
      live.session = current
      updateCurrent(at: moment) { session in
        session.totals.begun += 1
        session.totals.stillDown += 1
        if live.isPreexisting { session.totals.preexisting += 1 }
      }
    }
  }
}
