import Recordings
import TestSupport
import Testing
import TouchInput
import TouchModel

@Suite struct DeviceDecoderTests {
  @Test func `The number of slots is known for each kind of device`() throws {
    let counts = try [
      DeviceDescription.panel(slots: 5), .panel(slots: 1000), .singleTouch(), .anonymous(),
    ].map {
      try slots($0)
    }
    #expect(counts == [5, 256, 1, 32])
  }

  private func slots(_ device: DeviceDescription) throws -> Int {
    try DeviceDecoder(device).slotCount
  }

  @Test
  func `A drop is reported at once, and a snapshot is requested at the end of the frame`() throws {
    var decoder = try DeviceDecoder(.panel())
    var mint = TouchIDGenerator()
    func event(_ type: UInt16, _ code: UInt16, _ value: Int32) -> InputEvent {
      InputEvent(time: .zero, type: type, code: code, value: value)
    }
    _ = decoder.process(event(3, AbsCode.mtTrackingID, 7), mint: &mint)
    let dropped = decoder.process(event(0, SynCode.dropped, 0), mint: &mint)
    #expect(dropped.isDrop && !dropped.isFrame && !dropped.needsSnapshot)
    let end = decoder.process(event(0, SynCode.report, 0), mint: &mint)
    #expect(end.needsSnapshot && !end.isFrame)
    let snapshot = ContactSnapshot(contacts: [Contact(trackingID: 8, x: 5, y: 6)])
    let hasChanged = decoder.adopt(snapshot, on: .drop, mint: &mint)
    #expect(hasChanged)
    #expect(decoder.updates.map(\.phase) == [.began])
    #expect(decoder.updates.map(\.x) == [5])
    #expect(decoder.touchesDown == 1)
    let hasCancelled = decoder.cancelAll(.removed)
    #expect(hasCancelled)
    #expect(decoder.touchesDown == 0)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `The button of a device that lifts its slots changes nothing`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var gestures = Gestures(on: .panel(slots: 4))
    for _ in 0..<300 {
      let slot = Int.random(in: 0..<4, using: &random)
      let (x, y) = (
        Int32.random(in: 0...3, using: &random), Int32.random(in: 0...3, using: &random)
      )
      switch Int.random(in: 0..<8, using: &random) {
      case 0...1: gestures.down(slot, x, y)
      case 2: gestures.up(slot)
      case 3: gestures.upAll()
      case 4: gestures.move(slot, x, y)
      default: gestures.frame()
      }
    }
    gestures.upAll()
    gestures.frame()
    var plain = gestures.device
    plain.codes[EventType.key] = nil
    let play = try Play(gestures.recording)
    let expected = try Play(gestures.recording.events, on: plain)
    #expect(play.lives == expected.lives && play.order.count > 10)
    #expect(play.ended.count == play.order.count)
  }

  @Test func `Slots that only the button lifts are one touch for each press, unless it is a pen's`()
    throws
  {
    var stream: [(UInt16, UInt16, Int32)] = [(EventType.abs, AbsCode.mtTrackingID, 0)]
    for x in [100, 700] as [Int32] {
      stream += [
        (EventType.abs, AbsCode.mtPositionX, x), (EventType.key, KeyCode.buttonTouch, 1),
        (EventType.syn, SynCode.report, 0), (EventType.key, KeyCode.buttonTouch, 0),
        (EventType.syn, SynCode.report, 0),
      ]
    }
    let events = stream.map { InputEvent(time: .zero, type: $0.0, code: $0.1, value: $0.2) }
    let play = try Play(events, on: .panel())
    #expect(play.began == ["100,0", "700,0"] && play.ended == play.began)
    var device = DeviceDescription.panel()
    device.codes[EventType.key]?.insert(KeyCode.toolPen)
    #expect(try Play(events, on: device).began == ["100,0"])
  }

  // MARK: Single touch that bounces

  /// Frames of a panel that presses and releases `BTN_TOUCH` in each frame.
  private func bouncing(_ frames: (ms: Int64, x: Int32)...) -> [InputEvent] {
    frames.flatMap { frame in
      [
        (EventType.key, KeyCode.buttonTouch, 1), (EventType.abs, AbsCode.x, frame.x),
        (EventType.key, KeyCode.buttonTouch, 0), (EventType.syn, SynCode.report, 0),
      ].map { (type: UInt16, code: UInt16, value: Int32) in
        InputEvent(
          time: Timestamp(microseconds: frame.ms * 1000), type: type, code: code, value: value)
      }
    }
  }

  @Test
  func `A press that bounces in every frame is one touch, and ends with its last frame`() throws {
    let stream = bouncing((777, 5), (784, 5), (791, 6), (1791, 900), (1830, 901), (9000, 7))
    let play = try Play(stream, on: .singleTouch())
    #expect(play.began == ["5,0", "900,0", "7,0"] && play.ended == ["6,0", "901,0"])
    #expect(play.ends.map(\.microseconds) == [791_000, 1_830_000])
  }

  @Test func `A frame without a press ends a press that bounces`() throws {
    let end = InputEvent(
      time: Timestamp(microseconds: 20_000), type: EventType.abs, code: AbsCode.x, value: 6)
    let report = InputEvent(time: end.time, type: EventType.syn, code: SynCode.report, value: 0)
    let play = try Play(
      bouncing((0, 5), (10, 5)) + [end, report] + bouncing((30, 70)), on: .singleTouch())
    #expect(play.began == ["5,0", "70,0"] && play.ended == ["6,0"])
  }

  @Test(arguments: [false, true])
  func `Once touches are cancelled, the next press begins a touch`(isRead: Bool) throws {
    var decoder = try DeviceDecoder(.singleTouch())
    var mint = TouchIDGenerator()
    for event in bouncing((0, 5)) { _ = decoder.process(event, mint: &mint) }
    let hasCancelled =
      isRead
      ? decoder.adopt(ContactSnapshot(contacts: [Contact(trackingID: -1)]), on: .drop, mint: &mint)
      : decoder.cancelAll(.lost)
    #expect(hasCancelled && decoder.touchesDown == 0)
    for event in bouncing((10, 6)) { _ = decoder.process(event, mint: &mint) }
    #expect(decoder.touchesDown == 1)
  }
}

/// A decoded recording.
struct Play {
  var lives: [TouchID: [TouchUpdate]] = [:]
  var order: [TouchID] = []
  var slotCount: Int
  /// The times when touches ended.
  var ends: [Timestamp] = []

  init(_ recording: some Sequence<InputEvent>, on device: DeviceDescription) throws {
    var decoder = try DeviceDecoder(device)
    var mint = TouchIDGenerator()
    slotCount = decoder.slotCount
    for event in recording {
      if decoder.isBouncing, let end = decoder.endBounce(before: event.time, mint: &mint) {
        note(decoder.updates, at: end)
      }
      if decoder.process(event, mint: &mint).isFrame { note(decoder.updates, at: event.time) }
    }
  }

  private mutating func note(_ updates: [TouchUpdate], at time: Timestamp) {
    for update in updates {
      if update.phase == .ended { ends.append(time) }
      if update.phase == .began { order.append(update.touch) }
      lives[update.touch, default: []].append(update)
    }
  }

  var began: [String] { order.compactMap { lives[$0]?.first.map { "\($0.x),\($0.y)" } } }
  var ended: [String] {
    order.compactMap { lives[$0]?.last }.filter { $0.phase == .ended }.map { "\($0.x),\($0.y)" }
  }
}
