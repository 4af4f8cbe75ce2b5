/// Turns the events of one device into frames of touches, for protocol B and for single touch.
///
/// It decodes the slots itself rather than through libevdev's filter, because that filter hides a
/// contact that replaces another without a lift: `sanitize_event` discards the second tracking id
/// ("received a double tracking ID") and two fingers become one that jumps. The kernel's
/// `multi-touch-protocol.rst` allows such a replacement, and panels send it.
///
/// Nothing is decided before the end of a frame but the lifts and landings themselves: the last
/// value of an axis wins (raspberrypi/linux#4749), while a lift and a landing of one slot within
/// one frame remain two touches (libinput merges them).
public struct TouchDecoder: Sendable {
  /// What an event led to.
  public enum Outcome: Sendable {
    /// The frame goes on.
    case pending
    /// A frame has ended: `updates` holds it.
    case frame
    /// The kernel lost events, the end of the frame among them: `updates` holds the lifts that had come of
    /// it. What follows up to the next frame end is ignored (kernel: `event-codes.rst`).
    case dropped
    /// The lost events are over: read the kernel's state and call `adopt`.
    case needsSnapshot
  }

  private enum State {
    case empty
    /// Landed in a frame that is not yet whole; what it is is decided at the frame's end.
    case landing
    case hovering
    case touching(TouchID)
    /// A palm, until it is lifted: it never becomes a touch again.
    case rejected
  }

  private struct Slot {
    var contact = Contact()
    var state = State.empty
    var preexisting = false
    /// It landed in a frame that was cut, and may have been half told.
    var hasWaited = false
    /// The position in the last frame.
    var frameX: Int32 = 0
    var frameY: Int32 = 0
  }

  /// The touches of the last frame: at most one update of each touch, but `began` together with
  /// `ended` or `cancelled` where a touch was that short. In order of time within a slot.
  public private(set) var updates: [TouchUpdate] = []
  /// Events for slots that the device does not have.
  public private(set) var invalidSlotEvents: UInt64 = 0

  private let isSingleTouch: Bool
  private var slots: [Slot]
  /// nil after an invalid slot number: what follows belongs to no contact of ours.
  private var currentSlot: Int? = 0
  /// One above the highest slot ever used: the frame's end looks no further.
  private var usedSlots = 0
  private var isDropping = false
  private var isPublished = false

  /// - Parameter slotCount: number of slots, 1...256; 1 for single touch.
  public init(slotCount: Int, isSingleTouch: Bool) {
    self.isSingleTouch = isSingleTouch
    slots = Array(repeating: Slot(), count: max(1, slotCount))
    updates.reserveCapacity(2 * slots.count)
  }

  /// The number of touches that are down as of the last frame.
  public var touchesDown: Int {
    slots.prefix(usedSlots).reduce(0) { count, slot in
      if case .touching = slot.state { count + 1 } else { count }
    }
  }

  /// - Parameter mint: gives an identity to each touch that begins.
  public mutating func process(_ event: InputEvent, mint: inout TouchIDMint) -> Outcome {
    startFrameIfNeeded()
    if event.type == EventType.syn {
      return processSync(event.code, event.value, mint: &mint)
    }
    if isDropping { return .pending }
    switch (event.type, isSingleTouch) {
    case (EventType.abs, false): processMultitouch(event.code, event.value, mint: &mint)
    case (EventType.abs, true): processSingleAxis(event.code, event.value)
    case (EventType.key, true) where event.code == KeyCode.buttonTouch && event.value != 2:
      // 2 is the keyboard's autorepeat, which some panels were given.
      setTrackingID(event.value == 0 ? -1 : 0, slot: 0, mint: &mint)
    default: break
    }
    return .pending
  }

  /// When the kernel's state is asked for.
  public enum Occasion: Sendable {
    /// Touches that begin now have been down before, and are marked so.
    case opening
    /// Touches that begin now landed while events were lost.
    case drop
    /// A panel with fingers down has said nothing for a while: they may have lifted while another program
    /// held the device. What landed meanwhile was that program's, and is left alone until it lifts.
    case silence
  }

  /// Takes over the kernel's state. Touches that the kernel no longer has are cancelled where they were
  /// last seen.
  /// - Returns: whether `updates` holds anything.
  public mutating func adopt(
    _ snapshot: ContactSnapshot, on occasion: Occasion, mint: inout TouchIDMint
  ) -> Bool {
    startFrameIfNeeded()
    isDropping = false
    currentSlot = slots.indices.contains(snapshot.currentSlot) ? snapshot.currentSlot : nil
    for (index, contact) in zip(slots.indices, snapshot.contacts) {
      if slots[index].contact.trackingID != contact.trackingID {
        if case .touching(let touch) = slots[index].state {
          append(.cancelled, touch, index, cancellation: .lost, atLastFrame: true)
        }
        let landed: State = occasion == .silence ? .rejected : .landing
        slots[index].state = contact.trackingID < 0 ? .empty : landed
        slots[index].preexisting = occasion == .opening
        slots[index].hasWaited = false
        use(index)
      }
      slots[index].contact = contact
    }
    return endFrame(mint: &mint)
  }

  /// Brings empty slots up to date before the first events after a long silence: while another program held
  /// the device, positions and the current slot changed unseen, and the kernel does not repeat them.
  /// - Parameter currentSlot: the slot that the next event is for, where that is known.
  public mutating func refresh(_ snapshot: ContactSnapshot, currentSlot: Int?) {
    for (index, contact) in zip(slots.indices, snapshot.contacts) {
      guard case .empty = slots[index].state else { continue }
      slots[index].contact = contact
      // Its landing is among the events that follow, or was another program's.
      slots[index].contact.trackingID = -1
    }
    if let currentSlot, slots.indices.contains(currentSlot) { self.currentSlot = currentSlot }
  }

