internal import Glibc
internal import LinuxIO
internal import Text
internal import TouchInput
internal import TouchModel

/// The attached touchscreens. Adds them to the poller, reads and decodes their events, passes the
/// touches to `Capture`, and drops devices that are gone.
final class AttachedTouchscreens {
  final class Panel {
    let touchscreen: Touchscreen
    let device: SessionRecorder.DeviceIndex
    let isVirtual: Bool
    /// The time at which its last events were read or, before any event, at which it was attached,
    /// on `CLOCK_BOOTTIME`.
    private(set) var lastEvents: Timestamp
    private(set) var hasSentEvents = false
    /// The time of the next query whether the kernel still reports fingers, on `CLOCK_BOOTTIME`.
    /// Each event postpones it. nil if no finger was down at the last one.
    private(set) var nextCheck: Timestamp?
    private let canBounce: Bool
    /// The time without events after which the kernel is queried, in µs.
    private var checkInterval = AttachedTouchscreens.silence
    var pace: ReadingPace
    var rest: Rest?
    /// Why the panel could not be read; it is removed at the end of the round.
    var failure: SystemError?

    /// A time during which the panel is not watched for events, because nothing needs them at once.
    struct Rest {
      var began: Timestamp
      /// When the panel is read next, on `CLOCK_BOOTTIME`.
      var until: Timestamp
      /// The length of each step if the panel is read in steps, in µs; nil while nothing is masked.
      var step: Int64?
    }

    init(_ touchscreen: Touchscreen, device: SessionRecorder.DeviceIndex, at moment: Moment) {
      self.touchscreen = touchscreen
      self.device = device
      isVirtual = touchscreen.properties.isVirtual
      canBounce = touchscreen.decoder.canBounce
      pace = ReadingPace(touchscreen.kernelBuffer)
      lastEvents = moment.boottime
      nextCheck = moment.boottime + checkInterval
    }

    var node: String { touchscreen.properties.node }

    func noteEvents(at moment: Moment) {
      lastEvents = moment.boottime
      hasSentEvents = true
      checkInterval = AttachedTouchscreens.silence
      let interval = isBouncing ? DeviceDecoder.bounce + 1 : checkInterval
      nextCheck = moment.boottime + interval
    }

    var isBouncing: Bool { canBounce && touchscreen.decoder.isBouncing }

    /// Stops the checks: no finger is down.
    func stopChecks() { nextCheck = nil }

    /// Doubles the time to the next check, up to `maxCheckInterval`: an object that lies on the
    /// panel need not be checked often.
    func postponeCheck(from moment: Moment) {
      checkInterval = min(2 * checkInterval, AttachedTouchscreens.maxCheckInterval)
      nextCheck = moment.boottime + checkInterval
    }
  }

  /// The time without events, in µs, after which the kernel is queried whether the fingers of a
  /// panel are still down. Another program may have grabbed the device, so that touch-ups were
  /// missed.
  private static let silence: Int64 = 2_000_000
  private static let maxCheckInterval: Int64 = 64_000_000
  /// The delay of reading an event, in µs, above which a warning is logged (as in libinput).
  private static let lag: Int64 = 20_000

  let discovery: Discovery
  let capture: Capture
  private let log: Log
  /// An array: with so few panels a linear search is faster than a hash lookup.
  private(set) var panels: [Panel] = []

  init(discovery: Discovery, capture: Capture, log: Log) {
    self.discovery = discovery
    self.capture = capture
    self.log = log
  }

  // MARK: Coming and going

  func apply(
    _ changes: [Discovery.Change], poller: inout Poller, at moment: Moment
  ) {
    for change in changes {
      switch change {
      case .added(let touchscreen): add(touchscreen, poller: &poller, at: moment)
      case .removed(let touchscreen): remove(touchscreen, poller: &poller, at: moment)
      case .refused(let device):
        log.info(
          .device,
          "\(device.properties.node) \"\(device.name.printable())\" is not read: \(device.refusal)")
      case .displays: capture.reassignGuessedDisplays(at: moment)
      case .overflow:
        log.warning(
          .kernel, kind: "udev",
          "messages of udev were lost; the list of devices was read again")
        capture.reassignGuessedDisplays(at: moment)
      }
    }
  }

