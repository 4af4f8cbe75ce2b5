import Recordings
import TestSupport
import Testing
import TouchInput
import TouchModel

extension Play {
  init(_ recording: Recording) throws { try self.init(recording.events, on: recording.description) }
}

/// Protocol A, decoded by libmtdev.
@Suite struct ProtocolATests {
  private func event(_ type: UInt16, _ code: UInt16, _ value: Int32 = 0) -> InputEvent {
    InputEvent(time: .zero, type: type, code: code, value: value)
  }

  private func contact(_ x: Int32, _ y: Int32) -> [InputEvent] {
    [
      event(3, AbsCode.mtPositionX, x), event(3, AbsCode.mtPositionY, y),
      event(0, SynCode.mtReport),
    ]
  }

  @Test(arguments: [false, true])
  func `A finger that touches down, moves and lifts is one touch`(hasTrackingID: Bool) throws {
    var gestures = Gestures(on: .anonymous(hasTrackingID: hasTrackingID))
    gestures.drag(0, from: (100, 100), to: (3000, 2000))
    gestures.tap(0, at: (50, 60))
    let play = try Play(gestures.recording)
    #expect(play.began == ["100,100", "50,60"])
    #expect(play.ended == ["3000,2000", "50,60"])
    #expect(play.lives[TouchID(1)]?.filter { $0.phase == .moved }.count == 30)
  }

  @Test func `After all fingers are lifted, the next touches have complete positions`() throws {
    var gestures = Gestures(on: .anonymous())
    let places: [(x: Int32, y: Int32)] = [(3000, 2000), (0, 0), (3000, 0), (0, 2000), (0, 2000)]
    for place in places { gestures.tap(0, at: place) }
    gestures.down(0, 7, 0)
    gestures.down(1, 0, 900)
    gestures.frame()
    gestures.upAll()
    gestures.frame()
    let play = try Play(gestures.recording)
    #expect(play.began == places.map { "\($0.x),\($0.y)" } + ["7,0", "0,900"])
    #expect(play.ended == play.began)
  }

  @Test func `A drop within a frame loses that frame and no touch`() throws {
    var decoder = try DeviceDecoder(.anonymous())
    var mint = TouchIDGenerator()
    var phases: [Phase] = []
    var drops = 0
    let stream =
      contact(100, 100) + contact(3000, 3000) + [event(0, 0)]
      // The first half of a frame, and after the lost events the end of another frame.
      + contact(110, 100) + [event(0, SynCode.dropped)] + contact(3010, 3000) + [event(0, 0)]
      + contact(120, 100) + contact(3020, 3000) + [event(0, 0)]
    for event in stream {
      let outcome = decoder.process(event, mint: &mint)
      if outcome.isDrop { drops += 1 }
      #expect(!outcome.needsSnapshot)
      if outcome.isFrame { phases += decoder.updates.map(\.phase) }
    }
    #expect(drops == 1)
    #expect(phases == [.began, .began, .moved, .moved])
    #expect(decoder.touchesDown == 2)
  }

  @Test func `A touch-down with lost events begins once, in the next complete frame`() throws {
    var decoder = try DeviceDecoder(.anonymous())
    var mint = TouchIDGenerator()
    var began: [TouchUpdate] = []
    let stream =
      contact(100, 100) + [event(0, 0)] + [event(0, SynCode.mtReport), event(0, 0)]
      // The first axis of a contact, and after the lost events the end of a later frame.
      + [event(3, AbsCode.mtPositionX, 3000), event(0, SynCode.dropped)]
      + [event(3, AbsCode.mtPositionY, 2000), event(0, SynCode.mtReport), event(0, 0)]
      + contact(3010, 2010) + [event(0, 0)]
    for event in stream where decoder.process(event, mint: &mint).isFrame {
      began += decoder.updates.filter { $0.phase == .began }
    }
    #expect(began.map(\.x) == [100, 3010] && began.map(\.y) == [100, 2010])
    #expect(decoder.touchesDown == 1)
  }