  /// No slot has a contact, not even a palm or one that hovers.
  public var isEmpty: Bool {
    slots.prefix(usedSlots).allSatisfy { if case .empty = $0.state { true } else { false } }
  }

  /// Slots are as at the beginning, for a source that begins anew as well.
  /// - Precondition: it is empty.
  public mutating func forgetContacts() {
    for index in 0..<usedSlots { slots[index] = Slot() }
    usedSlots = 0
    currentSlot = 0
  }

  /// Cancels every touch where it was last seen; the device is gone or will be read no longer.
  /// - Returns: whether `updates` holds anything.
  public mutating func cancelAll(_ reason: Cancellation) -> Bool {
    startFrameIfNeeded()
    for index in 0..<usedSlots {
      if case .touching(let touch) = slots[index].state {
        append(.cancelled, touch, index, cancellation: reason, atLastFrame: true)
      }
      slots[index].state = .empty
      slots[index].contact.trackingID = -1
    }
    isPublished = true
    return !updates.isEmpty
  }

  // MARK: Events

  private mutating func startFrameIfNeeded() {
    guard isPublished else { return }
    // Not only removed: what was touched in a mask must not be found in a dump of memory later.
    for index in updates.indices {
      updates[index] = TouchUpdate(
        touch: TouchID(0), phase: .ended, slot: 0, trackingID: nil, x: 0, y: 0)
    }
    updates.removeAll(keepingCapacity: true)
    isPublished = false
  }

  private mutating func processSync(
    _ code: UInt16, _ value: Int32, mint: inout TouchIDMint
  ) -> Outcome {
    switch code {
    case SynCode.report where isDropping:
      isDropping = false
      return .needsSnapshot
    case SynCode.report:
      return endFrame(isCut: value != 0, mint: &mint) ? .frame : .pending
    case SynCode.dropped where !isDropping:
      // The kernel hands out a frame event by event and throws away what is unread when its buffer is full
      // (`evdev_fetch_next_event`, `__pass_event` in evdev.c): half a frame may have been read. A lift is a
      // fact by itself. A contact that has landed may still lack its position, which would be that of the
      // contact before it in the slot. So everything but lifts waits for the kernel's state.
      isPublished = true
      isDropping = true
      return .dropped
    default:
      return .pending
    }
  }

  private mutating func processMultitouch(
    _ code: UInt16, _ value: Int32, mint: inout TouchIDMint
  ) {
    if code == AbsCode.mtSlot {
      currentSlot = slots.indices.contains(Int(value)) ? Int(value) : nil
      if currentSlot == nil { invalidSlotEvents += 1 }
      return
    }
    guard let currentSlot else { return }
    switch code {
    case AbsCode.mtPositionX: slots[currentSlot].contact.x = value
    case AbsCode.mtPositionY: slots[currentSlot].contact.y = value
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

  private mutating func setTrackingID(_ id: Int32, slot index: Int, mint: inout TouchIDMint) {
    // Drivers say -1 for a lift; any other negative number can mean nothing else.
    let id = max(-1, id)
    guard slots[index].contact.trackingID != id else { return }
    lift(index, mint: &mint)
    slots[index].contact.trackingID = id
    slots[index].state = id < 0 ? .empty : .landing
    slots[index].preexisting = false
    slots[index].hasWaited = false
    use(index)
  }

  /// Ends what is in a slot, at the position that is known now.
  private mutating func lift(_ index: Int, mint: inout TouchIDMint) {
    let contact = slots[index].contact
    switch slots[index].state {
    // A contact that lands and lifts within one frame is a touch all the same.
    case .landing: settle(index, mint: &mint)
    // One that is called a palm, or taken away, in the frame of its lift is no finger that lifts.
    case .touching where contact.tool == ToolType.palm || contact.distance > 0:
      settle(index, mint: &mint)
    default: break
    }
    if case .touching(let touch) = slots[index].state { append(.ended, touch, index) }
  }

  // MARK: The end of a frame

  /// - Parameter isCut: the kernel ran out of room and ended the frame before its driver did, with
  ///   `SYN_REPORT` 1 (`input_handle_event`): where a contact has just landed may still be unsaid.
  private mutating func endFrame(isCut: Bool = false, mint: inout TouchIDMint) -> Bool {
    for index in 0..<usedSlots {
      // Once only: some drivers end every frame that way.
      if case .landing = slots[index].state, isCut, !slots[index].hasWaited {
        slots[index].hasWaited = true
        continue
      }
      settle(index, mint: &mint)
      slots[index].frameX = slots[index].contact.x
      slots[index].frameY = slots[index].contact.y
    }
    isPublished = true
    return !updates.isEmpty
  }

  /// Decides what the contact in a slot is now.
  private mutating func settle(_ index: Int, mint: inout TouchIDMint) {
    let contact = slots[index].contact
    let isPalm = contact.tool == ToolType.palm
    let hovers = contact.distance > 0
    switch slots[index].state {
    case .empty, .rejected:
      break
    case .landing where isPalm, .hovering where isPalm:
      let touch = mint.mint()
      append(.began, touch, index)
      append(.cancelled, touch, index, cancellation: .palm)
      slots[index].state = .rejected
    case .landing where hovers, .hovering where hovers:
      // What touches later was not down before.
      slots[index].preexisting = false
      slots[index].state = .hovering
    case .landing, .hovering:
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
      let slot = slots[index]
      let moved = contact.x != slot.frameX || contact.y != slot.frameY
      append(moved ? .moved : .stationary, touch, index)
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
