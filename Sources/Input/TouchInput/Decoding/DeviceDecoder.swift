public import TouchModel

/// Decodes the events of one device, of any protocol, into frames of touches. Used for real
/// devices and for recordings.
public struct DeviceDecoder: ~Copyable {
  public let contactProtocol: ContactProtocol
  /// The number of slots. Each touch that is down uses one.
  public let slotCount: Int
  private var touches: TouchDecoder
  /// For protocol A only; nil for other protocols.
  private var converter: ProtocolAConverter?
  /// The events of the current frame of protocol A so far. libmtdev receives only complete frames,
  /// because it treats every contact that a frame does not list as lifted.
  private var frame: [InputEvent] = []
  private static let frameLimit = 1024
  /// Whether to ignore the rest of the frame, because events were lost. No snapshot is needed,
  /// because every frame of protocol A lists all contacts.
  private var skipsToFrameEnd = false
  /// Whether contacts of protocol A have had an `ABS_MT_TOUCH_MAJOR` above 0, and likewise an
  /// `ABS_MT_PRESSURE`. Only then does 0 mean that a contact does not touch.
  private var hasSize = false
  private var hasPressure = false
  private let hasSlots: Bool
  /// Whether a touch may ever bounce (`isBouncing`): for single touch only.
  public let canBounce: Bool
  private var button = BouncingButton()
  private let axes: [UInt16: AxisInfo]

  /// The result of `process`.
  public struct Outcome: Sendable {
    /// Whether `updates` holds a new frame.
    public var isFrame = false
    /// Whether the kernel has lost events.
    public var isDrop = false
    /// Whether the caller must read the kernel's state and pass it to `adopt`.
    public var needsSnapshot = false

    var isAny: Bool { isFrame || isDrop || needsSnapshot }
  }

  /// Creates a decoder.
  /// - Throws: the reason why the device cannot be decoded.
  public init(_ description: DeviceDescription) throws(ContactProtocolError) {
    let contactProtocol = try ContactProtocol(of: description)
    let isAnonymous = contactProtocol.kind == .anonymous
    self.init(
      contactProtocol, axes: description.axes,
      converter: isAnonymous ? try ProtocolAConverter(axes: description.axes) : nil)
  }

  private init(
    _ contactProtocol: ContactProtocol, axes: [UInt16: AxisInfo],
    converter: consuming ProtocolAConverter?
  ) {
    self.contactProtocol = contactProtocol
    self.converter = converter
    self.axes = axes
    slotCount =
      switch contactProtocol.kind {
      case .slots(let count): count
      case .single: 1
      case .anonymous: ProtocolAConverter.slotCount
      }
    canBounce = contactProtocol.kind == .single
    let isAnonymous = contactProtocol.kind == .anonymous
    hasSlots = !canBounce && !isAnonymous
    touches = TouchDecoder(
      slotCount: slotCount, isSingleTouch: contactProtocol.kind == .single,
      hasButton: contactProtocol.hasButton && !isAnonymous)
  }

  /// The changes of touches in the last frame.
  public var updates: [TouchUpdate] { touches.updates }
  public var touchesDown: Int { touches.touchesDown }
  public var invalidSlotEvents: UInt64 { touches.invalidSlotEvents }
  /// The number of contacts that the kernel still reports after their touch-up.
  public var liftedContacts: Int { touches.liftedContacts }
  /// Whether a touch ends unless the next frame comes soon and continues it (`BouncingButton`).
  public var isBouncing: Bool { button.isHeld }
  /// The longest time between two frames, in µs, after which such a touch continues.
  public static let bounce = BouncingButton.limit

  public mutating func process(_ event: InputEvent, mint: inout TouchIDGenerator) -> Outcome {
    hasSlots ? processDirectly(event, mint: &mint) : processIndirectly(event, mint: &mint)
  }

  /// Processes the next events, up to the first one with a result.
  /// - Returns: the number of events that were processed, and the result of the last of them.
  public mutating func process(
    _ events: Span<InputEvent>, mint: inout TouchIDGenerator
  ) -> (count: Int, outcome: Outcome) {
    guard !hasSlots else {
      let (count, outcome) = touches.process(events, mint: &mint)
      return (count, self.outcome(of: outcome))
    }
    for index in events.indices {
      let outcome = processIndirectly(events[index], mint: &mint)
      if outcome.isAny { return (index + 1, outcome) }
    }
    return (events.count, Outcome())
  }

