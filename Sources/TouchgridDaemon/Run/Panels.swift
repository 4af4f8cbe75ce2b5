internal import Decoding
internal import Evdev
internal import Glibc
internal import LinuxIO
internal import TouchModel

/// The touchscreens that are read: each is watched, decoded and fed to the capture, and let go when it is
/// gone.
final class Panels {
  private struct Panel {
    let touchscreen: Touchscreen
    let device: SessionRecorder.DeviceIndex
    /// When it last said something or was last asked, on `CLOCK_BOOTTIME`.
    var lastHeard: Timestamp
  }

  /// A panel with fingers down that says nothing for so long is asked whether they still are, in
  /// microseconds: while another program had grabbed it, it may have lost their lift.
  private static let silence: Int64 = 2_000_000

  private let discovery: Discovery
  private let capture: Capture
  private let log: Log
  private var panels: [UInt64: Panel] = [:]

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
      case .overflow:
        log.warning(
          .kernel, kind: "udev",
          "messages of udev were lost: the list of devices was read again")
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
    else { return log.error(.device, "\(properties.node) \"\(name)\" fits no display") }
    do throws(SystemError) {
      try poller.add(touchscreen.descriptor, token: touchscreen.number)
    } catch {
      capture.detach(device, at: moment)
      return log.error(.kernel, "\(properties.node): \(error)")
    }
    panels[touchscreen.number] = Panel(
      touchscreen: touchscreen, device: device, lastHeard: moment.boottime)
    let geometry = placement.geometry
    log.info(
      .device,
      "\(properties.node) \"\(name)\" is read as \(touchscreen.key) on display "
        + "\(placement.display.printable()) (\(placement.displaySource.rawValue)), "
        + "\(geometry.pixelWidth)x\(geometry.pixelHeight) pixels "
        + "(\(placement.geometrySource.rawValue)), rotation \(geometry.rotation.rawValue)")
    synchronise(touchscreen.number, atOpening: true, poller: &poller, at: moment)
  }

  private func remove(_ touchscreen: Touchscreen, poller: inout Poller, at moment: Moment) {
    guard let panel = panels.removeValue(forKey: touchscreen.number) else { return }
    poller.remove(touchscreen.descriptor)
    cancelTouches(of: panel, at: moment)
    capture.detach(panel.device, at: moment)
    log.info(
      .device,
      "\(touchscreen.properties.node) \"\(touchscreen.description.name.printable())\" is gone")
  }

  private func cancelTouches(of panel: Panel, at moment: Moment) {
    if panel.touchscreen.decoder.cancelAll(.removed) {
      capture.take(
        panel.touchscreen.decoder.updates, of: panel.device, at: moment.monotonic, now: moment)
    }
  }

  /// Cancels all touches: nothing is read any longer.
  func stop(at moment: Moment) {
    for panel in panels.values { cancelTouches(of: panel, at: moment) }
  }

  // MARK: Reading

  /// Reads what a panel has to say.
  /// - Parameter token: its number; one that is gone is passed over.
  func read(_ token: UInt64, poller: inout Poller, at moment: Moment) {
    guard let panel = panels[token] else { return }
    panels[token]?.lastHeard = moment.boottime
    let touchscreen = panel.touchscreen
    do throws(SystemError) {
      try touchscreen.read(mint: &capture.mint) { reading, time in
        // The kernel's stamp may not lie after the clock that was read before it.
        let time = min(time, moment.monotonic)
        switch reading {
        case .frame:
          capture.take(touchscreen.decoder.updates, of: panel.device, at: time, now: moment)
        case .drop:
          capture.noteDrop(panel.device, at: moment)
          log.warning(
            .kernel, kind: "drop",
            "the event buffer of \(touchscreen.properties.node) overflowed (SYN_DROPPED): touches "
              + "may have gone unseen")
        }
      }
    } catch {
      lose(touchscreen, error, poller: &poller, at: moment)
    }
  }

  private func lose(
    _ touchscreen: Touchscreen, _ error: SystemError, poller: inout Poller, at moment: Moment
  ) {
    if error.code != ENODEV {
      log.warning(.kernel, kind: "read", "\(touchscreen.properties.node): \(error)")
    }
    apply(discovery.lost(touchscreen), poller: &poller, at: moment)
  }

  /// Asks the kernel what is down.
  private func synchronise(
    _ token: UInt64, atOpening: Bool, poller: inout Poller, at moment: Moment
  ) {
    guard let panel = panels[token] else { return }
    panels[token]?.lastHeard = moment.boottime
    do throws(SystemError) {
      if try panel.touchscreen.adoptContacts(atOpening: atOpening, mint: &capture.mint) {
        capture.take(
          panel.touchscreen.decoder.updates, of: panel.device, at: moment.monotonic, now: moment)
      }
    } catch {
      lose(panel.touchscreen, error, poller: &poller, at: moment)
    }
  }

  // MARK: Silence

  /// Asks the panels that have been silent with fingers down.
  func checkSilence(poller: inout Poller, at moment: Moment) {
    for (token, panel) in panels
    where panel.touchscreen.decoder.touchesDown > 0
      && moment.boottime - panel.lastHeard >= Self.silence
    {
      synchronise(token, atOpening: false, poller: &poller, at: moment)
    }
  }

  /// When `checkSilence` has something to do, on `CLOCK_BOOTTIME`.
  var nextDeadline: Timestamp? {
    panels.values.filter { $0.touchscreen.decoder.touchesDown > 0 }
      .map { $0.lastHeard + Self.silence }.min()
  }
}
