internal import Decoding
internal import LinuxIO
internal import TouchModel

/// An event node and what makes touches of its events.
struct DecodedNode: ~Copyable {
  var node: EventNode
  var decoder: DeviceDecoder

  /// See `Touchscreen.read`.
  mutating func read(
    afterSilence: Bool, mint: inout TouchIDMint,
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
        // What was read beyond this place is part of the state that is asked for now.
        if try adoptContacts(on: .drop, mint: &mint) { body(.frame(decoder.updates), resumed) }
        break
      }
      if count < EventNode.batch { break }
    }
    return hasRead
  }

  /// - Parameter count: of the events that were read.
  /// - Returns: when the device went on after events were lost: the kernel's state has to be asked for, and the events
  ///   after that time are left out.
  private mutating func decode(
    _ count: Int, mint: inout TouchIDMint, _ body: (Touchscreen.Reading, Timestamp) -> Void
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
    on occasion: TouchDecoder.Occasion, mint: inout TouchIDMint
  ) throws(SystemError) -> Bool {
    let snapshot = try node.snapshot(for: decoder.contactProtocol.kind)
    return decoder.adopt(snapshot, on: occasion, mint: &mint)
  }

  /// A landing after the silence goes to the slot that the kernel has for it, even where the kernel need not
  /// say which: a single contact that is down is the one whose events are waiting.
  private mutating func refresh() throws(SystemError) {
    // Asking for a button's state would take its events out of the queue (kernel: `evdev_handle_get_val`).
    guard case .slots = decoder.contactProtocol.kind else { return }
    let snapshot = try node.contacts(for: decoder.contactProtocol.kind)
    let down = snapshot.contacts.indices.filter { snapshot.contacts[$0].trackingID >= 0 }
    let lastUsed = down.isEmpty ? snapshot.currentSlot : nil
    decoder.refresh(snapshot, currentSlot: down.count == 1 ? down[0] : lastUsed)
  }
}
