import Testing

@testable import TouchModel

/// The counts of a touch after the kernel lost a part of its first frame.
@Suite struct HalfFrameTests {
  private var kiosk = Kiosk()
  private let panel: Int
  private var decoder = TouchDecoder(slotCount: 3, isSingleTouch: false)
  private var mint = TouchIDGenerator()

  init() throws { panel = try kiosk.add(.test()) }

  private mutating func send(_ events: (code: UInt16, value: Int32)...) {
    for event in events { process(EventType.abs, event.code, event.value) }
  }

  private mutating func process(_ type: UInt16, _ code: UInt16, _ value: Int32 = 0) {
    let event = InputEvent(time: .zero, type: type, code: code, value: value)
    switch decoder.process(event, mint: &mint) {
    case .frame, .dropped: kiosk.process(decoder.updates, panel)
    case .pending, .needsSnapshot: break
    }
  }

  private mutating func endFrame() { process(EventType.syn, SynCode.report) }

  /// Loses the rest of the frame. The decoder then reads the kernel's state, with `contact` in slot
  /// 0.
  private mutating func lose(_ contact: Contact) {
    process(EventType.syn, SynCode.dropped)
    endFrame()
    let snapshot = ContactSnapshot(contacts: [contact, Contact(), Contact()])
    if decoder.adopt(snapshot, on: .drop, mint: &mint) { kiosk.process(decoder.updates, panel) }
  }

  private mutating func tap(_ id: Int32, _ x: Int32, _ y: Int32) {
    send((AbsCode.mtTrackingID, id), (AbsCode.mtPositionX, x), (AbsCode.mtPositionY, y))
    endFrame()
    kiosk.pass(80)
    send((AbsCode.mtTrackingID, -1))
    endFrame()
    kiosk.pass(500)
  }

  /// Returns the index of the block at a raw position.
  private func index(_ x: Int32, _ y: Int32) throws -> Int {
    let placement = try #require(Placement.test())
    return placement.geometry.index(of: placement.block(x, y))
  }

  @Test mutating func `The touch is counted once, at its own place`() throws {
    tap(7, 100, 100)
    send((AbsCode.mtTrackingID, 8))
    lose(Contact(trackingID: 8, x: 3000, y: 3000))
    kiosk.pass(80)
    send((AbsCode.mtTrackingID, -1))
    endFrame()
    kiosk.stop()
    for layer in [Layer.taps, .trail] {
      let counters = kiosk.counters(1, "default", layer)
      let touched = counters.indices.filter { counters[$0] > 0 }
      #expect(touched == [try index(100, 100), try index(3000, 3000)])
      #expect(kiosk.sum(1, "default", layer) == 2)
    }
    let totals = try #require(kiosk.finals.first?.totals)
    #expect(totals.begun == 2 && totals.counted == 2 && totals.cancelled == 0)
  }

  @Test mutating func `The touch is masked by a keypad, even if the touch before it was beside it`()
    throws
  {
    let keypad = Rectangle(x: 700, y: 500, width: 200, height: 200)
    try kiosk.mask(Mask(screen: "default", rectangle: keypad))
    tap(7, 100, 100)
    send((AbsCode.mtTrackingID, 8))
    // On the display, this is the point (750, 562).
    lose(Contact(trackingID: 8, x: 3000, y: 3000))
    kiosk.pass(80)
    send((AbsCode.mtTrackingID, -1))
    endFrame()
    kiosk.stop()
    let totals = try #require(kiosk.finals.first?.totals)
    #expect(totals.begun == 2 && totals.counted == 1 && totals.masked == 1)
  }

  @Test mutating func `A touch that ends in the lost part has ended, and is counted once`() throws {
    send((AbsCode.mtTrackingID, 7), (AbsCode.mtPositionX, 100), (AbsCode.mtPositionY, 100))
    endFrame()
    kiosk.pass(80)
    send((AbsCode.mtTrackingID, -1))
    lose(Contact(x: 100, y: 100))
    kiosk.stop()
    let totals = try #require(kiosk.finals.first?.totals)
    #expect(totals.begun == 1 && totals.counted == 1 && totals.cancelled == 0)
    #expect(kiosk.sum(1, "default", .dwell) == 80)
  }

  @Test
  mutating func `If another touch replaces it in the lost part, both are counted once`() throws {
    send((AbsCode.mtTrackingID, 7), (AbsCode.mtPositionX, 100), (AbsCode.mtPositionY, 100))
    endFrame()
    kiosk.pass(80)
    send((AbsCode.mtTrackingID, 8))
    lose(Contact(trackingID: 8, x: 3000, y: 3000))
    kiosk.pass(80)
    send((AbsCode.mtTrackingID, -1))
    endFrame()
    kiosk.stop()
    let counters = kiosk.counters(1, "default")
    let touched = counters.indices.filter { counters[$0] > 0 }
    #expect(touched == [try index(100, 100), try index(3000, 3000)])
    #expect(kiosk.sum(1, "default") == 2 && kiosk.sum(1, "default", .trail) == 2)
  }
}
