/// The identity of a touch: created at the touch-down, never reused.
public struct TouchID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let value: UInt64
  public init(_ value: UInt64) { self.value = value }
  public static func < (left: TouchID, right: TouchID) -> Bool { left.value < right.value }
  public var description: String { String(value) }
}

/// Creates identities in increasing order.
public struct TouchIDGenerator: Sendable {
  private var next: UInt64

  public init(first: UInt64 = 1) { next = first }

  public mutating func mint() -> TouchID {
    defer { next += 1 }
    return TouchID(next)
  }
}

/// The state of a touch in a frame.
public enum Phase: String, Sendable, CaseIterable {
  case began, moved, stationary, ended, cancelled
}

/// The reason why a touch was cancelled instead of ended.
public enum Cancellation: String, Sendable, CaseIterable {
  /// The device reported a palm. The touch is counted in the totals and in no grid.
  case palm
  /// The touch had ended when the kernel's state was read again, after lost events or a silence, or
  /// the machine was suspended. In the live stream also: the touch was an echo (`EchoFilter`), or
  /// too many frames were waiting.
  case lost
  /// The device was removed or revoked, or is no longer read.
  case removed
  /// The touch entered a mask, or masks changed, and it is no longer shown. Never reported by a
  /// device.
  case masked
  /// Recording was paused, and the touch is no longer shown. Never reported by a device.
  case paused
}

/// One touch in one frame.
public struct TouchUpdate: Hashable, Sendable {
  public var touch: TouchID
  public var phase: Phase
  /// Set if and only if `phase` is `.cancelled`.
  public var cancellation: Cancellation?
  /// The kernel's slot; 0 on a single-touch screen.
  public var slot: Int
  /// The kernel's tracking id of the contact; nil on a single-touch screen.
  public var trackingID: Int32?
  /// The position in the device's raw units.
  public var x: Int32
  public var y: Int32
  /// Whether the touch was already down when the device was opened.
  public var preexisting: Bool

  public init(
    touch: TouchID, phase: Phase, cancellation: Cancellation? = nil, slot: Int,
    trackingID: Int32?, x: Int32, y: Int32, preexisting: Bool = false
  ) {
    self.touch = touch
    self.phase = phase
    self.cancellation = cancellation
    self.slot = slot
    self.trackingID = trackingID
    self.x = x
    self.y = y
    self.preexisting = preexisting
  }
}

/// The kernel's state of one slot.
public struct Contact: Hashable, Sendable {
  /// The kernel's tracking id; negative if the slot is empty. On a single-touch screen, 0 means
  /// down.
  public var trackingID: Int32
  /// The position in raw units. It outlives the contact: a new contact in the slot inherits it.
  public var x: Int32
  public var y: Int32
  /// `ABS_MT_DISTANCE`: the contact hovers if this is above 0.
  public var distance: Int32
  /// `ABS_MT_TOOL_TYPE`.
  public var tool: Int32

  public init(
    trackingID: Int32 = -1, x: Int32 = 0, y: Int32 = 0, distance: Int32 = 0,
    tool: Int32 = ToolType.finger
  ) {
    self.trackingID = trackingID
    self.x = x
    self.y = y
    self.distance = distance
    self.tool = tool
  }

  /// Whether the contact neither hovers nor is a palm.
  var isFinger: Bool { distance <= 0 && tool != ToolType.palm }
}

extension Array {
  /// Sets all elements. Memory of touches in masks is overwritten before it is freed or used again.
  package mutating func overwrite(with element: Element) {
    var elements = mutableSpan
    for index in elements.indices { elements[index] = element }
  }
}

/// The state of all slots at one position in a device's stream of events, as the kernel reports it
/// on request (`EVIOCGMTSLOTS`, `EVIOCGABS`, `EVIOCGKEY`).
public struct ContactSnapshot: Hashable, Sendable {
  /// The slot of the next events. The kernel reports it only when it changes.
  public var currentSlot: Int
  /// The contacts, by slot.
  public var contacts: [Contact]
  /// Whether `BTN_TOUCH` is pressed; nil if unknown. Only for devices with slots.
  public var isPressed: Bool?

  public init(currentSlot: Int = 0, contacts: [Contact], isPressed: Bool? = nil) {
    self.currentSlot = currentSlot
    self.contacts = contacts
    self.isPressed = isPressed
  }
}
