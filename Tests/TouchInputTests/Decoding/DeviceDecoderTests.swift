import TestSupport
import Testing
import TouchInput
import TouchModel

@Suite struct DeviceDecoderTests {
  @Test func `A refused device gives a reason`() {
    #expect(throws: ContactProtocolError.noPosition) { _ = try DeviceDecoder(DeviceDescription()) }
  }

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

  @Test func `Gestures on protocol B and single touch are decoded`() throws {
    for device in [DeviceDescription.panel(), .singleTouch()] {
      var gestures = Gestures(on: device)
      gestures.tap(0, at: (100, 200))
      gestures.tap(0, at: (100, 200))
      gestures.drag(0, from: (0, 0), to: (4000, 100))
      let play = try Play(gestures.recording)
      #expect(play.began == ["100,200", "100,200", "0,0"])
      #expect(play.ended == ["100,200", "100,200", "4000,100"])
    }
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
}

/// A decoded recording.
struct Play {
  var lives: [TouchID: [TouchUpdate]] = [:]
  var order: [TouchID] = []
  var slotCount: Int

  init(_ recording: some Sequence<InputEvent>, on device: DeviceDescription) throws {
    var decoder = try DeviceDecoder(device)
    var mint = TouchIDGenerator()
    slotCount = decoder.slotCount
    for event in recording where decoder.process(event, mint: &mint).isFrame {
      note(decoder.updates)
    }
  }

  private mutating func note(_ updates: [TouchUpdate]) {
    for update in updates {
      if update.phase == .began { order.append(update.touch) }
      lives[update.touch, default: []].append(update)
    }
  }

  var began: [String] { order.compactMap { lives[$0]?.first.map { "\($0.x),\($0.y)" } } }
  var ended: [String] {
    order.compactMap { lives[$0]?.last }.filter { $0.phase == .ended }.map { "\($0.x),\($0.y)" }
  }
}