  /// Never inlined, so that the events of slots have no cost from it.
  @inline(never)
  private mutating func processIndirectly(
    _ event: InputEvent, mint: inout TouchIDGenerator
  ) -> Outcome {
    guard canBounce else { return processAnonymous(event, mint: &mint) }
    guard event.type != EventType.abs else { return processDirectly(event, mint: &mint) }
    switch button.process(event) {
    case .pass: break
    case .hold: return Outcome()
    case .passAfterRelease(let release): _ = touches.process(release, mint: &mint)
    }
    return processDirectly(event, mint: &mint)
  }

  @inline(__always)
  private mutating func processDirectly(
    _ event: InputEvent, mint: inout TouchIDGenerator
  ) -> Outcome {
    outcome(of: touches.process(event, mint: &mint))
  }

  @inline(__always)
  private func outcome(of outcome: TouchDecoder.Outcome) -> Outcome {
    switch outcome {
    case .pending: Outcome()
    case .frame: Outcome(isFrame: true)
    case .dropped: Outcome(isFrame: !touches.updates.isEmpty, isDrop: true)
    case .needsSnapshot: Outcome(needsSnapshot: true)
    }
  }

  /// Ends the bouncing touch, if it was not continued in time. Call it before the next event if
  /// `isBouncing`.
  /// - Parameter time: the time of the next event, or the current time.
  /// - Returns: the time when the touch ended, as in `updates`; nil if none has ended.
  public mutating func endBounce(
    before time: Timestamp, mint: inout TouchIDGenerator
  ) -> Timestamp? {
    guard let release = button.takeRelease(before: time) else { return nil }
    _ = touches.process(release, mint: &mint)
    let end = InputEvent(
      time: release.time, type: EventType.syn, code: SynCode.report, value: 0)
    guard case .frame = touches.process(end, mint: &mint) else { return nil }
    return release.time
  }

  private mutating func processAnonymous(
    _ event: InputEvent, mint: inout TouchIDGenerator
  ) -> Outcome {
    if event.type == EventType.syn, event.code == SynCode.dropped {
      wipeFrame()
      skipsToFrameEnd = true
      return Outcome(isDrop: true)
    }
    let isEnd = event.type == EventType.syn && event.code == SynCode.report
    // The kernel sends `SYN_REPORT` with value 1 if its buffer is full within a frame, and for key
    // repeats. Neither ends the frame.
    if isEnd, event.value != 0 { return Outcome() }
    let isOurs =
      event.type != EventType.abs || ProtocolAConverter.knownAxes.contains(event.code)
      || event.code == AbsCode.mtDistance || event.code == AbsCode.pressure
    if isOurs, !skipsToFrameEnd, frame.count < Self.frameLimit { frame.append(event) }
    guard isEnd else { return Outcome() }
    defer {
      wipeFrame()
      skipsToFrameEnd = false
    }
    // The frame was longer than `frameLimit`, or events of it were lost.
    guard frame.last?.code == SynCode.report, frame.last?.type == EventType.syn else {
      return Outcome()
    }
    // libmtdev treats every frame as the list of all contacts. A frame with only the press of a
    // hardware key would therefore end all touches.
    guard frame.contains(where: Self.tellsOfContacts) else { return Outcome() }
    feedFrame()
    var outcome = Outcome()
    while let converted = converter?.next() {
      if case .frame = touches.process(converted, mint: &mint) { outcome.isFrame = true }
    }
    // When no contact is left, replace the converter, because it still holds their positions in
    // memory. Nothing is lost, because every frame of protocol A lists all contacts.
    if outcome.isFrame, touches.isEmpty, renewConverter() {
      touches.forgetContacts()
    } else if touches.updates.contains(where: { $0.phase == .ended || $0.phase == .cancelled }) {
      converter?.wipe()
    }
    return outcome
  }

  /// - Returns: false if memory is exhausted; the old converter then stays in use.
  private mutating func renewConverter() -> Bool {
    guard let fresh = try? ProtocolAConverter(axes: axes) else { return false }
    converter = consume fresh
    return true
  }

  /// Overwrites the events before removing them, because a memory dump must not reveal touches in
  /// masks.
  private mutating func wipeFrame() {
    frame.overwrite(with: InputEvent(time: .zero, type: EventType.syn, code: 0, value: 0))
    frame.removeAll(keepingCapacity: true)
  }

