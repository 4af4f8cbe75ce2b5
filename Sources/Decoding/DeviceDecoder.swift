public import TouchModel

/// The decoder of one device, whatever its protocol: events in, frames of touches out. Real devices and
/// recordings go the same way.
public struct DeviceDecoder: ~Copyable {
  public let contactProtocol: ContactProtocol
  private var touches: TouchDecoder
  /// Only for protocol A.
  private var converter: ProtocolAConverter?
  /// The frame of protocol A that is coming in: given to libmtdev whole or not at all, as a half
  /// frame would lift the fingers that it does not mention.
  private var frame: [InputEvent] = []
  private static let frameLimit = 1024
  /// Protocol A says everything in every frame: lost events need no snapshot, only an end.
  private var skipsToFrameEnd = false
  private let axes: [UInt16: AxisInfo]

  /// What an event led to.
  public struct Outcome: Sendable {
    /// `updates` holds a frame.
    public var isFrame = false
    /// The kernel lost events.
    public var isDrop = false
    /// The kernel's state must be read and given to `adopt`.
    public var needsSnapshot = false
  }

  /// - Throws: what is wrong with the device.
  public init(_ description: DeviceDescription) throws(ContactProtocolError) {
    let contactProtocol = try ContactProtocol(of: description)
    var converter: ProtocolAConverter?
    if case .anonymous = contactProtocol.kind {
      converter = ProtocolAConverter(axes: description.axes)
      if converter == nil { throw .noMemory }
    }
    self.contactProtocol = contactProtocol
    self.converter = converter
    axes = description.axes
    switch contactProtocol.kind {
    case .slots(let count):
      touches = TouchDecoder(slotCount: count, isSingleTouch: false)
    case .single:
      touches = TouchDecoder(slotCount: 1, isSingleTouch: true)
    case .anonymous:
      touches = TouchDecoder(slotCount: ProtocolAConverter.slotCount, isSingleTouch: false)
    }
  }

  /// The most slots that its touches have.
  public var slotCount: Int {
    switch contactProtocol.kind {
    case .slots(let count): count
    case .single: 1
    case .anonymous: ProtocolAConverter.slotCount
    }
  }

  /// The touches of the last frame.
  public var updates: [TouchUpdate] { touches.updates }
  public var touchesDown: Int { touches.touchesDown }
  public var invalidSlotEvents: UInt64 { touches.invalidSlotEvents }

  public mutating func process(_ event: InputEvent, mint: inout TouchIDMint) -> Outcome {
    guard case .anonymous = contactProtocol.kind else {
      switch touches.process(event, mint: &mint) {
      case .pending: return Outcome()
      case .frame: return Outcome(isFrame: true)
      case .dropped: return Outcome(isFrame: !touches.updates.isEmpty, isDrop: true)
      case .needsSnapshot: return Outcome(needsSnapshot: true)
      }
    }
    return processAnonymous(event, mint: &mint)
  }

  private mutating func processAnonymous(
    _ event: InputEvent, mint: inout TouchIDMint
  ) -> Outcome {
    if event.type == EventType.syn, event.code == SynCode.dropped {
      wipeFrame()
      skipsToFrameEnd = true
      return Outcome(isDrop: true)
    }
    let isEnd = event.type == EventType.syn && event.code == SynCode.report
    // 1 is no frame's end: the kernel ran out of room amid the frame, or repeats a key.
    if isEnd, event.value != 0 { return Outcome() }
    let isOurs =
      event.type != EventType.abs || ProtocolAConverter.knownAxes.contains(event.code)
      || event.code == AbsCode.mtDistance
    if isOurs, !skipsToFrameEnd, frame.count < Self.frameLimit { frame.append(event) }
    guard isEnd else { return Outcome() }
    defer {
      wipeFrame()
      skipsToFrameEnd = false
    }
    // A frame without end is no panel's.
    guard frame.last?.code == SynCode.report, frame.last?.type == EventType.syn else {
      return Outcome()
    }
    // libmtdev takes every frame for one of contacts: a key pressed beside the glass would lift them all.
    guard frame.contains(where: Self.tellsOfContacts) else { return Outcome() }
    feedFrame()
    var outcome = Outcome()
    while let converted = converter?.next() {
      if case .frame = touches.process(converted, mint: &mint) { outcome.isFrame = true }
    }
    // Every frame says all of its contacts: where those of before were need not be kept.
    if outcome.isFrame, touches.isEmpty, renewConverter() {
      touches.forgetContacts()
    } else if touches.updates.contains(where: { $0.phase == .ended || $0.phase == .cancelled }) {
      converter?.wipe()
    }
    return outcome
  }

  /// - Returns: false without memory: the former one goes on.
  private mutating func renewConverter() -> Bool {
    guard let fresh = ProtocolAConverter(axes: axes) else { return false }
    converter = consume fresh
    return true
  }

  /// Not only removed: see `TouchDecoder.startFrameIfNeeded`.
  private mutating func wipeFrame() {
    for index in frame.indices {
      frame[index] = InputEvent(time: .zero, type: EventType.syn, code: 0, value: 0)
    }
    frame.removeAll(keepingCapacity: true)
  }

  /// Gives libmtdev the frame without the contacts that hover, without those that are too many, and without
  /// what tells of no contact: its own buffer holds 512 events.
  private func feedFrame() {
    var contact: [InputEvent] = []
    var contacts = 0
    var hovers = false
    for event in frame {
      switch (event.type, event.code) {
      case (EventType.abs, AbsCode.mtDistance): hovers = event.value > 0
      case (EventType.abs, _):
        if contact.count < ProtocolAConverter.knownAxes.count { contact.append(event) }
      case (EventType.syn, SynCode.mtReport):
        let isTouch = !hovers && !contact.isEmpty && contacts < ProtocolAConverter.contactLimit
        if isTouch {
          for axis in contact { converter?.put(axis) }
          converter?.put(event)
          contacts += 1
        }
        contact.removeAll(keepingCapacity: true)
        hovers = false
      case (EventType.syn, SynCode.report):
        // A frame with nothing in it would be passed over, and not lift what was down.
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

  /// Every frame with contacts ends them with `SYN_MT_REPORT`, and so does the one after the last lift, but
  /// for drivers that merely release `BTN_TOUCH`.
  private static func tellsOfContacts(_ event: InputEvent) -> Bool {
    switch (event.type, event.code) {
    case (EventType.syn, SynCode.mtReport): true
    case (EventType.key, KeyCode.buttonTouch): event.value == 0
    default: false
    }
  }

  /// See `TouchDecoder.adopt`. Of protocol A the kernel keeps no more than whether anything is down: an
  /// empty snapshot says that nothing is.
  public mutating func adopt(
    _ snapshot: ContactSnapshot, on occasion: TouchDecoder.Occasion, mint: inout TouchIDMint
  ) -> Bool {
    guard case .anonymous = contactProtocol.kind else {
      return touches.adopt(snapshot, on: occasion, mint: &mint)
    }
    guard snapshot.contacts.isEmpty else { return false }
    let hasLost = touches.cancelAll(.lost)
    if renewConverter() { touches.forgetContacts() }
    return hasLost
  }

  /// See `TouchDecoder.refresh`; only for devices with slots.
  public mutating func refresh(_ snapshot: ContactSnapshot, currentSlot: Int?) {
    touches.refresh(snapshot, currentSlot: currentSlot)
  }

  /// See `TouchDecoder.cancelAll`.
  public mutating func cancelAll(_ reason: Cancellation) -> Bool { touches.cancelAll(reason) }
}
