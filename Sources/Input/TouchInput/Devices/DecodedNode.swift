internal import LinuxIO
internal import TouchModel

/// An event node, and the decoder for its events.
struct DecodedNode: ~Copyable {
  var node: EventNode
  var decoder: DeviceDecoder

  /// See `Touchscreen.read`.
  mutating func read(
    afterSilence: Bool, mint: inout TouchIDGenerator,
    _ body: (Touchscreen.Reading, Timestamp) -> Void
  ) throws(SystemError) -> Bool {
    if afterSilence { try refresh() }
    var hasRead = false
    for _ in 0..<64 {
      let count = try node.read()
      hasRead = hasRead || count > 0
      let resumed = decode(count, mint: &mint, body)
      node.wipe(count)
      if let resumed {
        // Events that were read after this one are part of the kernel's state, which is read now.
        if try adoptContacts(on: .drop, mint: &mint) { body(.frame(decoder.updates), resumed) }
        break
      }
      if count < EventNode.batch { break }
    }
    return hasRead
  }

  /// Decodes events in the buffer.
  /// - Parameter count: the number of events that were read.
  /// - Returns: the time when the device resumed after events were lost; nil if none were. The
  ///   caller must then read the kernel's state, and the events after this time are skipped.
  private mutating func decode(
    _ count: Int, mint: inout TouchIDGenerator, _ body: (Touchscreen.Reading, Timestamp) -> Void
  ) -> Timestamp? {
    for index in 0..<count {
      let event = node[index]
      let outcome = decoder.process(event, mint: &mint)
      if outcome.isFrame { body(.frame(decoder.updates), event.time) }
      if outcome.isDrop { body(.drop, event.time) }
      if outcome.needsSnapshot { return event.time }
    }
    return nil
  }

  /// See `TouchDecoder.adopt`.
  mutating func adoptContacts(
    on occasion: TouchDecoder.Occasion, mint: inout TouchIDGenerator
  ) throws(SystemError) -> Bool {
    let snapshot = try node.snapshot(for: decoder.contactProtocol.kind)
    return decoder.adopt(snapshot, on: occasion, mint: &mint)
  }

  /// Reads the slots after a silence, so that a touch-down goes to the slot that the kernel has for
  /// it. The kernel need not send the slot's number again. If a single contact is down, the waiting
  /// events belong to it.
  private mutating func refresh() throws(SystemError) {
    // Reading a button's state would remove its events from the queue (kernel:
    // `evdev_handle_get_val`).
    guard case .slots = decoder.contactProtocol.kind else { return }
    let snapshot = try node.contacts(for: decoder.contactProtocol.kind)
    let down = snapshot.contacts.indices.filter { snapshot.contacts[$0].trackingID >= 0 }
    let lastUsed = down.isEmpty ? snapshot.currentSlot : nil
    decoder.refresh(snapshot, currentSlot: down.count == 1 ? down[0] : lastUsed)
  }
}
