/// Turns the events of one device into frames of touches, for multitouch protocol B and for single
/// touch. libmtdev converts protocol A to protocol B first.
///
/// It decodes the slots itself instead of using libevdev's filter. That filter hides a contact that
/// replaces another without a touch-up: `sanitize_event` discards the second tracking id ("received
/// a double tracking ID"), and two fingers become one that jumps. The kernel's
/// `multi-touch-protocol.rst` allows such a replacement, and panels send it.
///
/// Only touch-downs and touch-ups take effect within a frame. Everything else is decided at its
/// end, because the last value of an axis wins (raspberrypi/linux#4749). A touch-up and a
/// touch-down of one slot within one frame remain two touches (libinput merges them).
public struct TouchDecoder: Sendable {
  /// The result of an event.
  public enum Outcome: Sendable {
    /// The frame is not complete, or it has ended without any touch.
    case pending
    /// A frame with touches has ended; `updates` contains them.
    case frame
    /// The kernel lost events, including the end of the frame. `updates` contains only the touches
    /// that ended in the part of the frame that was read. Events up to the next end of a frame are
    /// ignored (kernel: `event-codes.rst`).
    case dropped
    /// The first frame after lost events has ended: read the kernel's state and call `adopt`.
    case needsSnapshot
  }

  private enum State {
    case empty
    /// A touch-down in a frame that is not complete. Its kind is decided at the end of the frame.
    case arriving
    case hovering
    case touching(TouchID)
    /// Ignored until the touch-up: a palm, or a contact that belongs to another program.
    case rejected
    /// `BTN_TOUCH` reported the touch-up, but the slot still has its contact.
    case lifted
  }

  /// The evidence of touch-ups in a frame, besides the state of its slots.
  private struct Signs: OptionSet {
    let rawValue: UInt8
    /// The last value of `BTN_TOUCH`: 1 or 0.
    static let pressed = Signs(rawValue: 1)
    static let released = Signs(rawValue: 2)
    /// A slot was lifted by its tracking id.
    static let slotLifted = Signs(rawValue: 4)
    /// The button was released in an earlier frame, which the kernel cut.
    static let waiting = Signs(rawValue: 8)
  }

  private struct Slot {
    var contact = Contact()
    var state = State.empty
    var preexisting = false
    /// Whether the contact touched down in a frame that the kernel cut short (`endFrame`), so that
    /// its position may have been missing.
    var hasWaited = false
    /// The position at the end of the last frame.
    var frameX: Int32 = 0
    var frameY: Int32 = 0

    var hasMoved: Bool { contact.x != frameX || contact.y != frameY }

    @inline(__always)
    mutating func rememberPosition() { (frameX, frameY) = (contact.x, contact.y) }
  }

  /// The touches of the last frame. Each touch has one update, or `began` and then `ended` or
  /// `cancelled` if it began and ended in this frame. The updates of a slot are in chronological
  /// order.
  public private(set) var updates: [TouchUpdate] = []
  /// The number of events that selected a slot that the device does not have.
  public private(set) var invalidSlotEvents: UInt64 = 0

  private let isSingleTouch: Bool
  /// Whether `BTN_TOUCH` of a device with slots is believed.
  private var trustsButton: Bool
  /// The last known value of that button. nil before the first.
  private var isPressed: Bool?
  private var signs: Signs = []
  private var slots: [Slot]
  /// nil after an invalid slot number: the following events belong to no known contact.
  private var currentSlot: Int? = 0
  /// One above the highest slot ever used: higher slots need no work at the end of a frame.
  private var usedSlots = 0
  private var isDropping = false
  /// Whether `updates` are those of a frame that has ended.
  private var isPublished = false
  /// Whether the last frame only moved fingers that were down before it, all other slots are empty,
  /// and no event other than positions came since. `updates` then has each finger, by its slot.
  private var isSteady = false

