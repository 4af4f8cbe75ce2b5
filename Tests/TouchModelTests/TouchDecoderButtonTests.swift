import Testing
import TouchModel

/// Slots that are lifted by `BTN_TOUCH` 0 alone.
@Suite struct TouchDecoderButtonTests {
  private var decoder = TouchDecoder(slotCount: 3, isSingleTouch: false, hasButton: true)
  private var mint = TouchIDGenerator()
  private var began: [Int32] = []
  private var ended: [Int32] = []

  private enum Sign {
    case slot(Int32), id(Int32), x(Int32), button(Int32), distance(Int32), palm

    var event: InputEvent {
      let (type, code, value) =
        switch self {
        case .slot(let value): (EventType.abs, AbsCode.mtSlot, value)
        case .id(let value): (EventType.abs, AbsCode.mtTrackingID, value)
        case .x(let value): (EventType.abs, AbsCode.mtPositionX, value)
        case .button(let value): (EventType.key, KeyCode.buttonTouch, value)
        case .distance(let value): (EventType.abs, AbsCode.mtDistance, value)
        case .palm: (EventType.abs, AbsCode.mtToolType, ToolType.palm)
        }
      return InputEvent(time: .zero, type: type, code: code, value: value)
    }
  }

  private mutating func frame(_ signs: Sign..., isCut: Bool = false) {
    for sign in signs { _ = decoder.process(sign.event, mint: &mint) }
    let end = InputEvent(
      time: .zero, type: EventType.syn, code: SynCode.report, value: isCut ? 1 : 0)
    if case .frame = decoder.process(end, mint: &mint) { note() }
  }

  private mutating func note() {
    began += decoder.updates.filter { $0.phase == .began }.map(\.x)
    ended += decoder.updates.filter { $0.phase == .ended }.map(\.x)
  }

  private mutating func adopt(
    _ ids: [Int32], isPressed: Bool, on occasion: TouchDecoder.Occasion
  ) {
    let contacts = ids.map { Contact(trackingID: $0, x: 100) }
    let snapshot = ContactSnapshot(contacts: contacts, isPressed: isPressed)
    if decoder.adopt(snapshot, on: occasion, mint: &mint) { note() }
  }

  @Test mutating func `Taps that the button alone ends are one touch each`() {
    frame(.id(0), .x(100), .button(1))
    frame(.button(0))
    frame(.x(700), .button(1))
    frame(.x(710))
    frame(.button(0))
    // The same place: the kernel does not repeat the position.
    frame(.button(1))
    frame(.button(0))
    #expect(began == [100, 700, 710] && ended == [100, 710, 710])
    #expect(decoder.touchesDown == 0 && decoder.liftedContacts == 1)
  }

  @Test mutating func `The button ends all contacts, and each begins again when it moves`() {
    frame(.id(0), .x(100), .slot(1), .id(1), .x(200), .button(1))
    frame(.button(0))
    #expect(ended == [100, 200])
    frame(.slot(0), .x(110), .button(1))
    #expect(began == [100, 200, 110] && decoder.touchesDown == 1)
    frame(.slot(1), .x(210))
    #expect(began == [100, 200, 110, 210])
  }

  @Test mutating func `A slot lifted by its id in the same frame outweighs the button`() {
    frame(.id(0), .x(100), .slot(1), .id(1), .x(200), .button(1))
    frame(.id(-1), .button(0))
    frame(.slot(0), .x(150))
    #expect(ended == [200] && began == [100, 200])
    frame(.id(-1))
    #expect(ended == [200, 150])
  }

  @Test mutating func `A button that is released while a finger moves is not believed again`() {
    frame(.id(0), .x(100), .button(1))
    frame(.button(0))
    frame(.x(150))
    #expect(began == [100, 150])
    frame(.button(1))
    frame(.button(0))
    #expect(decoder.touchesDown == 1 && ended == [100])
    frame(.id(-1))
    #expect(ended == [100, 150])
  }

