import Testing
import TouchModel

/// How the decoder treats the kernel's state of the contacts, depending on why it was read
/// (`TouchDecoder.Occasion`).
@Suite struct TouchDecoderOccasionTests {
  private var decoder = TouchDecoder(slotCount: 3, isSingleTouch: false)
  private var mint = TouchIDGenerator()

  private mutating func send(_ events: (UInt16, Int32)...) {
    for (code, value) in events {
      _ = decoder.process(
        InputEvent(time: .zero, type: EventType.abs, code: code, value: value), mint: &mint)
    }
    _ = decoder.process(
      InputEvent(time: .zero, type: EventType.syn, code: SynCode.report, value: 0), mint: &mint)
  }

  private func snapshot(_ ids: [Int32], slot: Int = 0) -> ContactSnapshot {
    ContactSnapshot(
      currentSlot: slot, contacts: ids.map { Contact(trackingID: $0, x: 7 + $0, y: 9) })
  }

  @Test
  mutating func `After a silence, missing touches are lost and new ones ignored until they end`() {
    send((AbsCode.mtTrackingID, 4), (AbsCode.mtPositionX, 100))
    let hasLost = decoder.adopt(snapshot([-1, 5, -1]), on: .silence, mint: &mint)
    #expect(hasLost)
    #expect(decoder.updates.map(\.phase) == [.cancelled])
    #expect(decoder.updates.map(\.x) == [100])
    #expect(decoder.touchesDown == 0)
    send((AbsCode.mtSlot, 1), (AbsCode.mtPositionX, 50))
    #expect(decoder.updates.isEmpty)
    send((AbsCode.mtTrackingID, -1))
    send((AbsCode.mtTrackingID, 6))
    #expect(decoder.updates.map(\.phase) == [.began])
    #expect(decoder.updates.map(\.x) == [50])
  }

  @Test
  mutating func `After a silence, a touch-down without slot and position gets the kernel's`() {
    send((AbsCode.mtTrackingID, 1), (AbsCode.mtPositionX, 100), (AbsCode.mtPositionY, 100))
    send((AbsCode.mtTrackingID, -1))
    // Meanwhile another program held the device and received a touch in slot 2 at 12,9. Now another
    // touch begins at the same place, so the kernel does not repeat the slot and the position.
    decoder.refresh(snapshot([-1, -1, 5], slot: 2), currentSlot: 2)
    send((AbsCode.mtTrackingID, 5))
    #expect(decoder.updates.map(\.slot) == [2])
    #expect(decoder.updates.map(\.x) == [12])
    #expect(decoder.updates.map(\.y) == [9])
  }

  @Test mutating func `A refresh does not change touches that are down`() {
    send((AbsCode.mtTrackingID, 1), (AbsCode.mtPositionX, 100))
    decoder.refresh(snapshot([-1, -1, -1]), currentSlot: nil)
    send((AbsCode.mtPositionX, 120))
    #expect(decoder.updates.map(\.phase) == [.moved])
    #expect(decoder.touchesDown == 1)
  }
}
