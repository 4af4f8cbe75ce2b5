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

    init(_ touchscreen: Touchscreen, device: SessionRecorder.DeviceIndex, at moment: Moment) {
      self.touchscreen = touchscreen
      self.device = device
      isVirtual = touchscreen.properties.isVirtual
      canBounce = touchscreen.decoder.canBounce
      lastEvents = moment.boottime
      nextCheck = moment.boottime + checkInterval
    }

    var node: String { touchscreen.properties.node }

    func noteEvents(at moment: Moment) {
      lastEvents = moment.boottime
      hasSentEvents = true
      checkInterval = AttachedTouchscreens.silence
      let isBouncing = canBounce && touchscreen.decoder.isBouncing
      let interval = isBouncing ? DeviceDecoder.bounce + 1 : checkInterval
      nextCheck = moment.boottime + interval
    }

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
    for panel in panels {
      cancelTouches(of: panel, .removed, time: moment.monotonic, at: moment)
    }
  }

  /// Cancels the touches that were down when the machine was suspended, because the kernel may
  /// still report those fingers as down after the suspend. The touches end at `moment`.
  /// - Parameter moment: the last moment before the suspend.
  func cancelBeforeSleep(at moment: Moment) {
    for panel in panels {
      cancelTouches(of: panel, .lost, time: moment.monotonic, at: moment)
    }
  }

  // MARK: Reading

  /// Reads the panels that are ready, virtual ones last. Otherwise, if reading is late, the echo of
  /// a touch (its copy on a virtual duplicate) could be counted before the touch itself is read.
  /// - Parameter ready: the ready descriptors. Those that belong to no panel are ignored.
  func read(_ ready: [Poller.Ready], poller: inout Poller, at moment: Moment) {
    let hasVirtual = ready.count > 1 && panels.contains(where: \.isVirtual)
    for event in ready {
      guard let panel = panel(event.token), !hasVirtual || !panel.isVirtual else { continue }
      read(panel, poller: &poller, at: moment)
    }
    guard hasVirtual else { return }
    for event in ready {
      // Reading one panel may remove another.
      guard let panel = panel(event.token), panel.isVirtual else { continue }
      read(panel, poller: &poller, at: moment)
    }
  }

  private func panel(_ token: UInt64) -> Panel? {
    panels.first { $0.touchscreen.number == token }
  }

  /// Reads the waiting events of a panel. Removes the panel if reading fails.
  /// - Returns: whether there were any events.
  @discardableResult
  private func read(_ panel: Panel, poller: inout Poller, at moment: Moment) -> Bool {
    let touchscreen = panel.touchscreen
    let wasSilent =
      moment.boottime - panel.lastEvents >= Self.silence && touchscreen.decoder.touchesDown == 0
    var hasSentEvents = false
    do throws(SystemError) {
      hasSentEvents = try touchscreen.read(afterSilence: wasSilent, mint: &capture.mint) {
        reading, time in
        handle(reading, of: panel, time: time, at: moment)
      }
    } catch {
      removeUnreadable(touchscreen, error, poller: &poller, at: moment)
    }
    if hasSentEvents { panel.noteEvents(at: moment) }
    return hasSentEvents
  }

  private func handle(
    _ reading: Touchscreen.Reading, of panel: Panel, time: Timestamp, at moment: Moment
  ) {
    switch reading {
    case .frame(let updates):
      // Events may be newer than `moment`, which is the time before they were read. Their times are
      // limited to it.
      let time = min(time, moment.monotonic)
      if moment.monotonic - time > Self.lag {
        log.warning(
          .daemon, kind: "lag",
          "events of \(panel.node) were read \((moment.monotonic - time) / 1000) ms late: "
            + "the system is probably overloaded"
        )
      }
      capture.process(updates, of: panel.device, at: time, now: moment)
    case .drop:
      capture.recordLoss(panel.device, at: moment)
      log.warning(
        .kernel, kind: "drop",
        "the event buffer of \(panel.node) overflowed (SYN_DROPPED); some touches may be missing")
    }
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
      if read(panel, poller: &poller, at: moment) || !panels.contains(where: { $0 === panel }) {
        continue
      }
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