  @Test mutating func `A release in a frame that the kernel cut waits for the next frame`() {
    frame(.id(0), .x(100), .button(1))
    frame(.button(0), isCut: true)
    #expect(ended.isEmpty && decoder.touchesDown == 1)
    frame(.slot(1))
    #expect(ended == [100] && decoder.touchesDown == 0)
  }

  @Test mutating func `What follows a release that waited belongs to the next touch`() {
    frame(.id(0), .x(100), .button(1))
    frame(.button(0), isCut: true)
    frame(.x(700), .button(1))
    #expect(began == [100, 700] && ended == [100])
    frame(.button(0), isCut: true)
    frame(.slot(1), .id(1), .x(300), .button(1))
    #expect(began == [100, 700, 300] && ended == [100, 700])
    #expect(decoder.touchesDown == 1)
  }

  @Test mutating func `A contact that moves in the frame of the release has lifted`() {
    frame(.id(0), .x(100), .button(1))
    frame(.x(120), .button(0))
    #expect(began == [100] && ended == [120] && decoder.touchesDown == 0)
  }

  @Test mutating func `The button lets no contact touch again beside one that has moved`() {
    frame(.id(0), .x(100), .slot(1), .id(1), .x(200), .button(1))
    frame(.button(0))
    frame(.slot(0), .x(110), .slot(1), .button(1))
    #expect(began == [100, 200, 110] && decoder.touchesDown == 1)
  }

  @Test(arguments: [true, false])
  mutating func `After touches were cancelled, their contacts can touch again`(isDown: Bool) {
    frame(.id(0), .x(100), .button(1))
    if !isDown { frame(.button(0)) }
    let hasCancelled = decoder.cancelAll(.lost)
    #expect(hasCancelled == isDown)
    if isDown { frame(.button(0)) }
    frame(.x(300), .button(1))
    #expect(began == [100, 300] && decoder.touchesDown == 1)
  }

  @Test mutating func `A position that changed unseen is that of the next touch`() {
    frame(.id(0), .x(100), .button(1))
    frame(.button(0))
    let contact = Contact(trackingID: 0, x: 500)
    decoder.refresh(ContactSnapshot(contacts: [contact]), currentSlot: 0)
    #expect(decoder.touchesDown == 0)
    frame(.button(1))
    #expect(began == [100, 500])
  }

  @Test mutating func `Hovering contacts go on, and palms end with the button`() {
    frame(.id(0), .distance(1), .x(100), .slot(1), .id(1), .palm, .x(200), .button(1))
    frame(.button(0))
    frame(.slot(0), .distance(0), .x(110), .button(1))
    #expect(began == [200, 110] && decoder.touchesDown == 1)
  }

  @Test mutating func `Without a press before, a released button in the state ends no touch`() {
    frame(.id(0), .x(100))
    adopt([0, -1, -1], isPressed: false, on: .silence)
    #expect(decoder.touchesDown == 1)
  }

  @Test(arguments: [TouchDecoder.Occasion.drop, .silence])
  mutating func `A release that was not read is found in the kernel's state`(
    occasion: TouchDecoder.Occasion
  ) {
    frame(.id(0), .x(100), .button(1))
    adopt([0, -1, -1], isPressed: false, on: occasion)
    #expect(decoder.updates.map(\.cancellation) == [.lost] && decoder.touchesDown == 0)
    frame(.x(300), .button(1))
    #expect(began == [100, 300])
  }

  @Test mutating func `A press that was not read begins a touch, and a moved position does not`() {
    frame(.id(0), .x(300), .button(1))
    frame(.button(0))
    adopt([0, -1, -1], isPressed: false, on: .drop)
    #expect(began == [300] && decoder.touchesDown == 0)
    adopt([0, -1, -1], isPressed: true, on: .drop)
    #expect(began == [300, 100] && decoder.touchesDown == 1)
  }

  @Test mutating func `A contact that stays in a slot when a device is opened is not a touch`() {
    adopt([5, -1, -1], isPressed: false, on: .opening)
    #expect(decoder.touchesDown == 0 && began.isEmpty)
    frame(.button(1))
    frame(.button(0))
    #expect(began == [100] && ended == [100])
  }
}
