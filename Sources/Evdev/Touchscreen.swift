public import Decoding
public import LinuxIO
public import TouchModel

/// A touchscreen that is being read.
public final class Touchscreen {
  /// Counted from 1 in order of opening, never used again.
  public let number: UInt64
  /// Stable across plugging, unique among those that are read.
  public let key: String
  public let properties: NodeProperties
  var node: EventNode
  public var decoder: DeviceDecoder

  init(
    number: UInt64, key: String, properties: NodeProperties, node: consuming EventNode,
    decoder: consuming DeviceDecoder
  ) {
    self.number = number
    self.key = key
    self.properties = properties
    self.node = node
    self.decoder = decoder
  }

  /// The descriptor to watch.
  public var descriptor: Int32 { node.number }
  public var description: DeviceDescription { node.description }

  /// Takes over the contacts that are down already.
  /// - Returns: whether the decoder's `updates` hold any.
  /// - Throws: `ENODEV` where the device is gone.
  public func adoptContacts(
    on occasion: TouchDecoder.Occasion, mint: inout TouchIDMint
  ) throws(SystemError) -> Bool {
    let snapshot = try node.snapshot(for: decoder.contactProtocol.kind)
    return decoder.adopt(snapshot, on: occasion, mint: &mint)
  }

  /// How many contacts the kernel holds to be down, whoever gets their events; nil where asking would take
  /// events out of the queue, or the device is gone.
  public var contactsDown: Int? {
    guard case .slots = decoder.contactProtocol.kind else { return nil }
    do throws(SystemError) {
      let state = try node.contacts(for: decoder.contactProtocol.kind)
      return state.contacts.count { $0.trackingID >= 0 }
    } catch {
      return nil
    }
  }

  /// What `read` hands over.
  public enum Reading: Sendable {
    /// The decoder's `updates` hold a frame.
    case frame
    /// The kernel lost events; a frame follows if any touch was lost or changed.
    case drop
  }

  /// Reads and decodes what is waiting, up to 64 events.
  /// - Parameters:
  ///   - afterSilence: the device has said nothing for so long, with nothing down, that another program may
  ///     have held it meanwhile.
  ///   - mint: gives identities to new touches.
  ///   - body: called for each frame and drop, in order, with the kernel's time.
  /// - Returns: whether anything was waiting.
  /// - Throws: `ENODEV` where the device is gone or revoked.
  public func read(
    afterSilence: Bool, mint: inout TouchIDMint, _ body: (Reading, Timestamp) -> Void
  ) throws(SystemError) -> Bool {
    if afterSilence { try refresh() }
    var hasRead = false
    var syncTime: Timestamp?
    _ = try node.read { event in
      hasRead = true
      let outcome = decoder.process(event, mint: &mint)
      if outcome.isFrame { body(.frame, event.time) }
      if outcome.isDrop { body(.drop, event.time) }
      // What was read beyond this place is part of the state that is asked for next.
      if outcome.needsSnapshot { syncTime = event.time }
      return syncTime == nil
    }
    if let syncTime, try adoptContacts(on: .drop, mint: &mint) { body(.frame, syncTime) }
    return hasRead
  }

  /// A landing after the silence goes to the slot that the kernel has for it, even where the kernel need not
  /// say which: a single contact that is down is the one whose events are waiting.
  private func refresh() throws(SystemError) {
    // Asking for a button's state would take its events out of the queue (kernel: `evdev_handle_get_val`).
    guard case .slots = decoder.contactProtocol.kind else { return }
    let snapshot = try node.contacts(for: decoder.contactProtocol.kind)
    let down = snapshot.contacts.indices.filter { snapshot.contacts[$0].trackingID >= 0 }
    let lastUsed = down.isEmpty ? snapshot.currentSlot : nil
    decoder.refresh(snapshot, currentSlot: down.count == 1 ? down[0] : lastUsed)
  }
}
