internal import CLinux
public import LinuxIO
public import TouchModel

/// An open touchscreen: its event node, and the decoder of its events. The node is opened
/// read-only, never grabbed and never written to. libevdev provides only the description of the
/// device. Events are read and decoded without libevdev, which would merge two contacts if one
/// replaces the other without a touch-up.
@safe public final class Touchscreen {
  /// The number of the touchscreen, counted from 1 in the order of opening, never reused.
  public let number: UInt64
  /// A key that stays the same when the device is plugged in again, unique among open touchscreens.
  public let key: String
  public let properties: NodeProperties
  public let description: DeviceDescription
  public private(set) var decoder: DeviceDecoder
  private let node: FileDescriptor
  /// The maximum number of events that are read at a time.
  private static let batch = 64
  /// The events that were read last. The buffer never moves, so no copy remains after it is wiped.
  private let buffer: UnsafeMutableBufferPointer<touchgrid_event>

  /// - Parameter node: a non-blocking descriptor of the event node.
  init(
    number: UInt64, key: String, properties: NodeProperties, node: consuming FileDescriptor,
    description: DeviceDescription, decoder: consuming DeviceDecoder
  ) {
    self.number = number
    self.key = key
    self.properties = properties
    self.description = description
    self.decoder = decoder
    self.node = node
    unsafe buffer = .allocate(capacity: Self.batch)
    unsafe buffer.initialize(repeating: touchgrid_event())
  }

  deinit { unsafe buffer.deallocate() }

  /// The descriptor to watch for events.
  public var descriptor: Int32 { node.number }

  /// Cancels all touches at their last positions.
  /// - Returns: the resulting changes of touches.
  public func cancelAll(_ reason: Cancellation) -> [TouchUpdate] {
    decoder.cancelAll(reason) ? decoder.updates : []
  }

  /// Ends a bouncing touch, if it was not continued until `time`.
  /// - Returns: the resulting changes of touches, and their time.
  public func endBounce(
    before time: Timestamp, mint: inout TouchIDGenerator
  ) -> (updates: [TouchUpdate], time: Timestamp)? {
    decoder.endBounce(before: time, mint: &mint).map { (decoder.updates, $0) }
  }

  // MARK: Reading

  /// The results of `read`.
  public enum Reading: Sendable {
    /// The changes of touches in one frame.
    case frame([TouchUpdate])
    /// The kernel lost events. A frame follows if any touch was lost or changed.
    case drop
  }

  /// Reads and decodes all waiting events. If some were left for later, an echo (the copy of a
  /// touch that a virtual duplicate sends) might be read too late to be matched with its original.
  /// At most 4,096 events are read, so that a device that sends without a pause does not block
  /// others.
  /// - Parameters:
  ///   - afterSilence: whether the device has been silent without contacts for so long that another
  ///     program may have grabbed it meanwhile.
  ///   - mint: creates identities for new touches.
  ///   - body: called for each frame and drop, in order, with the kernel's time. It must not use
  ///     `decoder`, which is being modified.
  /// - Returns: whether there were events.
  /// - Throws: the error of the failed read; `ENODEV` if the device is gone or revoked.
  public func read(
    afterSilence: Bool, mint: inout TouchIDGenerator, _ body: (Reading, Timestamp) -> Void
  ) throws(SystemError) -> Bool {
    if afterSilence { try refresh() }
    var hasRead = false
    for _ in 0..<64 {
      let count = try fillBuffer()
      hasRead = hasRead || count > 0
      let resumed = decode(count, with: &decoder, mint: &mint, body)
      wipeBuffer(count)
      if let resumed {
        // Skip the rest of the buffer: the kernel's state, which is read now, includes it.
        let updates = try adoptContacts(on: .drop, mint: &mint)
        if !updates.isEmpty { body(.frame(updates), resumed) }
        break
      }
      if count < Self.batch { break }
    }
    return hasRead
  }

