internal import Text
internal import TouchInput
internal import TouchModel
internal import TouchgridAPI

/// The touchscreens as clients see them.
extension AttachedTouchscreens: DeviceList {
  var count: Int { panels.count }

  func devices(at moment: Moment) -> [API.Device] {
    panels.sorted { $0.touchscreen.number < $1.touchscreen.number }.map { panel in
      let touchscreen = panel.touchscreen
      return API.Device(
        placement: capture.recorder.placement(of: panel.device),
        node: touchscreen.properties.node, name: touchscreen.description.name.printable(),
        contactProtocol: API.ContactProtocol(touchscreen.decoder.contactProtocol.kind),
        slots: touchscreen.decoder.slotCount, isVirtual: touchscreen.properties.isVirtual,
        touchesDown: capture.recorder.touchesDown(of: panel.device),
        unheardContacts: unheardContacts(of: panel, at: moment),
        silentForMs: panel.hasSentEvents
          ? Self.wholeMinutes(moment.boottime - panel.lastEvents) : nil,
        tally: API.DeviceTally(capture.tally(of: panel.device)),
        clampedExtent: capture.tally(of: panel.device).clampedExtent)
    }
  }

  /// Returns the number of contacts that the kernel reports but the daemon has no touches for, as
  /// when another program has grabbed the device. 0 while the panel has touches down or has sent
  /// events within the last 0.5 s; nil if the kernel's contacts are unknown.
  private func unheardContacts(of panel: Panel, at moment: Moment) -> Int? {
    guard let contacts = panel.touchscreen.contactsDown else { return nil }
    let isHeard =
      panel.touchscreen.decoder.touchesDown > 0 || panel.rest != nil
      || moment.boottime - panel.lastEvents < 500_000
    return isHeard ? 0 : contacts
  }

  /// Returns a duration in ms, rounded down to whole minutes. A finer value would reveal the time
  /// of a touch that may be masked.
  private static func wholeMinutes(_ microseconds: Int64) -> Int64 {
    microseconds / 60_000_000 * 60_000
  }

  var refused: [API.RefusedDevice] {
    discovery.refused.values.map { device in
      API.RefusedDevice(
        node: device.properties.node, name: device.name.printable(), reason: "\(device.refusal)")
    }
    .sorted { $0.node < $1.node }
  }
}
