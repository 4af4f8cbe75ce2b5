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
}

/// The state of all slots at one position in a device's stream of events, as the kernel reports it
/// on request (`EVIOCGMTSLOTS`, `EVIOCGABS`, `EVIOCGKEY`).
public struct ContactSnapshot: Hashable, Sendable {
  /// The slot that the next events apply to. The kernel reports it only when it changes.
  public var currentSlot: Int
  /// The contacts, by slot.
  public var contacts: [Contact]

  public init(currentSlot: Int = 0, contacts: [Contact]) {
    self.currentSlot = currentSlot
    self.contacts = contacts
  }
}
