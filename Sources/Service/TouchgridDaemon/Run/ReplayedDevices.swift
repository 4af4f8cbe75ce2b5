internal import Text
internal import TouchInput
internal import TouchModel
internal import TouchgridAPI

/// The recorded devices as clients see them. Only devices that are currently attached are listed.
final class ReplayedDevices: DeviceList {
  private let panels: [ReplayPanel]

  init(_ panels: [ReplayPanel]) { self.panels = panels }

  var count: Int { panels.count { $0.attached != nil } }

  func devices(at moment: Moment) -> [API.Device] { panels.compactMap(\.asDevice) }

  let refused: [API.RefusedDevice] = []

  /// Recorded events are never late.
  func readWaiting(_: AttachedTouchscreens.Urgency, at _: Moment) {}
}

extension ReplayPanel {
  fileprivate var asDevice: API.Device? {
    guard let (capture, device) = attached else { return nil }
    return API.Device(
      placement: capture.recorder.placement(of: device), node: nil, name: identity.name.printable(),
      contactProtocol: API.ContactProtocol(decoder.contactProtocol.kind),
      slots: decoder.slotCount, isVirtual: false,
      touchesDown: capture.recorder.touchesDown(of: device),
      unheardContacts: nil, silentForMs: nil, tally: API.DeviceTally(capture.tally(of: device)),
      clampedExtent: capture.tally(of: device).clampedExtent)
  }
}