  private func add(_ touchscreen: Touchscreen, poller: inout Poller, at moment: Moment) {
    let properties = touchscreen.properties
    let name = touchscreen.description.name.printable()
    let identity = PanelIdentity(
      key: touchscreen.key, name: touchscreen.description.name,
      contactProtocol: touchscreen.decoder.contactProtocol, calibration: properties.calibration,
      output: properties.output)
    guard
      let (device, placement) = capture.attach(
        identity, slots: touchscreen.decoder.slotCount, isVirtual: properties.isVirtual, at: moment)
    else {
      return apply(
        discovery.reject(touchscreen, "no display geometry fits it"), poller: &poller, at: moment)
    }
    do throws(SystemError) {
      try poller.add(touchscreen.descriptor, token: touchscreen.number)
    } catch {
      capture.detach(device, at: moment)
      return apply(discovery.reject(touchscreen, "\(error)"), poller: &poller, at: moment)
    }
    let panel = Panel(touchscreen, device: device, at: moment)
    panels.append(panel)
    log.info(
      .device, "\(properties.node) \"\(name)\" is read as \(touchscreen.key): \(placement.summary)")
    if let axis = touchscreen.description.axes[AbsCode.mtSlot],
      axis.maximum >= ContactProtocol.slotLimit
    {
      log.warning(
        .device,
        "\(properties.node) reports up to \(Int(axis.maximum) + 1) touches at once; only "
          + "\(ContactProtocol.slotLimit) are read"
      )
    }
    synchronise(panel, on: .opening, poller: &poller, at: moment)
  }

  private func remove(_ touchscreen: Touchscreen, poller: inout Poller, at moment: Moment) {
    guard let index = panels.firstIndex(where: { $0.touchscreen === touchscreen }) else { return }
    let panel = panels.remove(at: index)
    poller.remove(touchscreen.descriptor)
    cancelTouches(of: panel, .removed, time: moment.monotonic, at: moment)
    let name = touchscreen.description.name.printable()
    log.info(
      .device,
      "\(touchscreen.properties.node) \"\(name)\" is no longer read: "
        + tally(of: panel))
    capture.detach(panel.device, at: moment)
  }

  private func tally(of panel: Panel) -> String {
    let tally = capture.tally(of: panel.device)
    let strays = panel.touchscreen.decoder.invalidSlotEvents
    let rest = [
      (tally.ghosts, "suspected ghosts", "suspected ghost"),
      (tally.echoes, "virtual duplicates", "virtual duplicate"),
      (tally.unrecorded, "not recorded", "not recorded"),
      (tally.drops, "losses of events", "loss of events"),
      (strays, "events for invalid slots", "event for an invalid slot"),
    ]
    return
      ([counted(tally.touches, "touch", "touches")]
      + rest.filter { $0.0 > 0 }.map { counted($0.0, $0.2, $0.1) })
      .joined(separator: ", ")
  }

  private func cancelTouches(
    of panel: Panel, _ reason: Cancellation, time: Timestamp, at moment: Moment
  ) {
    let updates = panel.touchscreen.cancelAll(reason)
    if !updates.isEmpty { capture.process(updates, of: panel.device, at: time, now: moment) }
  }

  /// Cancels all touches, because no more events will be read.
  func stop(at moment: Moment) {
    readWaiting(.all, at: moment)
    for panel in panels {
      cancelTouches(of: panel, .removed, time: moment.monotonic, at: moment)
    }
  }

  /// Cancels the touches that were down when the machine was suspended, because the kernel may
  /// still report those fingers as down after the suspend. The touches end at `moment`.
  /// - Parameter moment: the last moment before the suspend.
  /// - Parameter end: that moment, if nothing was done between it and now: the monotonic clock has
  ///   stood still meanwhile. Of a panel that rests, all events until now are read with it.
  func cancelBeforeSleep(at moment: Moment, end: Moment) {
    for panel in panels {
      let isResting = panel.rest != nil
      if isResting { read(panel, at: end) }
      let last = isResting ? end : moment
      cancelTouches(of: panel, .lost, time: last.monotonic, at: last)
    }
  }

  // MARK: Reading

  /// Reads the panels that are ready, and those whose rest is over.
  /// - Parameters:
  ///   - ready: the ready descriptors. Those that belong to no panel are ignored.
  ///   - urgency: which rests end now.
  func read(_ ready: [Poller.Ready], ending urgency: Urgency, at moment: Moment) {
    // The usual case, and the only one while nobody touches another panel.
    if panels.count == 1, let panel = panels.first {
      if isDue(panel, ready, urgency, at: moment) { read(panel, at: moment) }
      return
    }
    read(panels.filter { isDue($0, ready, urgency, at: moment) }, at: moment)
  }

  /// Which rests end before their time.
  enum Urgency: Comparable {
    case none
    /// Those while nothing is masked. What is masked is read in steps: what wakes the daemon in
    /// between must not divide them.
    case unmasked
    case all
  }

  private func isDue(
    _ panel: Panel, _ ready: [Poller.Ready], _ urgency: Urgency, at moment: Moment
  ) -> Bool {
    if let rest = panel.rest {
      let needed: Urgency = rest.step == nil ? .unmasked : .all
      if rest.until <= moment.boottime || urgency >= needed { return true }
    }
    return ready.contains { $0.token == panel.touchscreen.number }
  }