  /// - Parameters:
  ///   - slotCount: the number of slots, 1...256; 1 for single touch.
  ///   - hasButton: whether a device with slots has a `BTN_TOUCH` that may report touch-ups.
  public init(slotCount: Int, isSingleTouch: Bool, hasButton: Bool = false) {
    self.isSingleTouch = isSingleTouch
    trustsButton = hasButton && !isSingleTouch
    slots = Array(repeating: Slot(), count: max(1, slotCount))
    updates.reserveCapacity(2 * slots.count)
  }

  /// The number of touches that are down. A touch counts from the end of the frame in which it
  /// began.
  public var touchesDown: Int {
    slots.prefix(usedSlots).reduce(0) { count, slot in
      if case .touching = slot.state { count + 1 } else { count }
    }
  }

  /// The number of slots that still have a contact after `BTN_TOUCH` has reported its touch-up.
  public var liftedContacts: Int {
    slots.prefix(usedSlots).reduce(0) { count, slot in
      if case .lifted = slot.state { count + 1 } else { count }
    }
  }

  /// Processes the next events of the device, up to the first one with a result.
  /// - Parameter mint: creates an identity for each touch that begins.
  /// - Returns: the number of events that were processed, and the result of the last of them.
  public mutating func process(
    _ events: Span<InputEvent>, mint: inout TouchIDGenerator
  ) -> (count: Int, outcome: Outcome) {
    var index = 0
    while true {
      index = takePositions(events, from: index)
      guard index < events.count else { return (index, .pending) }
      let outcome = take(events[index], mint: &mint)
      index += 1
      if outcome != .pending { return (index, outcome) }
    }
  }

  /// Processes the next event of the device.
  /// - Parameter mint: creates an identity for each touch that begins.
  public mutating func process(_ event: InputEvent, mint: inout TouchIDGenerator) -> Outcome {
    let event = CollectionOfOne(event)
    return process(event.span, mint: &mint).outcome
  }

  /// Takes over the positions of contacts up to the first event that tells something else. Nearly
  /// all events are of this kind, so `slots` is accessed once for all of them, and indices are
  /// checked when a slot is selected.
  /// - Returns: the index of that event.
  private mutating func takePositions(_ events: Span<InputEvent>, from start: Int) -> Int {
    guard !isSingleTouch, !isDropping, var current = currentSlot else { return start }
    var index = start
    var slots = slots.mutableSpan
    precondition(slots.indices.contains(current))
    loop: while index < events.count {
      let event = unsafe events[unchecked: index]
      guard event.type == EventType.abs else { break }
      switch event.code {
      case AbsCode.mtPositionX: unsafe slots[unchecked: current].contact.x = event.value
      case AbsCode.mtPositionY: unsafe slots[unchecked: current].contact.y = event.value
      case AbsCode.mtSlot where slots.indices.contains(Int(event.value)):
        current = Int(event.value)
      default: break loop
      }
      index += 1
    }
    currentSlot = current
    return index
  }

  /// Processes an event that is not the position of a contact.
  private mutating func take(_ event: InputEvent, mint: inout TouchIDGenerator) -> Outcome {
    let isEnd = event.type == EventType.syn && event.code == SynCode.report
    if isEnd, isPublished, isSteady { return moveTouches() }
    startFrameIfNeeded()
    if event.type == EventType.syn {
      return processSync(event.code, event.value, mint: &mint)
    }
    if isDropping { return .pending }
    switch (event.type, isSingleTouch) {
    case (EventType.abs, false): processMultitouch(event.code, event.value, mint: &mint)
    case (EventType.abs, true): processSingleAxis(event.code, event.value)
    case (EventType.key, true) where event.code == KeyCode.buttonTouch && event.value != 2:
      // The value 2 means autorepeat, as on keyboards. Some panels send it, too.
      setTrackingID(event.value == 0 ? -1 : 0, slot: 0, mint: &mint)
    case (EventType.key, false) where event.code == KeyCode.buttonTouch && event.value != 2:
      if signs.contains(.waiting) { followButton(isNext: event.value != 0, mint: &mint) }
      signs.subtract([.pressed, .released])
      signs.insert(event.value == 0 ? .released : .pressed)
    default: break
    }
    return .pending
  }

