/// What the kernel holds of one slot.
public struct Contact: Hashable, Sendable {
  /// The kernel's tracking id; negative where the slot is empty. A single-touch screen has 0 for down.
  public var trackingID: Int32
  /// Raw units. They outlive the contact: a new one in the slot inherits them.
  public var x: Int32
  public var y: Int32
  /// `ABS_MT_DISTANCE`: above 0 the contact hovers.
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
}

/// The state of all slots at one place in a device's stream of events, as the kernel tells it on
/// request (`EVIOCGMTSLOTS`, `EVIOCGABS`, `EVIOCGKEY`).
public struct ContactSnapshot: Hashable, Sendable {
  /// The slot that the next events are for: sticky, so it must be known.
  public var currentSlot: Int
  /// By slot.
  public var contacts: [Contact]

  public init(currentSlot: Int = 0, contacts: [Contact]) {
    self.currentSlot = currentSlot
    self.contacts = contacts
  }
}
