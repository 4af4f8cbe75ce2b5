import Decoding
import Recordings
import TouchModel

/// A touch as it came out of a recording.
struct DecodedTouch: Hashable {
  enum End: String {
    case ended, cancelled
    /// Still down when the recording ended.
    case open
  }

  /// Where and when a touch was seen.
  struct Sample: Hashable {
    var time: Timestamp
    var rawX: Int32
    var rawY: Int32
  }

  let id: TouchID
  /// Index into `DecodedRecording.devices`.
  let device: Int
  let slot: Int
  let trackingID: Int32?
  let began: Sample
  /// The end, or where it was last seen.
  var last: Sample
  var end = End.open
  var isPalm = false
  /// Frames at whose end the touch was down, whether it moved or not; 1 at least.
  var samples = 1
}

/// What the decoder makes of the recordings of one file: the same decoder that reads real devices.
struct DecodedRecording {
  struct Device {
    var description: DeviceDescription
    var contactProtocol: ContactProtocol
    /// nil where the panel's shape is impossible.
    var placement: Placement?
    var events = 0
    var frames = 0
    var drops = 0
    var invalidSlotEvents: UInt64 = 0
    var mostAtOnce = 0
  }

  /// A device of the file that is no touchscreen.
  struct Refused {
    var name: String
    var cause: ContactProtocolError
  }

  private(set) var devices: [Device] = []
  private(set) var refused: [Refused] = []
  /// In order of their beginning.
  private(set) var touches: [DecodedTouch] = []
  private(set) var screens: [ScreenCue] = []
  /// Of the first and last event of all devices.
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
            placement: Self.place(panel, recording.description)))
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
    _ panel: ContactProtocol, _ description: DeviceDescription
  ) -> Placement? {
    guard let geometry = DisplayGeometry.guessed(from: panel) else { return nil }
    return Placement(
      device: description.name.printable(),
      x: .init(minimum: panel.x.minimum, maximum: panel.x.maximum),
      y: .init(minimum: panel.y.minimum, maximum: panel.y.maximum),
      display: "guess", geometry: geometry, displaySource: .guess)
  }

  // MARK: Decoding

  /// The events of one device on their way through its decoder.
  private final class Stream {
    let events: [InputEvent]
    var next = 0
    var decoder: DeviceDecoder
    /// Where in `touches` those are that are down.
    var live: [TouchID: Int] = [:]

    init(_ recording: Recording, _ decoder: consuming DeviceDecoder) {
      events = recording.events
      self.decoder = decoder
      // Slots are sticky: the first events are for the slot that was selected last.
      if let slot = recording.initialValues[AbsCode.mtSlot] {
        var mint = TouchIDMint()
        _ = self.decoder.process(
          InputEvent(time: .zero, type: EventType.abs, code: AbsCode.mtSlot, value: slot),
          mint: &mint)
      }
    }
  }

  /// Takes the devices' events in order of time, each device's own in the order of the file.
  private mutating func decode(_ streams: [Stream]) {
    var mint = TouchIDMint()
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
      let outcome = stream.decoder.process(event, mint: &mint)
      // A recording has no kernel to ask what was lost: the state stays what it was.
      if outcome.isDrop { devices[next].drops += 1 }
      if event.type == EventType.syn, event.code == SynCode.report { devices[next].frames += 1 }
      if outcome.isFrame {
        for update in stream.decoder.updates { take(update, of: next, stream, at: event.time) }
        devices[next].mostAtOnce = max(devices[next].mostAtOnce, stream.decoder.touchesDown)
      }
    }
    for (index, stream) in streams.enumerated() {
      devices[index].invalidSlotEvents = stream.decoder.invalidSlotEvents
    }
  }

  private func time(_ stream: Stream) -> Timestamp { stream.events[stream.next].time }

  private mutating func take(
    _ update: TouchUpdate, of device: Int, _ stream: Stream, at time: Timestamp
  ) {
    let sample = DecodedTouch.Sample(time: time, rawX: update.x, rawY: update.y)
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