  /// The reason for reading the kernel's state.
  public enum Occasion: Sendable {
    /// The device was opened. Touches that begin now were down earlier, and are marked as
    /// preexisting.
    case opening
    /// Events were lost. Touches that begin now touched down in the meantime.
    case drop
    /// A panel with fingers down has sent nothing for a while. The fingers may have been lifted
    /// while another program held the device. New contacts belong to that program, and are ignored
    /// until their touch-up.
    case silence
  }

  /// Adopts the kernel's state. Touches that the kernel no longer has are cancelled at their last
  /// known position.
  /// - Returns: whether `updates` contains anything.
  public mutating func adopt(
    _ snapshot: ContactSnapshot, on occasion: Occasion, mint: inout TouchIDGenerator
  ) -> Bool {
    startFrameIfNeeded()
    isDropping = false
    signs = []
    currentSlot = slots.indices.contains(snapshot.currentSlot) ? snapshot.currentSlot : nil
    let isReleased = trustsButton && snapshot.isPressed == false
    // Some drivers announce the button but never press it. It reports a touch-up only if it was
    // pressed before.
    let wasReleased = isReleased && isPressed == true
    for (index, contact) in zip(slots.indices, snapshot.contacts) {
      if slots[index].contact.trackingID != contact.trackingID {
        if case .touching(let touch) = slots[index].state {
          append(.cancelled, touch, index, cancellation: .lost, atLastFrame: true)
        }
        let landed: State =
          occasion == .silence ? .rejected : isReleased ? .lifted : .arriving
        slots[index].state = contact.trackingID < 0 ? .empty : landed
        slots[index].preexisting = occasion == .opening
        slots[index].hasWaited = false
        use(index)
      } else if wasReleased {
        switch slots[index].state {
        case .touching(let touch):
          append(.cancelled, touch, index, cancellation: .lost, atLastFrame: true)
          slots[index].state = .lifted
        case .rejected: slots[index].state = .lifted
        case .empty, .arriving, .hovering, .lifted: break
        }
      }
      slots[index].contact = contact
      // A lifted contact that has moved touches again, unless another program used the device.
      if case .lifted = slots[index].state, isReleased || occasion == .silence {
        rememberPosition(index)
      }
    }
    if let pressed = snapshot.isPressed {
      if pressed, isPressed == false, occasion == .drop { signs.insert(.pressed) }
      isPressed = pressed
    }
    return endFrame(mint: &mint)
  }

  /// Updates empty slots before the first events after a long silence. While another program held
  /// the device, positions and the current slot may have changed unseen, and the kernel does not
  /// repeat them.
  /// - Parameter currentSlot: the slot that the next event applies to; nil if it is unknown.
  public mutating func refresh(_ snapshot: ContactSnapshot, currentSlot: Int?) {
    for (index, contact) in zip(slots.indices, snapshot.contacts) {
      if case .lifted = slots[index].state {
        (slots[index].contact.x, slots[index].contact.y) = (contact.x, contact.y)
        rememberPosition(index)
      }
      guard case .empty = slots[index].state else { continue }
      slots[index].contact = contact
      // Treat the slot as empty even if the kernel has a contact in it. Either that contact's
      // touch-down is among the events that follow, or the contact belongs to another program.
      slots[index].contact.trackingID = -1
    }
    if let currentSlot, slots.indices.contains(currentSlot) { self.currentSlot = currentSlot }
  }

  /// Whether no slot has a contact, including palms and hovering contacts.
  public var isEmpty: Bool {
    slots.prefix(usedSlots).allSatisfy { if case .empty = $0.state { true } else { false } }
  }

