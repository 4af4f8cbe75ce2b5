internal import Decoding
internal import Evdev
internal import TouchModel
internal import TouchgridAPI

/// The touchscreens as clients see them.
extension Panels: DeviceList {
  var count: Int { panels.count }

  func devices(at moment: Moment) -> [API.Device] {
    panels.values.sorted { $0.touchscreen.number < $1.touchscreen.number }.map { panel in
      let touchscreen = panel.touchscreen
      return API.Device(
        placement: capture.recorder.placement(of: panel.device),
        node: touchscreen.properties.node, name: touchscreen.description.name.printable(),
        contactProtocol: API.ContactProtocol(touchscreen.decoder.contactProtocol.kind),
        slots: touchscreen.decoder.slotCount, isVirtual: touchscreen.properties.isVirtual,
        touchesDown: touchscreen.decoder.touchesDown, contactsDown: touchscreen.contactsDown,
        silentForMs: panel.hasSpoken ? (moment.boottime - panel.lastHeard) / 1000 : nil,
        tally: API.DeviceTally(capture.tally(of: panel.device)))
    }
  }

  var refused: [API.RefusedDevice] {
    discovery.refused.values.map { device in
      API.RefusedDevice(
        node: device.properties.node, name: device.name.printable(), reason: "\(device.refusal)")
    }
    .sorted { $0.node < $1.node }
  }
}
