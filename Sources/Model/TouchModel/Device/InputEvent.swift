/// A time in µs: on `CLOCK_MONOTONIC`, as in the time stamps of evdev's events, unless a comment
/// names another clock.
public struct Timestamp: Hashable, Comparable, Sendable {
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  public static let zero = Timestamp(microseconds: 0)

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }
  /// Returns the earlier of two times; nil means never.
  public static func first(_ first: Timestamp?, _ second: Timestamp?) -> Timestamp? {
    guard let first else { return second }
    guard let second else { return first }
    return min(first, second)
  }
  /// Adds microseconds. Saturates, so that a hostile time stamp cannot cause a trap.
  public static func + (time: Timestamp, microseconds: Int64) -> Timestamp {
    let (sum, overflow) = time.microseconds.addingReportingOverflow(microseconds)
    return Timestamp(microseconds: overflow ? (microseconds > 0 ? .max : .min) : sum)
  }
  /// The microseconds from `right` to `left`; saturates.
  public static func - (left: Timestamp, right: Timestamp) -> Int64 {
    let (difference, overflow) = left.microseconds.subtractingReportingOverflow(right.microseconds)
    return overflow ? (left > right ? .max : .min) : difference
  }
}

/// One event of an evdev node: `struct input_event` of the kernel's `linux/input.h`. Has the layout
/// of `touchgrid_event` in C.
public struct InputEvent: Hashable, Sendable {
  public var time: Timestamp
  public var type: UInt16
  public var code: UInt16
  public var value: Int32

  public init(time: Timestamp, type: UInt16, code: UInt16, value: Int32) {
    self.time = time
    self.type = type
    self.code = code
    self.value = value
  }
}

/// Event types, by the kernel's names (`linux/input-event-codes.h`) without their prefix.
public enum EventType {
  public static let syn: UInt16 = 0x00
  public static let key: UInt16 = 0x01
  public static let abs: UInt16 = 0x03
}

/// Codes of `EV_SYN`.
public enum SynCode {
  public static let report: UInt16 = 0
  public static let mtReport: UInt16 = 2
  public static let dropped: UInt16 = 3
}

/// Codes of `EV_KEY` that matter for touchscreens.
public enum KeyCode {
  public static let toolPen: UInt16 = 0x140
  public static let buttonTouch: UInt16 = 0x14a
}

/// Codes of `EV_ABS` that matter for touchscreens.
public enum AbsCode {
  public static let x: UInt16 = 0x00
  public static let y: UInt16 = 0x01
  public static let pressure: UInt16 = 0x18
  /// Announced only by devices that claim every code. Such a device has no multitouch.
  public static let reserved: UInt16 = 0x2e
  public static let mtSlot: UInt16 = 0x2f
  public static let mtTouchMajor: UInt16 = 0x30
  public static let mtPositionX: UInt16 = 0x35
  public static let mtPositionY: UInt16 = 0x36
  public static let mtToolType: UInt16 = 0x37
  public static let mtTrackingID: UInt16 = 0x39
  public static let mtPressure: UInt16 = 0x3a
  public static let mtDistance: UInt16 = 0x3b
}

/// Values of `ABS_MT_TOOL_TYPE`.
public enum ToolType {
  public static let finger: Int32 = 0
  public static let palm: Int32 = 2
}