  /// Resets all slots. Call when the source of the events starts over as well.
  /// - Precondition: `isEmpty`.
  public mutating func forgetContacts() {
    for index in 0..<usedSlots { slots[index] = Slot() }
    usedSlots = 0
    currentSlot = 0
  }

  /// Cancels every touch at its last known position, because the device was removed or is no longer
  /// read.
  /// - Returns: whether `updates` contains anything.
  public mutating func cancelAll(_ reason: Cancellation) -> Bool {
    startFrameIfNeeded()
    for index in 0..<usedSlots {
      if case .touching(let touch) = slots[index].state {
        append(.cancelled, touch, index, cancellation: reason, atLastFrame: true)
      }
      if trustsButton, isPressed == true, slots[index].contact.trackingID >= 0 {
        // The kernel does not repeat the tracking id when the slot is used again.
        slots[index].state = .rejected
        continue
      }
      if case .lifted = slots[index].state { continue }
      slots[index].state = .empty
      slots[index].contact.trackingID = -1
    }
    isPublished = true
    return !updates.isEmpty
  }

  // MARK: Events

  @inline(__always)
  private mutating func startFrameIfNeeded() { if isPublished { startFrame() } }

  private mutating func startFrame() {
    isSteady = false
    // Overwrite the updates before removing them: a memory dump must not reveal touches in masks.
    updates.overwrite(
      with: TouchUpdate(touch: TouchID(0), phase: .ended, slot: 0, trackingID: nil, x: 0, y: 0))
    updates.removeAll(keepingCapacity: true)
    isPublished = false
  }

  private mutating func processSync(
    _ code: UInt16, _ value: Int32, mint: inout TouchIDGenerator
  ) -> Outcome {
    switch code {
    case SynCode.report where isDropping:
      isDropping = false
      return .needsSnapshot
    case SynCode.report:
      return endFrame(isCut: value != 0, mint: &mint) ? .frame : .pending
    case SynCode.dropped where !isDropping:
      // The kernel delivers a frame event by event, and discards unread events when its buffer is
      // full (`evdev_fetch_next_event`, `__pass_event` in evdev.c): half a frame may have been
      // read. A touch-up is certain by itself. A new contact may lack its position, and the slot
      // still has that of the previous contact. So everything except touch-ups waits for the
      // kernel's state.
      isPublished = true
      isDropping = true
      return .dropped
    default:
      return .pending
    }
  }

  @inline(__always)
  private mutating func processMultitouch(
    _ code: UInt16, _ value: Int32, mint: inout TouchIDGenerator
  ) {
    if code == AbsCode.mtSlot {
      currentSlot = slots.indices.contains(Int(value)) ? Int(value) : nil
      if currentSlot == nil { invalidSlotEvents += 1 }
      return
    }
    guard let currentSlot else { return }
    switch code {
    case AbsCode.mtTrackingID: setTrackingID(value, slot: currentSlot, mint: &mint)
    case AbsCode.mtToolType: slots[currentSlot].contact.tool = value
    case AbsCode.mtDistance: slots[currentSlot].contact.distance = value
    default: break
    }
  }

  private mutating func processSingleAxis(_ code: UInt16, _ value: Int32) {
    switch code {
    case AbsCode.x: slots[0].contact.x = value
    case AbsCode.y: slots[0].contact.y = value
    default: break
    }
  }

  private mutating func setTrackingID(_ id: Int32, slot index: Int, mint: inout TouchIDGenerator) {
    // Drivers send -1 for a touch-up; treat every other negative number alike.
    let id = max(-1, id)
    guard slots[index].contact.trackingID != id else { return }
    endContact(index, mint: &mint)
    slots[index].contact.trackingID = id
    slots[index].state = id < 0 ? .empty : .arriving
    if id < 0 { signs.insert(.slotLifted) }
    slots[index].preexisting = false
    slots[index].hasWaited = false
    use(index)
  }

