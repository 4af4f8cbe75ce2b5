import Recordings
import Text
import TouchInput
import TouchModel

/// A touch decoded from a recording.
struct DecodedTouch: Hashable {
  enum End: String {
    case ended, cancelled
    /// The touch is still down at the end of the recording.
    case open
  }

  /// The time and position of a touch in one frame.
  struct Sample: Hashable {
    var time: Timestamp
    var rawX: Int32
    var rawY: Int32
  }

  let id: TouchID
  /// The index in `DecodedRecording.devices`.
  let device: Int
  let slot: Int
  let trackingID: Int32?
  let began: Sample
  /// The last sample: at touch-up, or at the end of the recording.
  var last: Sample
  var end = End.open
  var isPalm = false
  /// The number of frames that ended with the touch down, moved or not; at least 1.
  var samples = 1
}

/// The touches in the recordings of one file, from the decoder for real devices.
struct DecodedRecording {
  struct Device {
    var description: DeviceDescription
    var contactProtocol: ContactProtocol
    /// nil if no display geometry can be guessed from the ranges of the device's axes.
    var placement: Placement?
    var events = 0
    var frames = 0
    var drops = 0
    var invalidSlotEvents: UInt64 = 0
    var mostAtOnce = 0
    /// The extent of all positions of touches.
    var extent: RawExtent?
  }

  /// A device in the file that cannot be decoded as a touchscreen.
  struct Refused {
    var name: String
    var cause: ContactProtocolError
  }

  private(set) var devices: [Device] = []
  private(set) var refused: [Refused] = []
  /// The touches in the order in which they began.
  private(set) var touches: [DecodedTouch] = []
  private(set) var screens: [ScreenCue] = []
  /// The time of the first event of all devices, and in `end` that of the last; zero without
  /// events.
  private(set) var start = Timestamp.zero
  private(set) var end = Timestamp.zero

  init(_ recordings: [Recording]) {
    var streams: [Stream] = []
    for recording in recordings {
      do throws(ContactProtocolError) {
        let decoder = try DeviceDecoder(recording.description)
        let panel = decoder.contactProtocol
        devices.append(
          Device(
            description: recording.description, contactProtocol: panel,
            placement: Self.place(panel, recording)))
        streams.append(Stream(recording, decoder))
      } catch {
        refused.append(Refused(name: recording.description.name, cause: error))
      }
    }
    screens = recordings.first?.screens ?? []
    start = streams.compactMap(\.events.first?.time).min() ?? .zero
    end = start
    decode(streams)
  }

  private static func place(
    _ panel: ContactProtocol, _ recording: Recording
  ) -> Placement? {
    guard let geometry = DisplayGeometry.guessed(from: panel) else { return nil }
    return Placement(
      device: recording.description.name.printable(),
      x: .init(minimum: panel.x.minimum, maximum: panel.x.maximum),
      y: .init(minimum: panel.y.minimum, maximum: panel.y.maximum),
      matrix: recording.calibration.flatMap { CalibrationMatrix($0) } ?? .identity,
      display: "guess", geometry: geometry, displaySource: .guess)
  }

  // MARK: Decoding

  /// The events of one device, and its decoder.
  private final class Stream {
    let events: [InputEvent]
    var next = 0
    var decoder: DeviceDecoder
    /// The index in `touches` of each touch that is down.
    var live: [TouchID: Int] = [:]

    init(_ recording: Recording, _ decoder: consuming DeviceDecoder) {
      events = recording.events
      self.decoder = decoder
      // The kernel sends the slot only when it changes, so the first events belong to the slot that
      // was selected at the start of the recording.
      if let slot = recording.initialValues[AbsCode.mtSlot] {
        var mint = TouchIDGenerator()
        _ = self.decoder.process(
          InputEvent(time: .zero, type: EventType.abs, code: AbsCode.mtSlot, value: slot),
          mint: &mint)
      }
    }
  }

  /// Decodes the events of all devices in chronological order. The events of one device keep the
  /// order that they have in the file.
  private mutating func decode(_ streams: [Stream]) {
    var mint = TouchIDGenerator()
    while true {
      let next = streams.indices.lazy
        .filter { streams[$0].next < streams[$0].events.count }
        .min { time(streams[$0]) < time(streams[$1]) }
      guard let next else { break }
      let stream = streams[next]
      let event = stream.events[stream.next]
      stream.next += 1
      end = max(end, event.time)
      devices[next].events += 1
      if stream.decoder.isBouncing { endBounce(of: next, stream, before: event.time, &mint) }
      let outcome = stream.decoder.process(event, mint: &mint)
      // After lost events, the daemon reads the device's state from the kernel. A recording has no
      // such state, so the decoder keeps its own.
      if outcome.isDrop { devices[next].drops += 1 }
      if event.type == EventType.syn, event.code == SynCode.report { devices[next].frames += 1 }
      if outcome.isFrame {
        for update in stream.decoder.updates { handle(update, of: next, stream, at: event.time) }
        devices[next].mostAtOnce = max(devices[next].mostAtOnce, stream.decoder.touchesDown)
      }
    }
    for (index, stream) in streams.enumerated() {
      endBounce(of: index, stream, before: Timestamp(microseconds: .max), &mint)
      devices[index].invalidSlotEvents = stream.decoder.invalidSlotEvents
    }
  }

  private mutating func endBounce(
    of device: Int, _ stream: Stream, before time: Timestamp, _ mint: inout TouchIDGenerator
  ) {
    guard let end = stream.decoder.endBounce(before: time, mint: &mint) else { return }
    for update in stream.decoder.updates { handle(update, of: device, stream, at: end) }
  }

  private func time(_ stream: Stream) -> Timestamp { stream.events[stream.next].time }

  private mutating func handle(
    _ update: TouchUpdate, of device: Int, _ stream: Stream, at time: Timestamp
  ) {
    let sample = DecodedTouch.Sample(time: time, rawX: update.x, rawY: update.y)
    if devices[device].extent == nil {
      devices[device].extent = RawExtent(x: update.x, y: update.y)
    }
    devices[device].extent?.include(x: update.x, y: update.y)
    if update.phase == .began {
      stream.live[update.touch] = touches.count
      touches.append(
        DecodedTouch(
          id: update.touch, device: device, slot: update.slot, trackingID: update.trackingID,
          began: sample, last: sample))
      return
    }
    guard let index = stream.live[update.touch] else { return }
    touches[index].last = sample
    switch update.phase {
    case .ended: touches[index].end = .ended
    case .cancelled:
      touches[index].end = .cancelled
      touches[index].isPalm = update.cancellation == .palm
    case .began, .moved, .stationary:
      touches[index].samples += 1
      return
    }
    stream.live[update.touch] = nil
  }
}