  @Test func `A frame that the kernel splits (SYN_REPORT 1) ends no touch`() throws {
    var decoder = try DeviceDecoder(.anonymous())
    var mint = TouchIDGenerator()
    let stream =
      contact(100, 100) + contact(3000, 3000) + [event(0, 0)]
      + contact(110, 100) + [event(0, 0, 1)] + contact(3010, 3000) + [event(0, 0)]
    var phases: [Phase] = []
    for event in stream where decoder.process(event, mint: &mint).isFrame {
      phases += decoder.updates.map(\.phase)
    }
    #expect(phases == [.began, .began, .moved, .moved])
  }

  @Test func `A hovering contact is not a touch, and a touch that begins to hover ends`() throws {
    var device = DeviceDescription.anonymous()
    device.axes[AbsCode.mtDistance] = AxisInfo(minimum: 0, maximum: 1)
    var decoder = try DeviceDecoder(device)
    var mint = TouchIDGenerator()
    let near = event(3, AbsCode.mtDistance, 1)
    for event in [near] + contact(100, 100) + contact(3000, 3000) + [event(0, 0)] {
      _ = decoder.process(event, mint: &mint)
    }
    #expect(decoder.updates.map(\.phase) == [.began])
    #expect(decoder.updates.map(\.x) == [3000])
    for event in [near] + contact(100, 100) + [near] + contact(3000, 3000) + [event(0, 0)] {
      _ = decoder.process(event, mint: &mint)
    }
    #expect(decoder.updates.map(\.phase) == [.ended])
    #expect(decoder.touchesDown == 0)
  }

  @Test(arguments: [(EventType.key, KeyCode.buttonTouch), (EventType.abs, AbsCode.pressure)])
  func `A frame without contacts ends the last one by BTN_TOUCH 0 or ABS_PRESSURE 0`(
    type: UInt16, code: UInt16
  ) throws {
    var stream: [InputEvent] = []
    for x in [100, 700] as [Int32] {
      stream += [event(type, code, 1)] + contact(x, 400) + [event(0, 0)]
      // A change of the pressure alone is not a touch-up.
      stream += [event(type, code, 2), event(0, 0), event(type, code, 0), event(0, 0)]
    }
    let play = try Play(stream, on: .anonymous())
    #expect(play.began == ["100,400", "700,400"] && play.ended == play.began)
  }

  @Test(arguments: [AbsCode.mtTouchMajor, AbsCode.mtPressure], [false, true])
  func `A contact that is reported with the size or pressure 0 has lifted`(
    code: UInt16, hasTrackingID: Bool
  ) throws {
    func sized(_ id: Int32, _ size: Int32, _ x: Int32) -> [InputEvent] {
      (hasTrackingID ? [event(3, AbsCode.mtTrackingID, id)] : []) + [event(3, code, size)]
        + contact(x, 400)
    }
    let end = [event(0, 0)]
    let stream =
      sized(0, 9, 100) + sized(1, 9, 3000) + end + sized(0, 0, 100) + sized(1, 9, 3000) + end
      + sized(1, 9, 3100) + end + sized(1, 0, 3100) + end + sized(1, 9, 500) + end
      + sized(1, 0, 500) + end
    let play = try Play(stream, on: .anonymous(hasTrackingID: hasTrackingID))
    #expect(play.began == ["100,400", "3000,400", "500,400"])
    #expect(play.ended == ["100,400", "3100,400", "500,400"])
    // A panel that knows only the size 0 says nothing by it.
    let plain = try Play(
      sized(0, 0, 100) + end + sized(0, 0, 200) + end,
      on: .anonymous(hasTrackingID: hasTrackingID))
    #expect(plain.began == ["100,400"] && plain.ended.isEmpty)
  }

