public import Recordings
public import TouchModel

/// Fingers on a simulated touchscreen. The result is the same as a recording of the kernel's evdev
/// node: slots are sticky, only changes are reported, and all events of a frame have the same time.
///
///     var gestures = Gestures(on: .panel())
///     gestures.tap(0, at: (100, 200))
///     gestures.drag(1, from: (0, 0), to: (4000, 4000), duration: 500_000)
///     decode(gestures.recording)
///
/// Positions are in raw units, times in µs. Changes become events at the next `frame`. A frame may
/// contain changes of several fingers, and even a touch-up and a touch-down of one slot.
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
  ///   - start: The time before the first frame.
  ///   - beat: The default time between two frames, in µs.
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

  public var fingersDown: Int { fingers.count }

  // MARK: One finger

  /// Puts a finger down. In an occupied slot it replaces the other finger without a touch-up.
  /// - Parameter id: The tracking id, 0...65535; nil for the next unused one.
  public mutating func down(_ slot: Int, _ x: Int32, _ y: Int32, id: Int32? = nil) {
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

  public mutating func up(_ slot: Int) {
    fingers[slot] = nil
    set(slot, AbsCode.mtTrackingID, -1)
  }

  public mutating func upAll() {
    for slot in fingers.keys.sorted() { up(slot) }
  }

  /// Sets another axis of a slot, for example `ABS_MT_TOOL_TYPE`. Has an effect in protocol B only.
  public mutating func set(_ slot: Int, _ code: UInt16, _ value: Int32) {
    guard kind == .slots else { return }
    filter.select(slot: slot)
    pending += filter.axis(code, value)
  }

  /// Adds any event, even an invalid one.
  public mutating func raw(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    pending.append((type, code, value))
  }

  // MARK: Time

  /// Ends a frame. A frame without changes does not reach readers and has no events, but its time
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

  /// Lets time pass before the next frame, in µs.
  public mutating func wait(_ microseconds: Int64) { now = now + microseconds }

  /// Names the screen that the app shows from now on.
  public mutating func screen(_ name: String) {
    screens.append(ScreenCue(time: now, screen: name))
  }

  // MARK: Gestures

  /// Touches down, holds still and lifts.
  public mutating func tap(
    _ slot: Int = 0, at point: (x: Int32, y: Int32), duration: Int64 = 80_000
  ) {
    down(slot, point.x, point.y)
    frame()
    up(slot)
    frame(after: duration)
  }

  /// Touches down, moves in a straight line at constant speed with one frame per beat, and lifts.
  public mutating func drag(
    _ slot: Int = 0, from start: (x: Int32, y: Int32), to end: (x: Int32, y: Int32),
    duration: Int64 = 300_000
  ) {
    down(slot, start.x, start.y)
    frame()
    let steps = max(1, duration / max(1, beat))
    for step in 1...steps {
      move(slot, between(start.x, end.x, step, steps), between(start.y, end.y, step, steps))
      frame()
    }
    up(slot)
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

  /// Protocol A: reports every contact in every frame, each followed by `SYN_MT_REPORT`; without
  /// contacts, one `SYN_MT_REPORT`.
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

  /// Reports the oldest finger on the single-touch axes, as the kernel does for old programs.
  private mutating func reportSingleTouch() {
    guard device.announces(EventType.key, KeyCode.buttonTouch) else { return }
    pending += filter.key(KeyCode.buttonTouch, isDown: !fingers.isEmpty)
    // Compares tracking ids with wrap-around, as the kernel does.
    let oldest = fingers.values.min { left, right in
      (left.trackingID &- right.trackingID) & 0x8000 != 0
    }
    guard let oldest, device.axes[AbsCode.x] != nil else { return }
    pending += filter.axis(AbsCode.x, oldest.x)
    pending += filter.axis(AbsCode.y, oldest.y)
  }
}

/// Returns a recording of `count` taps at different places.
public func taps(_ count: Int, every microseconds: Int64 = 200_000) -> Recording {
  var gestures = Gestures(on: .panel(width: 1024, height: 768))
  for number in 0..<Int32(count) {
    gestures.tap(at: (16 * (number % 60) + 8, 16 * (number / 60 % 45) + 8))
    gestures.wait(microseconds)
  }
  return gestures.recording
}