  /// Ends the contact in a slot, at its current position or at that of the last frame.
  private mutating func endContact(
    _ index: Int, atLastFrame: Bool = false, mint: inout TouchIDGenerator
  ) {
    let contact = slots[index].contact
    switch slots[index].state {
    // A contact that touches down and up within one frame is still a touch.
    case .arriving: updateState(index, mint: &mint)
    // If a contact becomes a palm or hovers in the frame of its touch-up, decide that first.
    case .touching where !contact.isFinger:
      updateState(index, mint: &mint)
    default: break
    }
    if case .touching(let touch) = slots[index].state {
      append(.ended, touch, index, atLastFrame: atLastFrame)
    }
  }

  // MARK: The end of a frame

  /// - Parameter isCut: whether the frame ended with a `SYN_REPORT` other than 0. The kernel ends a
  ///   frame early in this way when its buffer is full (`input_handle_event`). The position of a
  ///   new contact may then be missing.
  private mutating func endFrame(isCut: Bool = false, mint: inout TouchIDGenerator) -> Bool {
    if !signs.isEmpty { followButton(isCut: isCut, mint: &mint) }
    var fingers = 0
    isSteady = signs.isEmpty
    for index in 0..<usedSlots {
      if endFrameOfFinger(index) {
        fingers += 1
        continue
      }
      if case .empty = slots[index].state {} else { isSteady = false }
      // Wait only once, because some drivers end every frame in this way.
      if case .arriving = slots[index].state, isCut, !slots[index].hasWaited {
        slots[index].hasWaited = true
        continue
      }
      updateState(index, mint: &mint)
      rememberPosition(index)
    }
    isSteady = isSteady && updates.count == fingers
    isPublished = true
    return !updates.isEmpty
  }

  /// Ends a frame in which only positions changed, as in nearly all frames. The updates of the last
  /// frame become those of this one.
  /// - Precondition: `isSteady`.
  private mutating func moveTouches() -> Outcome {
    Self.move(&updates, to: &slots)
    return updates.isEmpty ? .pending : .frame
  }

  @inline(__always)
  private static func move(_ updates: inout [TouchUpdate], to slots: inout [Slot]) {
    var updates = updates.mutableSpan
    var slots = slots.mutableSpan
    for index in updates.indices {
      let slot = updates[index].slot
      let contact = slots[slot].contact
      updates[index].phase = slots[slot].hasMoved ? .moved : .stationary
      (updates[index].x, updates[index].y) = (contact.x, contact.y)
      slots[slot].rememberPosition()
    }
  }

  /// Ends the frame of a slot with a finger that touched before and still does: the usual case.
  /// - Returns: false if something else is in the slot.
  @inline(__always)
  private mutating func endFrameOfFinger(_ index: Int) -> Bool {
    let slot = slots[index]
    guard case .touching(let touch) = slot.state, slot.contact.isFinger else { return false }
    append(slot.hasMoved ? .moved : .stationary, touch, index)
    if slot.hasMoved { rememberPosition(index) }
    return true
  }

  @inline(__always)
  private mutating func rememberPosition(_ index: Int) { slots[index].rememberPosition() }