  /// Passes the frame to libmtdev. Omits contacts that do not touch, and contacts above
  /// `contactLimit`. Also omits events that are not about contacts, because libmtdev's buffer holds
  /// only 512 events.
  ///
  /// A contact does not touch if it hovers (`ABS_MT_DISTANCE`), or has the size or the pressure 0.
  /// Drivers from before Android 4 report a touch-up in this way while other contacts stay. If a
  /// panel never reports another size or pressure than 0, that value is ignored.
  private mutating func feedFrame() {
    var contact: [InputEvent] = []
    var contacts = 0
    var hovers = false
    for event in frame {
      switch (event.type, event.code) {
      case (EventType.abs, AbsCode.pressure): break
      case (EventType.abs, AbsCode.mtDistance): hovers = hovers || event.value > 0
      case (EventType.abs, _):
        if event.code == AbsCode.mtTouchMajor {
          hasSize = hasSize || event.value > 0
          hovers = hovers || hasSize && event.value <= 0
        } else if event.code == AbsCode.mtPressure {
          hasPressure = hasPressure || event.value > 0
          hovers = hovers || hasPressure && event.value <= 0
        }
        if contact.count < ProtocolAConverter.knownAxes.count { contact.append(event) }
      case (EventType.syn, SynCode.mtReport):
        let isTouch = !hovers && !contact.isEmpty && contacts < ProtocolAConverter.contactLimit
        if isTouch {
          // For a contact without an id, libmtdev reads the id from uninitialised memory.
          let isNumbered = contact.contains { $0.code == AbsCode.mtTrackingID }
          if !isNumbered, axes[AbsCode.mtTrackingID] != nil {
            converter?.put(
              InputEvent(
                time: event.time, type: EventType.abs, code: AbsCode.mtTrackingID,
                value: Int32(contacts)))
          }
          for axis in contact { converter?.put(axis) }
          converter?.put(event)
          contacts += 1
        }
        contact.removeAll(keepingCapacity: true)
        hovers = false
      case (EventType.syn, SynCode.report):
        // libmtdev ignores an empty frame, which would leave the contacts down.
        if contacts == 0 {
          converter?.put(
            InputEvent(
              time: event.time, type: EventType.syn, code: SynCode.mtReport, value: 0))
        }
        converter?.put(event)
      default: break
      }
    }
  }

  /// Whether the event shows that the frame lists contacts. Drivers end each contact with
  /// `SYN_MT_REPORT`. After the last touch-up, they send a frame with a single `SYN_MT_REPORT`, or
  /// only the release of `BTN_TOUCH`, or only `ABS_PRESSURE` 0 (kernel:
  /// `multi-touch-protocol.rst`).
  private static func tellsOfContacts(_ event: InputEvent) -> Bool {
    switch (event.type, event.code) {
    case (EventType.syn, SynCode.mtReport): true
    case (EventType.key, KeyCode.buttonTouch), (EventType.abs, AbsCode.pressure): event.value == 0
    default: false
    }
  }

  /// Adopts the kernel's state, as `TouchDecoder.adopt` does. For protocol A, the kernel only knows
  /// whether any contact is down: an empty snapshot cancels all touches, and any other snapshot has
  /// no effect.
  /// - Returns: whether `updates` contains anything.
  public mutating func adopt(
    _ snapshot: ContactSnapshot, on occasion: TouchDecoder.Occasion, mint: inout TouchIDGenerator
  ) -> Bool {
    button = BouncingButton()
    guard case .anonymous = contactProtocol.kind else {
      return touches.adopt(snapshot, on: occasion, mint: &mint)
    }
    guard snapshot.contacts.isEmpty else { return false }
    let hasLost = touches.cancelAll(.lost)
    if renewConverter() { touches.forgetContacts() }
    return hasLost
  }

  /// Updates empty slots after a long silence, as `TouchDecoder.refresh` does. Call it only for
  /// devices with slots.
  public mutating func refresh(_ snapshot: ContactSnapshot, currentSlot: Int?) {
    touches.refresh(snapshot, currentSlot: currentSlot)
  }

  /// Cancels every touch at its last known position.
  /// - Returns: whether `updates` contains anything.
  public mutating func cancelAll(_ reason: Cancellation) -> Bool {
    button = BouncingButton()
    return touches.cancelAll(reason)
  }
}
