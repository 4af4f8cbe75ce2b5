public import Recordings
public import TouchModel

/// Fingers on a made-up touchscreen, as verbs; out comes the recording that the kernel's evdev node
/// would have given: sticky slots, only changes, all events of a frame with one time.
///
///     var gestures = Gestures(on: .panel())
///     gestures.tap(0, at: (100, 200))
///     gestures.drag(1, from: (0, 0), to: (4000, 4000), duration: 500_000)
///     decode(gestures.recording)
///
/// Positions are raw units, times microseconds. What the verbs do becomes events at the next
/// `frame`; several fingers, also a lift and a landing of one slot, may share one.
public struct Gestures {
  private enum Kind {
    case slots, anonymous, single
  }

  private struct Finger {
    var x: Int32
    var y: Int32
    var trackingID: Int32
  }

  public let device: DeviceDescription
  /// The time of the last frame.
  public private(set) var now: Timestamp
  private let kind: Kind
  private let beat: Int64
  private var filter: KernelFilter
  private var fingers: [Int: Finger] = [:]
  private var nextTrackingID: Int32 = 0
  private var pending: [(type: UInt16, code: UInt16, value: Int32)] = []
  private var events: [InputEvent] = []
  private var screens: [ScreenCue] = []

  /// - Parameters:
  ///   - start: the time before the first frame.
  ///   - beat: from one frame to the next unless told otherwise.
  public init(
    on device: DeviceDescription, start: Timestamp = Timestamp(microseconds: 1_000_000),
    beat: Int64 = 10_000
  ) {
    self.device = device
    self.beat = beat
    now = start
    filter = KernelFilter(device: device)
    if device.axes[AbsCode.mtSlot] != nil {
      kind = .slots
    } else {
      kind = device.axes[AbsCode.mtPositionX] != nil ? .anonymous : .single
    }
  }

  public var recording: Recording {
    Recording(description: device, events: events, screens: screens)
  }

  /// Fingers that are down.
  public var fingersDown: Int { fingers.count }

  // MARK: One finger

  /// Puts a finger down. In an occupied slot it replaces the finger there without a lift.
  /// - Parameter id: its tracking id; the next free one unless given, 0...65535.
  public mutating func land(_ slot: Int, _ x: Int32, _ y: Int32, id: Int32? = nil) {
    let trackingID = id ?? nextTrackingID
    if id == nil { nextTrackingID = (nextTrackingID + 1) & 0xffff }
    fingers[slot] = Finger(x: x, y: y, trackingID: trackingID)
    set(slot, AbsCode.mtTrackingID, trackingID)
    position(slot, x, y)
  }

  public mutating func move(_ slot: Int, _ x: Int32, _ y: Int32) {
    fingers[slot]?.x = x
    fingers[slot]?.y = y
    position(slot, x, y)
  }

  public mutating func lift(_ slot: Int) {
    fingers[slot] = nil
    set(slot, AbsCode.mtTrackingID, -1)
  }

  public mutating func liftAll() {
    for slot in fingers.keys.sorted() { lift(slot) }
  }

  /// Sets another axis of a slot, say `ABS_MT_TOOL_TYPE`; protocol B only.
  public mutating func set(_ slot: Int, _ code: UInt16, _ value: Int32) {
    guard kind == .slots else { return }
    filter.select(slot: slot)
    pending += filter.axis(code, value)
  }

  /// Any event whatever, past all rules.
  public mutating func raw(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    pending.append((type, code, value))
  }

  // MARK: Time

  /// Ends a frame. One in which nothing changed reaches no reader, and leaves no event; its time
  /// passes.
  public mutating func frame(after microseconds: Int64? = nil) {
    now = now + (microseconds ?? beat)
    if kind == .anonymous { reportContacts() }
    reportSingleTouch()
    guard !pending.isEmpty else { return }
    pending.append((EventType.syn, SynCode.report, 0))
    events += pending.map {
      InputEvent(time: now, type: $0.type, code: $0.code, value: $0.value)
    }
    pending.removeAll()
  }

  /// Lets time pass: the next frame comes so much later.
  public mutating func wait(_ microseconds: Int64) { now = now + microseconds }

  /// From now on the app shows another screen.
  public mutating func screen(_ name: String) {
    screens.append(ScreenCue(time: now, screen: name))
  }

  // MARK: Gestures

  /// Lands, holds still and lifts.
  public mutating func tap(
    _ slot: Int = 0, at point: (x: Int32, y: Int32), duration: Int64 = 80_000
  ) {
    land(slot, point.x, point.y)
    frame()
    lift(slot)
    frame(after: duration)
  }

  /// Lands, moves in a straight line at constant speed, one frame a beat, and lifts.
  public mutating func drag(
    _ slot: Int = 0, from start: (x: Int32, y: Int32), to end: (x: Int32, y: Int32),
    duration: Int64 = 300_000
  ) {
    land(slot, start.x, start.y)
    frame()
    let steps = max(1, duration / max(1, beat))
    for step in 1...steps {
      move(slot, between(start.x, end.x, step, steps), between(start.y, end.y, step, steps))
      frame()
    }
    lift(slot)
    frame()
  }

  private func between(_ start: Int32, _ end: Int32, _ step: Int64, _ steps: Int64) -> Int32 {
    Int32(clamping: Int64(start) + (Int64(end) - Int64(start)) * step / steps)
  }

  // MARK: Protocols

  private mutating func position(_ slot: Int, _ x: Int32, _ y: Int32) {
    set(slot, AbsCode.mtPositionX, x)
    set(slot, AbsCode.mtPositionY, y)
  }

  /// Protocol A: every contact in every frame, `SYN_MT_REPORT` after each and after none.
  private mutating func reportContacts() {
    guard !fingers.isEmpty || isAnonymousDown else { return }
    isAnonymousDown = !fingers.isEmpty
    for (_, finger) in fingers.sorted(by: { $0.key < $1.key }) {
      if device.axes[AbsCode.mtTrackingID] != nil {
        pending += filter.axis(AbsCode.mtTrackingID, finger.trackingID)
      }
      pending += filter.axis(AbsCode.mtPositionX, finger.x)
      pending += filter.axis(AbsCode.mtPositionY, finger.y)
      pending.append((EventType.syn, SynCode.mtReport, 0))
    }
    if fingers.isEmpty { pending.append((EventType.syn, SynCode.mtReport, 0)) }
  }
  private var isAnonymousDown = false

  /// The oldest finger is what single-touch programs see.
  private mutating func reportSingleTouch() {
    guard device.announces(EventType.key, KeyCode.buttonTouch) else { return }
    pending += filter.key(KeyCode.buttonTouch, isDown: !fingers.isEmpty)
    // By the kernel's wrapping comparison of tracking ids.
    let oldest = fingers.values.min { left, right in
      (left.trackingID &- right.trackingID) & 0x8000 != 0
    }
    guard let oldest, device.axes[AbsCode.x] != nil else { return }
    pending += filter.axis(AbsCode.x, oldest.x)
    pending += filter.axis(AbsCode.y, oldest.y)
  }
}