  /// Follows `BTN_TOUCH` of a device with slots.
  ///
  /// The button is released when nothing touches the glass (kernel: `event-codes.rst`), so slots
  /// that still have contacts then are lifted. Good drivers lift the slots in the same frame or
  /// before, and nothing is left to do. Others lift by the button alone, and use the same tracking
  /// id for the next touch: a lifted slot touches again when its position changes, and the current
  /// one also when the button is pressed and no other slot touches.
  ///
  /// The button is not believed in a frame that lifts a slot by its tracking id, because some
  /// drivers release it with every finger. It is never believed again after a lifted slot has moved
  /// while the button was released (`updateState`).
  ///
  /// The kernel itself releases the button when a device is unplugged or suspended, in a frame that
  /// it ends with `SYN_REPORT` 1 (`input_dev_release_keys`). So a release in such a frame waits for
  /// the next one, which does not come after an unplugging.
  ///
  /// - Parameter isNext: whether a release that waited is followed by a press. The contacts and
  ///   positions of this frame then belong to the next touches.
  private mutating func followButton(
    isCut: Bool = false, isNext: Bool = false, mint: inout TouchIDGenerator
  ) {
    let signs = self.signs
    self.signs = []
    guard trustsButton, !signs.isDisjoint(with: [.pressed, .released]) else { return }
    if isCut, signs.isDisjoint(with: [.pressed, .waiting]) {
      self.signs = signs.union(.waiting)
      return
    }
    isPressed = signs.contains(.pressed)
    if signs.contains(.pressed) { return touchAgain() }
    if signs.contains(.slotLifted) { return }
    for index in 0..<usedSlots {
      // This contact touched down after the release.
      if case .arriving = slots[index].state, signs.contains(.waiting), !slots[index].hasWaited {
        continue
      }
      endContact(index, atLastFrame: isNext, mint: &mint)
      switch slots[index].state {
      case .touching, .rejected:
        slots[index].state = .lifted
        if !isNext { rememberPosition(index) }
      case .empty, .arriving, .hovering, .lifted: break
      }
    }
  }

  /// Lets the contact of the current slot touch again, unless another contact touches.
  private mutating func touchAgain() {
    guard let currentSlot, case .lifted = slots[currentSlot].state else { return }
    let isTouched = (0..<usedSlots).contains { index in
      switch slots[index].state {
      case .arriving, .touching: true
      case .lifted: slots[index].hasMoved
      case .empty, .hovering, .rejected: false
      }
    }
    if isTouched { return }
    slots[currentSlot].preexisting = false
    slots[currentSlot].state = .arriving
  }

  /// Determines the new state of the contact in a slot.
  private mutating func updateState(_ index: Int, mint: inout TouchIDGenerator) {
    let contact = slots[index].contact
    let isPalm = contact.tool == ToolType.palm
    let hovers = contact.distance > 0
    switch slots[index].state {
    case .empty, .rejected:
      break
    case .lifted:
      guard slots[index].hasMoved else { break }
      // The button was released, and yet something touches: it tells nothing on this device.
      if isPressed == false && !isPalm && !hovers { trustsButton = false }
      slots[index].preexisting = false
      slots[index].state = .arriving
      updateState(index, mint: &mint)
    case .arriving where isPalm, .hovering where isPalm:
      let touch = mint.mint()
      append(.began, touch, index)
      append(.cancelled, touch, index, cancellation: .palm)
      slots[index].state = .rejected
    case .arriving where hovers, .hovering where hovers:
      // If the contact touches later, it was not down when the device was opened.
      slots[index].preexisting = false
      slots[index].state = .hovering
    case .arriving, .hovering:
      let touch = mint.mint()
      append(.began, touch, index)
      slots[index].state = .touching(touch)
    case .touching(let touch) where isPalm:
      append(.cancelled, touch, index, cancellation: .palm, atLastFrame: true)
      slots[index].state = .rejected
    case .touching(let touch) where hovers:
      append(.ended, touch, index, atLastFrame: true)
      slots[index].preexisting = false
      slots[index].state = .hovering
    case .touching(let touch):
      append(slots[index].hasMoved ? .moved : .stationary, touch, index)
    }
  }

  private mutating func append(
    _ phase: Phase, _ touch: TouchID, _ index: Int, cancellation: Cancellation? = nil,
    atLastFrame: Bool = false
  ) {
    let slot = slots[index]
    updates.append(
      TouchUpdate(
        touch: touch, phase: phase, cancellation: cancellation, slot: index,
        trackingID: isSingleTouch ? nil : slot.contact.trackingID,
        x: atLastFrame ? slot.frameX : slot.contact.x,
        y: atLastFrame ? slot.frameY : slot.contact.y, preexisting: slot.preexisting))
  }

  private mutating func use(_ index: Int) { usedSlots = max(usedSlots, index + 1) }
}