  /// Reads the panels that rest, because a call is about to take effect.
  func readWaiting(_ urgency: Urgency, at moment: Moment) {
    read([], ending: urgency, at: moment)
  }

  /// Reads several panels, in the order of the kernel's times.
  private func read(_ due: [Panel], at moment: Moment) {
    guard due.count > 1 else { return due.forEach { read($0, at: moment) } }
    // Of events of the same time, those of virtual panels come last: they may be echoes.
    let sorted = due.filter { !$0.isVirtual } + due.filter(\.isVirtual)
    var waiting = sorted.filter { fill($0, at: moment) }
    while !waiting.isEmpty {
      let times = waiting.map { $0.touchscreen.nextTime ?? .zero }
      let first = times.indices.min { times[$0] < times[$1] } ?? 0
      let others = times.indices.lazy.filter { $0 != first }.map { times[$0] }
      decode(waiting[first], until: others.min(), at: moment)
      waiting.removeAll { $0.touchscreen.nextTime == nil }
    }
  }

  /// Reads the waiting events of a panel.
  /// - Returns: whether there were any events.
  @discardableResult
  private func read(_ panel: Panel, at moment: Moment) -> Bool {
    guard fill(panel, at: moment) else { return false }
    decode(panel, until: nil, at: moment)
    return true
  }

  private func fill(_ panel: Panel, at moment: Moment) -> Bool {
    let touchscreen = panel.touchscreen
    // Events that have waited for a step do not begin with what the kernel says now.
    let wasSilent =
      moment.boottime - panel.lastEvents >= Self.silence && touchscreen.decoder.touchesDown == 0
      && panel.rest == nil
    do throws(SystemError) {
      guard try touchscreen.fill(afterSilence: wasSilent) else { return false }
    } catch {
      panel.failure = error
      return false
    }
    return true
  }

  private func decode(_ panel: Panel, until limit: Timestamp?, at moment: Moment) {
    let rested = panel.rest.map { moment.boottime - $0.began } ?? 0
    do throws(SystemError) {
      // Of each object, the properties are accessed once and not for each frame.
      try decode(
        panel, until: limit, rested: rested, pace: &panel.pace, mint: &capture.mint,
        recorder: &capture.recorder, feed: &capture.feed, at: moment)
    } catch {
      panel.failure = error
    }
    panel.noteEvents(at: moment)
  }

  private func decode(
    _ panel: Panel, until limit: Timestamp?, rested: Int64, pace: inout ReadingPace,
    mint: inout TouchIDGenerator, recorder: inout SessionRecorder, feed: inout LiveFeed?,
    at moment: Moment
  ) throws(SystemError) {
    let device = panel.device
    try panel.touchscreen.decode(until: limit, mint: &mint) { reading, time in
      switch reading {
      case .frame(let updates):
        pace.noteFrame(at: time)
        // Events may be newer than `moment`, which is the time before they were read. Their times
        // are limited to it.
        let time = min(time, moment.monotonic)
        let late = moment.monotonic - time - rested
        if late > Self.lag { warn(ofLag: late, panel) }
        Capture.process(updates, of: device, at: time, now: moment, &recorder, &feed)
      case .drop:
        pace.noteLoss()
        recorder.recordLoss(device, at: moment)
        log.warning(
          .kernel, kind: "drop",
          "the event buffer of \(panel.node) overflowed (SYN_DROPPED); some touches may be missing")
      }
    }
  }

  private func warn(ofLag lag: Int64, _ panel: Panel) {
    log.warning(
      .daemon, kind: "lag",
      "events of \(panel.node) were read \(lag / 1000) ms late: the system is probably overloaded")
  }

  // MARK: Rests

  /// How long a panel that nobody touches is still read in steps while something is masked, in µs.
  /// The end of the steps tells that nobody has touched for so long, and the next touch-down is
  /// read at once. So it is longer than people need from one key to the next.
  private static let linger: Int64 = 10_000_000

  /// When the next rest is over, on `CLOCK_BOOTTIME`; nil if no panel rests.
  var nextRead: Timestamp? { panels.reduce(nil) { .first($0, $1.rest?.until) } }

  /// Lets panels rest or ends their rests, and removes those that cannot be read. Call it at the
  /// end of each round.
  func settle(poller: inout Poller, at moment: Moment) {
    let isSecret = capture.isSecret
    for panel in panels {
      if let error = panel.failure {
        removeUnreadable(panel.touchscreen, error, poller: &poller, at: moment)
        continue
      }
      let rest = isSecret ? step(of: panel, at: moment) : rest(of: panel, at: moment)
      let (isResting, rests) = (panel.rest != nil, rest != nil)
      panel.rest = rest
      guard isResting != rests else { continue }
      do throws(SystemError) {
        try poller.setInterest(
          rests ? [] : .input, of: panel.touchscreen.descriptor, token: panel.touchscreen.number)
      } catch {
        removeUnreadable(panel.touchscreen, error, poller: &poller, at: moment)
      }
    }
    capture.steps = panels.lazy.compactMap { panel in
      panel.rest.flatMap { rest in rest.step.map { (rest.until, $0) } }
    }.min { $0.0 < $1.0 }
  }

