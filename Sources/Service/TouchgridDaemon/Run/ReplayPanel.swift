internal import Recordings
internal import TouchInput
internal import TouchModel

/// A recorded device. It is created before the replay begins, and attached while its recording
/// plays.
final class ReplayPanel {
  private let path: String
  let identity: PanelIdentity
  private let initialSlot: Int32?
  private(set) var decoder: DeviceDecoder
  private(set) var attached: (capture: Capture, device: SessionRecorder.DeviceIndex)?
  /// The time at which a bouncing touch ends unless it continues before.
  private(set) var bounceEnd: Moment?

  /// - Parameter number: the index of the device in its recording.
  init(_ recording: Recording, number: Int, path: String) throws(DaemonError) {
    let description = recording.description
    let decoder: DeviceDecoder
    do throws(ContactProtocolError) {
      decoder = try DeviceDecoder(description)
    } catch {
      throw .noTouchscreen(path: path, reason: "\(error)")
    }
    // All recordings of the same model of touchscreen have the same key. Further devices in one
    // recording get a number.
    let key =
      description.identifiers.vendorProduct + "@recording" + (number == 0 ? "" : "#\(number + 1)")
    identity = PanelIdentity(
      key: key, name: description.name, contactProtocol: decoder.contactProtocol,
      calibration: recording.calibration)
    initialSlot = recording.initialValues[AbsCode.mtSlot]
    self.decoder = decoder
    self.path = path
  }

  /// Attaches the device at the start of its recording.
  func attach(to capture: Capture, at moment: Moment) throws(DaemonError) {
    guard
      let (device, _) = capture.attach(
        identity, slots: decoder.slotCount, isVirtual: false, at: moment)
    else { throw .noTouchscreen(path: path, reason: "no display geometry fits it") }
    attached = (capture, device)
    // A device reports its current slot only when the slot changes, so the decoder must know the
    // slot that was current when the recording began.
    if let initialSlot {
      process(
        InputEvent(
          time: moment.monotonic, type: EventType.abs, code: AbsCode.mtSlot, value: initialSlot),
        at: moment)
    }
  }

  func process(_ event: InputEvent, at moment: Moment) {
    guard let (capture, device) = attached else { return }
    // After lost events, a real device's state is read from the kernel. For a recording, values
    // that do not occur again are assumed to be unchanged.
    let outcome = decoder.process(event, mint: &capture.mint)
    if outcome.isFrame {
      capture.process(decoder.updates, of: device, at: moment.monotonic, now: moment)
    }
    if outcome.isDrop { capture.recordLoss(device, at: moment) }
    bounceEnd = decoder.isBouncing ? moment.later(DeviceDecoder.bounce + 1) : nil
  }

  /// Ends the touch that is bouncing, at the time of its last frame.
  func endBounce(at moment: Moment) {
    guard let (capture, device) = attached, let bounceEnd else { return }
    self.bounceEnd = nil
    guard decoder.endBounce(before: Timestamp(microseconds: .max), mint: &capture.mint) != nil
    else { return }
    let time = bounceEnd.monotonic + -(DeviceDecoder.bounce + 1)
    capture.process(decoder.updates, of: device, at: time, now: moment)
  }

  /// Ends the recording: cancels the touches that are still down, and detaches the device.
  func finish(at moment: Moment) {
    endBounce(at: moment)
    guard let (capture, device) = attached else { return }
    if decoder.cancelAll(.removed) {
      capture.process(decoder.updates, of: device, at: moment.monotonic, now: moment)
    }
    capture.detach(device, at: moment)
    attached = nil
  }
}
