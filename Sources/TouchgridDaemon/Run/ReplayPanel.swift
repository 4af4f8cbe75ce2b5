internal import Decoding
internal import Recordings
internal import TouchModel

/// A recorded device while its recording plays.
final class ReplayPanel {
  private var decoder: DeviceDecoder
  private let device: SessionRecorder.DeviceIndex
  private let capture: Capture

  /// - Parameter number: of the device in its recording.
  init(
    _ recording: Recording, number: Int, path: String, capture: Capture, at moment: Moment
  ) throws(DaemonError) {
    let description = recording.description
    let decoder: DeviceDecoder
    do throws(ContactProtocolError) {
      decoder = try DeviceDecoder(description)
    } catch {
      throw .noTouchscreen(path: path, reason: "\(error)")
    }
    let identity = PanelIdentity(
      key: Self.key(of: description, number: number), name: description.name,
      contactProtocol: decoder.contactProtocol)
    let attached = capture.attach(identity, slots: decoder.slotCount, isVirtual: false, at: moment)
    guard let attached else { throw .noTouchscreen(path: path, reason: "it fits no display") }
    device = attached.device
    self.decoder = decoder
    self.capture = capture
    // Slots are sticky: the recording goes on in the one that was current when it began.
    if let slot = recording.initialValues[AbsCode.mtSlot] {
      process(
        InputEvent(
          time: moment.monotonic, type: EventType.abs, code: AbsCode.mtSlot, value: slot),
        at: moment)
    }
  }

  func process(_ event: InputEvent, at moment: Moment) {
    // There is no kernel to ask for the state after lost events: what the recording does not say again is
    // taken to be as it was.
    let outcome = decoder.process(event, mint: &capture.mint)
    if outcome.isFrame {
      capture.take(decoder.updates, of: device, at: moment.monotonic, now: moment)
    }
    if outcome.isDrop { capture.noteDrop(device, at: moment) }
  }

  /// The recording is over: what is still down was cut off by it.
  func finish(at moment: Moment) {
    if decoder.cancelAll(.removed) {
      capture.take(decoder.updates, of: device, at: moment.monotonic, now: moment)
    }
    capture.detach(device, at: moment)
  }

  /// Such as `0eef:0001@recording`, the same for every recording of such a panel.
  private static func key(of description: DeviceDescription, number: Int) -> String {
    let digits = [description.identifiers.vendor, description.identifiers.product].map {
      let hex = String($0, radix: 16)
      return String(repeating: "0", count: 4 - hex.count) + hex
    }
    return digits.joined(separator: ":") + "@recording" + (number == 0 ? "" : "#\(number + 1)")
  }
}