  /// The rest of a panel while nothing is masked; nil: it is watched.
  private func rest(of panel: Panel, at moment: Moment) -> Panel.Rest? {
    let contacts = panel.touchscreen.decoder.touchesDown
    if contacts == 0 { panel.pace.noteEnd() }
    guard capture.feed == nil, contacts > 0, !panel.isBouncing else { return nil }
    if let rest = panel.rest, rest.step == nil, rest.until > moment.boottime { return rest }
    // Nothing came during the last rest: wait for the next event.
    guard panel.lastEvents == moment.boottime, let length = panel.pace.rest(contacts: contacts)
    else { return nil }
    return Panel.Rest(began: moment.boottime, until: moment.boottime + length, step: nil)
  }

  /// The rest of a panel while something is masked. Its steps must tell neither when nor how fast
  /// somebody touches.
  private func step(of panel: Panel, at moment: Moment) -> Panel.Rest? {
    guard panel.hasSentEvents, moment.boottime - panel.lastEvents < Self.linger else { return nil }
    guard let rest = panel.rest, let step = rest.step else {
      let step = panel.pace.step
      return Panel.Rest(began: moment.boottime, until: moment.boottime + step, step: step)
    }
    guard rest.until <= moment.boottime else { return rest }
    let passed = (moment.boottime - rest.until) / step * step
    let began = rest.until + passed
    return Panel.Rest(began: began, until: began + step, step: step)
  }

  private func removeUnreadable(
    _ touchscreen: Touchscreen, _ error: SystemError, poller: inout Poller, at moment: Moment
  ) {
    apply(discovery.lost(touchscreen, error), poller: &poller, at: moment)
  }

  /// Reads the current contacts from the kernel, and passes the differences to `Capture`. Removes
  /// the panel if reading fails.
  private func synchronise(
    _ panel: Panel, on occasion: TouchDecoder.Occasion, poller: inout Poller, at moment: Moment
  ) {
    do throws(SystemError) {
      let updates = try panel.touchscreen.adoptContacts(on: occasion, mint: &capture.mint)
      if !updates.isEmpty {
        capture.process(updates, of: panel.device, at: moment.monotonic, now: moment)
      }
    } catch {
      removeUnreadable(panel.touchscreen, error, poller: &poller, at: moment)
    }
  }

  // MARK: Silence

  /// Checks the panels that have fingers down and have sent no events for some time.
  func checkSilence(poller: inout Poller, at moment: Moment) {
    for panel in panels {
      guard let nextCheck = panel.nextCheck, nextCheck <= moment.boottime else { continue }
      if panel.touchscreen.decoder.touchesDown == 0 {
        panel.stopChecks()
        continue
      }
      // Waiting events are read first, because they also give the times of changes. The kernel's
      // current state does not.
      if read(panel, at: moment) || panel.failure != nil { continue }
      let end = panel.touchscreen.endBounce(before: moment.monotonic, mint: &capture.mint)
      if let end {
        capture.process(end.updates, of: panel.device, at: end.time, now: moment)
        panel.stopChecks()
        continue
      }
      synchronise(panel, on: .silence, poller: &poller, at: moment)
      panel.postponeCheck(from: moment)
    }
  }

  /// The time on `CLOCK_BOOTTIME` when `checkSilence` is next needed.
  var nextDeadline: Timestamp? {
    // Includes panels without fingers, which costs each of them one needless check. Counting the
    // fingers after every frame would cost more.
    panels.reduce(nil) { .first($0, $1.nextCheck) }
  }
}

extension Placement {
  /// The placement as text, with the source of each part.
  fileprivate var summary: String {
    let matrix =
      matrix == .identity
      ? "" : ", calibration matrix \(matrix.values) (from \(matrixSource.rawValue))"
    let range =
      rangeSource == .kernel
      ? ""
      : ", range \(x.minimum)...\(x.maximum) x \(y.minimum)...\(y.maximum) (\(rangeSource.rawValue))"
    return "display \(display.printable()) (\(displaySource.rawValue)), "
      + "\(geometry.pixelWidth)x\(geometry.pixelHeight) pixels (\(geometrySource.rawValue)), "
      + "scale \(geometry.scale), rotation \(geometry.rotation.rawValue)" + matrix + range
  }
}
