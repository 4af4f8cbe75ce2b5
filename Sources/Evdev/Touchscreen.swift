internal import Decoding
public import LinuxIO
public import TouchModel

/// A touchscreen that is being read.
public final class Touchscreen {
  /// Counted from 1 in order of opening, never used again.
  public let number: UInt64
  /// Stable across plugging, unique among those that are read.
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

  /// The descriptor to watch.
  public var descriptor: Int32 { input.node.number }
  public var description: DeviceDescription { input.node.description }
  public var contactProtocol: ContactProtocol { input.decoder.contactProtocol }
  /// The most slots that its touches have.
  public var slotCount: Int { input.decoder.slotCount }
  public var touchesDown: Int { input.decoder.touchesDown }
  /// Events for slots that it does not have.
  public var invalidSlotEvents: UInt64 { input.decoder.invalidSlotEvents }

  /// Takes over the contacts that are down already.
  /// - Returns: what became of touches by that.
  /// - Throws: `ENODEV` where the device is gone.
  public func adoptContacts(
    on occasion: TouchDecoder.Occasion, mint: inout TouchIDMint
  ) throws(SystemError) -> [TouchUpdate] {
    try input.adoptContacts(on: occasion, mint: &mint) ? input.decoder.updates : []
  }

  /// Cancels every touch where it was last seen.
  /// - Returns: what became of touches by that.
  public func cancelAll(_ reason: Cancellation) -> [TouchUpdate] {
    input.decoder.cancelAll(reason) ? input.decoder.updates : []
  }

  /// How many contacts the kernel holds to be down, whoever gets their events; nil where asking would take
  /// events out of the queue, or the device is gone.
  public var contactsDown: Int? {
    guard case .slots = contactProtocol.kind else { return nil }
    do throws(SystemError) {
      let state = try input.node.contacts(for: contactProtocol.kind)
      return state.contacts.count { $0.trackingID >= 0 }
    } catch {
      return nil
    }
  }

  /// What `read` hands over.
  public enum Reading: Sendable {
    /// What became of touches.
    case frame([TouchUpdate])
    /// The kernel lost events; a frame follows if any touch was lost or changed.
    case drop
  }

  /// Reads and decodes all that is waiting: where one device is read later than the other, a touch and its
  /// echo may not find each other. Of a device that never pauses it is 4096 events, for others have to be read too.
  /// - Parameters:
  ///   - afterSilence: the device has said nothing for so long, with nothing down, that another program may
  ///     have held it meanwhile.
  ///   - mint: gives identities to new touches.
  ///   - body: called for each frame and drop, in order, with the kernel's time. Of this touchscreen it may use
  ///     `number`, `key` and `properties`: the rest is being changed meanwhile.
  /// - Returns: whether anything was waiting.
  /// - Throws: `ENODEV` where the device is gone or revoked.
  public func read(
    afterSilence: Bool, mint: inout TouchIDMint, _ body: (Reading, Timestamp) -> Void
  ) throws(SystemError) -> Bool {
    try input.read(afterSilence: afterSilence, mint: &mint, body)
  }
}