  /// Decodes events in the buffer.
  /// - Parameters:
  ///   - count: the number of events that were read.
  ///   - decoder: this touchscreen's decoder, so that it is accessed once and not for each event.
  /// - Returns: the time when the device resumed after events were lost; nil if none were. The
  ///   caller must then read the kernel's state, and the events after this time are skipped.
  private func decode(
    _ count: Int, with decoder: inout DeviceDecoder, mint: inout TouchIDGenerator,
    _ body: (Reading, Timestamp) -> Void
  ) -> Timestamp? {
    let canBounce = decoder.canBounce
    for index in 0..<count {
      let raw = unsafe buffer[index]
      let event = InputEvent(
        time: Timestamp(microseconds: raw.microseconds), type: raw.type, code: raw.code,
        value: raw.value)
      if canBounce, let end = decoder.endBounce(before: event.time, mint: &mint) {
        body(.frame(decoder.updates), end)
      }
      let outcome = decoder.process(event, mint: &mint)
      if outcome.isFrame { body(.frame(decoder.updates), event.time) }
      if outcome.isDrop { body(.drop, event.time) }
      if outcome.needsSnapshot { return event.time }
    }
    return nil
  }

  /// Reads waiting events, at most `batch`, into the buffer. The caller must wipe them before the
  /// thread waits.
  /// - Returns: the number of events.
  /// - Throws: `ENODEV` if the device is gone or revoked.
  private func fillBuffer() throws(SystemError) -> Int {
    let count = unsafe touchgrid_evdev_read(node.number, buffer.baseAddress, Int32(Self.batch))
    guard count >= 0 else { throw SystemError(context: "reading events") }
    return Int(count)
  }

  /// Erases events from the buffer. Touches in masks must not remain in memory, where a dump would
  /// show them.
  /// - Parameter count: the number of events that were read.
  private func wipeBuffer(_ count: Int) {
    unsafe buffer[..<count].update(repeating: touchgrid_event())
  }

  /// Discards waiting events, at most `batch`.
  /// - Returns: the number of events.
  private func skip() throws(SystemError) -> Int {
    let count = try fillBuffer()
    wipeBuffer(count)
    return count
  }

  // MARK: The kernel's state

  /// The number of contacts that are down in the kernel's state, even if another program has
  /// grabbed the device. nil if the device has no slots, because reading its state would remove
  /// events from the queue, and if the state cannot be read.
  public var contactsDown: Int? {
    guard case .slots = decoder.contactProtocol.kind else { return nil }
    do throws(SystemError) {
      return max(
        0, try contacts().contacts.count { $0.trackingID >= 0 } - decoder.liftedContacts)
    } catch {
      return nil
    }
  }

  /// Reads the kernel's state of the contacts and passes it to the decoder.
  /// - Returns: the resulting changes of touches.
  /// - Throws: `ENODEV` if the device is gone.
  public func adoptContacts(
    on occasion: TouchDecoder.Occasion, mint: inout TouchIDGenerator
  ) throws(SystemError) -> [TouchUpdate] {
    let snapshot = try snapshot()
    return decoder.adopt(snapshot, on: occasion, mint: &mint) ? decoder.updates : []
  }

  /// Reads the kernel's slots after a silence: while another program held the device, they and the
  /// current slot may have changed unseen, and the kernel does not send the number of the current
  /// slot again if it has not changed since. If exactly one contact is down, the waiting events are
  /// assumed to begin in its slot; if none is down, in the kernel's current slot; otherwise in the
  /// slot that the decoder knows. Does nothing for a device without slots.
  private func refresh() throws(SystemError) {
    // Reading a button's state would remove its events from the queue (kernel:
    // `evdev_handle_get_val`).
    guard case .slots = decoder.contactProtocol.kind else { return }
    let state = try contacts()
    let down = state.contacts.indices.filter { state.contacts[$0].trackingID >= 0 }
    let lastUsed = down.isEmpty ? state.currentSlot : nil
    decoder.refresh(state, currentSlot: down.count == 1 ? down[0] : lastUsed)
  }

  /// Returns the kernel's state of all contacts, and discards the waiting events, which the state
  /// includes. If a device sends events without a pause, some of the events that the state includes
  /// remain in the queue; decoding them again does no harm.
  private func snapshot() throws(SystemError) -> ContactSnapshot {
    var state = ContactSnapshot(contacts: [])
    for tries in 1...8 {
      for _ in 0..<64 where try skip() < Self.batch { break }
      state = try contacts()
      // This removes the waiting events of keys, which this state includes.
      state.isPressed = node.isPressed(decoder.contactProtocol)
      if tries == 8 { break }
      if try skip() == 0 { break }
    }
    return state
  }

  /// Reads the kernel's current state of the contacts. It already includes events that have not
  /// been read yet.
  private func contacts() throws(SystemError) -> ContactSnapshot {
    try node.contacts(of: description, decoder.contactProtocol.kind)
  }
}
