public import LinuxIO
public import TouchModel

/// An open touchscreen.
public final class Touchscreen {
  /// Counted from 1 in order of opening, never reused.
  public let number: UInt64
  /// A key that stays the same when the device is plugged in again, unique among open touchscreens.
  public let key: String
  public let properties: NodeProperties
  private var input: DecodedNode

  init(
    number: UInt64, key: String, properties: NodeProperties, node: consuming EventNode,
    decoder: consuming DeviceDecoder
  ) {
    self.number = number
    self.key = key
    self.properties = properties
    input = DecodedNode(node: node, decoder: decoder)
  }

  /// The descriptor to watch for events.
  public var descriptor: Int32 { input.node.number }
  public var description: DeviceDescription { input.node.description }
  public var contactProtocol: ContactProtocol { input.decoder.contactProtocol }
  /// The maximum number of its slots.
  public var slotCount: Int { input.decoder.slotCount }
  public var touchesDown: Int { input.decoder.touchesDown }
  /// The number of events for slots that the device does not have.
  public var invalidSlotEvents: UInt64 { input.decoder.invalidSlotEvents }

  /// Adopts the contacts that are down already.
  /// - Returns: the resulting changes of touches.
  /// - Throws: `ENODEV` if the device is gone.
  public func adoptContacts(
    on occasion: TouchDecoder.Occasion, mint: inout TouchIDGenerator
  ) throws(SystemError) -> [TouchUpdate] {
    try input.adoptContacts(on: occasion, mint: &mint) ? input.decoder.updates : []
  }

  /// Cancels all touches at their last positions.
  /// - Returns: the resulting changes of touches.
  public func cancelAll(_ reason: Cancellation) -> [TouchUpdate] {
    input.decoder.cancelAll(reason) ? input.decoder.updates : []
  }

  /// The number of contacts that are down in the kernel's state, even if another program has
  /// grabbed the device. nil if reading it would remove events from the queue, or if the device is
  /// gone.
  public var contactsDown: Int? {
    guard case .slots = contactProtocol.kind else { return nil }
    do throws(SystemError) {
      let state = try input.node.contacts(for: contactProtocol.kind)
      return state.contacts.count { $0.trackingID >= 0 }
    } catch {
      return nil
    }
  }

  /// The results of `read`.
  public enum Reading: Sendable {
    /// The changes of touches in one frame.
    case frame([TouchUpdate])
    /// The kernel lost events. A frame follows if any touch was lost or changed.
    case drop
  }

  /// Reads and decodes all waiting events. If a touch and its echo on another device were read in
  /// different rounds, they might not be matched. At most 4,096 events are read, so that a device
  /// that sends without a pause does not block others.
  /// - Parameters:
  ///   - afterSilence: whether the device has been silent without contacts for so long that another
  ///     program may have grabbed it meanwhile.
  ///   - mint: gives identities to new touches.
  ///   - body: called for each frame and drop, in order, with the kernel's time. It may use
  ///     `number`, `key` and `properties` of this touchscreen only, as the rest is being modified.
  /// - Returns: whether there were events.
  /// - Throws: `ENODEV` if the device is gone or revoked.
  public func read(
    afterSilence: Bool, mint: inout TouchIDGenerator, _ body: (Reading, Timestamp) -> Void
  ) throws(SystemError) -> Bool {
    try input.read(afterSilence: afterSilence, mint: &mint, body)
  }
}