  @Test func `The autorepeat of a key ends no touch`() throws {
    var decoder = try DeviceDecoder(.anonymous())
    var mint = TouchIDGenerator()
    for event in [event(1, KeyCode.buttonTouch, 1)] + contact(100, 100) + [event(0, 0)] {
      _ = decoder.process(event, mint: &mint)
    }
    for value in [0, 1] as [Int32] {
      _ = decoder.process(event(1, KeyCode.buttonTouch, 2), mint: &mint)
      _ = decoder.process(event(0, 0, value), mint: &mint)
      #expect(decoder.touchesDown == 1)
    }
  }

  @Test
  func `If the kernel reports no contacts, the touches are lost and the next one is new`() throws {
    var decoder = try DeviceDecoder(.anonymous())
    var mint = TouchIDGenerator()
    for event in contact(100, 100) + [event(0, 0)] { _ = decoder.process(event, mint: &mint) }
    #expect(decoder.touchesDown == 1)
    // One contact is down. The kernel's state confirms that and contains no more, so no touch
    // changes.
    let down = ContactSnapshot(contacts: [Contact(trackingID: 0)])
    let hasChanged = decoder.adopt(down, on: .drop, mint: &mint)
    #expect(!hasChanged)
    #expect(decoder.touchesDown == 1)
    let hasLost = decoder.adopt(ContactSnapshot(contacts: []), on: .drop, mint: &mint)
    #expect(hasLost)
    #expect(decoder.updates.map(\.phase) == [.cancelled])
    #expect(decoder.updates.map(\.cancellation) == [.lost])
    #expect(decoder.updates.map(\.x) == [100])
    for event in contact(0, 50) + [event(0, 0)] { _ = decoder.process(event, mint: &mint) }
    #expect(decoder.updates.map(\.phase) == [.began])
    #expect(decoder.updates.map(\.touch) == [TouchID(2)])
    #expect(decoder.updates.map(\.x) == [0])
  }

  @Test func `A hundred taps beside a resting finger are a hundred touches`() throws {
    var gestures = Gestures(on: .anonymous())
    gestures.down(1, 4000, 2500)
    gestures.frame()
    let places = (0..<100 as Range<Int32>).map { (x: $0 * 30, y: 2000 - $0 * 20) }
    for place in places { gestures.tap(0, at: place) }
    gestures.up(1)
    gestures.frame()
    let play = try Play(gestures.recording)
    #expect(play.began == ["4000,2500"] + places.map { "\($0.x),\($0.y)" })
    #expect(play.ended == play.began)
  }

  @Test(arguments: [15, 16, 31, 32, 200], [false, true])
  func `Of more contacts than libmtdev supports, 15 are followed`(count: Int, hasTrackingID: Bool)
    throws
  {
    var decoder = try DeviceDecoder(.anonymous(hasTrackingID: hasTrackingID))
    var mint = TouchIDGenerator()
    for frame in 0..<10 as Range<Int32> {
      var events: [InputEvent] = []
      for index in 0..<Int32(count) {
        if hasTrackingID { events.append(event(3, AbsCode.mtTrackingID, index)) }
        events += contact(index * 13, index * 11 + frame)
      }
      for event in events + [event(0, 0)] { _ = decoder.process(event, mint: &mint) }
      #expect(decoder.touchesDown == 15)
    }
    #expect(mint.mint() == TouchID(16))
  }

  @Test func `A frame of 5,000 positions and one of 100 fingers do not trap`() throws {
    var events: [InputEvent] = []
    for index in 0..<5000 as Range<Int32> { events += contact(index, index).dropLast() }
    events.append(event(0, 0))
    for index in 0..<100 as Range<Int32> { events += contact(index * 40, index * 40) }
    events.append(event(0, 0))
    for hasTrackingID in [false, true] {
      let play = try Play(events, on: .anonymous(hasTrackingID: hasTrackingID))
      #expect(play.order.count == 15)
    }
  }
}
