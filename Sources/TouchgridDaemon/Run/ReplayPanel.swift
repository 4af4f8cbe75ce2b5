internal import Decoding
internal import Recordings
internal import TouchModel

/// A recorded device: made before anything plays, attached while its recording does.
final class ReplayPanel {
  private let path: String
  let identity: PanelIdentity
  private let initialSlot: Int32?
  private(set) var decoder: DeviceDecoder
  private(set) var attached: (capture: Capture, device: SessionRecorder.DeviceIndex)?

  /// - Parameter number: of the device in its recording.
  init(_ recording: Recording, number: Int, path: String) throws(DaemonError) {
    let description = recording.description
    let decoder: DeviceDecoder
    do throws(ContactProtocolError) {
      decoder = try DeviceDecoder(description)
    } catch {
      throw .noTouchscreen(path: path, reason: "\(error)")
    }
    // The same for every recording of such a panel.
    let key =
      description.identifiers.vendorProduct + "@recording" + (number == 0 ? "" : "#\(number + 1)")
    identity = PanelIdentity(
      key: key, name: description.name, contactProtocol: decoder.contactProtocol)
    initialSlot = recording.initialValues[AbsCode.mtSlot]
    self.decoder = decoder
    self.path = path
  }

  /// The recording begins.
  func attach(to capture: Capture, at moment: Moment) throws(DaemonError) {
    guard
      let (device, _) = capture.attach(
        identity, slots: decoder.slotCount, isVirtual: false, at: moment)
    else { throw .noTouchscreen(path: path, reason: "it fits no display") }
    attached = (capture, device)
    // Slots are sticky: the recording goes on in the one that was current when it began.
    if let initialSlot {
      process(
        InputEvent(
          time: moment.monotonic, type: EventType.abs, code: AbsCode.mtSlot, value: initialSlot),
        at: moment)
    }
  }

  func process(_ event: InputEvent, at moment: Moment) {
    guard let (capture, device) = attached else { return }
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
    guard let (capture, device) = attached else { return }
    if decoder.cancelAll(.removed) {
      capture.take(decoder.updates, of: device, at: moment.monotonic, now: moment)
    }
    capture.detach(device, at: moment)
    attached = nil
  }
}
