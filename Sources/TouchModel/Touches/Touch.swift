/// The identity of one touch: minted when the finger lands, never used again.
public struct TouchID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let value: UInt64
  public init(_ value: UInt64) { self.value = value }
  public static func < (left: TouchID, right: TouchID) -> Bool { left.value < right.value }
  public var description: String { String(value) }
}

/// Gives out identities in rising order.
public struct TouchIDMint: Sendable {
  private var next: UInt64

  public init(first: UInt64 = 1) { next = first }

  public mutating func mint() -> TouchID {
    defer { next += 1 }
    return TouchID(next)
  }
}

/// Where a touch stands in a frame.
public enum Phase: String, Sendable, CaseIterable {
  case began, moved, stationary, ended, cancelled
}

/// Why a touch was cancelled rather than ended.
public enum Cancellation: String, Sendable, CaseIterable {
  /// The device called it a palm: it contributes nothing.
  case palm
  /// The kernel dropped events and the touch was gone afterwards.
  case lost
  /// The device went away, was revoked or is no longer read.
  case removed
  /// It went into a mask, or masks changed, and it is shown no further. Not said by a device.
  case masked
  /// Recording was paused, and it is shown no further. Not said by a device.
  case paused
}

/// One touch in one frame.
public struct TouchUpdate: Hashable, Sendable {
  public var touch: TouchID
  public var phase: Phase
  /// Set exactly where `phase` is `.cancelled`.
  public var cancellation: Cancellation?
  /// The kernel's slot; 0 on a single-touch screen.
  public var slot: Int
  /// The kernel's number of the contact; nil on a single-touch screen.
  public var trackingID: Int32?
  /// Position in the device's raw units.
  public var x: Int32
  public var y: Int32
  /// Already down when the device was opened.
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
