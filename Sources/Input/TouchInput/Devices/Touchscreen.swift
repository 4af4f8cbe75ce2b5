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
  public let kernelBuffer: KernelBuffer
  private let node: FileDescriptor
  /// The maximum number of events that are read at a time: what ten fingers cause during a rest.
  private static let batch = 256
  /// The events that were read last. The buffer never moves, so no copy remains after it is wiped.
  private let buffer: UnsafeMutableBufferPointer<InputEvent>
  private static let noEvent = InputEvent(time: .zero, type: 0, code: 0, value: 0)
  /// How many events of the buffer are filled, and how many of these were decoded.
  private var filled = 0
  private var position = 0
  /// How often the buffer is filled again at most until the next `fill`.
  private var refills = 0
  private static let refillLimit = 15

  /// - Parameter node: a non-blocking descriptor of the event node.
  init(
    number: UInt64, key: String, properties: NodeProperties, node: consuming FileDescriptor,
    description: DeviceDescription, decoder: consuming DeviceDecoder
  ) {
    self.number = number
    self.key = key
    self.properties = properties
    self.description = description
    kernelBuffer = KernelBuffer(description, decoder.contactProtocol)
    self.decoder = decoder
    self.node = node
    unsafe buffer = .allocate(capacity: Self.batch)
    unsafe buffer.initialize(repeating: Self.noEvent)
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

  /// The results of `decode`.
  public enum Reading: Sendable {
    /// The changes of touches in one frame.
    case frame([TouchUpdate])
    /// The kernel lost events. A frame follows if any touch was lost or changed.
    case drop
  }

  /// Reads and decodes all waiting events.
  /// - Returns: whether there were any.
  public func read(
    afterSilence: Bool, mint: inout TouchIDGenerator, _ body: (Reading, Timestamp) -> Void
  ) throws(SystemError) -> Bool {
    guard try fill(afterSilence: afterSilence) else { return false }
    try decode(mint: &mint, body)
    return true
  }

  /// Reads waiting events into the buffer, at most `batch`. Call `decode` next, until `nextTime` is
  /// nil: the buffer must not be left filled.
  /// - Parameter afterSilence: whether the device has been silent without contacts for so long that
  ///   another program may have grabbed it meanwhile.
  /// - Returns: whether there were events.
  /// - Throws: the error of the failed read; `ENODEV` if the device is gone or revoked.
  public func fill(afterSilence: Bool) throws(SystemError) -> Bool {
    if afterSilence { try refresh() }
    (position, filled) = (0, 0)
    filled = try fillBuffer()
    refills = Self.refillLimit
    return filled > 0
  }

  /// The time of the next event in the buffer; nil if there is none.
  public var nextTime: Timestamp? {
    position < filled ? unsafe buffer[position].time : nil
  }

  /// Decodes the events in the buffer, then reads and decodes the waiting ones. If some were
  /// left for later, an echo (the copy of a touch that a virtual duplicate sends) might be read too
  /// late to be matched with its original. At most 4,096 events are read after a call of `fill`, so
  /// that a device that sends without a pause does not block others.
  /// - Parameters:
  ///   - limit: later events stay in the buffer; nil: none.
  ///   - mint: creates identities for new touches.
  ///   - body: called for each frame and drop, in order, with the kernel's time. It must not use
  ///     `decoder`, which is being modified.
  /// - Throws: the error of the failed read; `ENODEV` if the device is gone or revoked.
  public func decode(
    until limit: Timestamp? = nil, mint: inout TouchIDGenerator,
    _ body: (Reading, Timestamp) -> Void
  ) throws(SystemError) {
    while position < filled {
      let count = filled
      let resumed = decode(upTo: limit, with: &decoder, mint: &mint, body)
      guard resumed != nil || position == filled else { return }
      wipeBuffer(count)
      (position, filled) = (0, 0)
      if let resumed {
        // Skip the rest of the buffer: the kernel's state, which is read now, includes it.
        let updates = try adoptContacts(on: .drop, mint: &mint)
        if !updates.isEmpty { body(.frame(updates), resumed) }
      } else if count == Self.batch, refills > 0 {
        refills -= 1
        filled = try fillBuffer()
      }
    }
  }

  /// Decodes events in the buffer, from `position` on.
  /// - Parameters:
  ///   - limit: the time of the last one to decode; nil: all.
  ///   - decoder: this touchscreen's decoder, so that it is accessed once and not for each event.
  /// - Returns: the time when the device resumed after events were lost; nil if none were. The
  ///   caller must then read the kernel's state, and the events after this time are skipped.
  private func decode(
    upTo limit: Timestamp?, with decoder: inout DeviceDecoder, mint: inout TouchIDGenerator,
    _ body: (Reading, Timestamp) -> Void
  ) -> Timestamp? {
    let events = unsafe buffer.span
    var index = position
    var end = filled
    if let limit { end = (index..<end).first { events[$0].time > limit } ?? end }
    defer { position = index }
    while index < end {
      // A touch that bounces may end before any event.
      let next = decoder.canBounce ? index + 1 : end
      if decoder.canBounce, let end = decoder.endBounce(before: events[index].time, mint: &mint) {
        body(.frame(decoder.updates), end)
      }
      let (count, outcome) = decoder.process(events.extracting(index..<next), mint: &mint)
      index += count
      let time = events[index - 1].time
      if outcome.isFrame { body(.frame(decoder.updates), time) }
      if outcome.isDrop { body(.drop, time) }
      if outcome.needsSnapshot { return time }
    }
    return nil
  }

  /// Reads waiting events, at most `batch`, into the buffer. The caller must wipe them before the
  /// thread waits.
  /// - Returns: the number of events.
  /// - Throws: `ENODEV` if the device is gone or revoked.
  private func fillBuffer() throws(SystemError) -> Int {
    let count = unsafe buffer.withMemoryRebound(to: touchgrid_event.self) { events in
      unsafe touchgrid_evdev_read(node.number, events.baseAddress, Int32(Self.batch))
    }
    guard count >= 0 else { throw SystemError(context: "reading events") }
    return Int(count)
  }

  /// Erases events from the buffer. Touches in masks must not remain in memory, where a dump would
  /// show them.
  /// - Parameter count: the number of events that were read.
  private func wipeBuffer(_ count: Int) {
    unsafe buffer[..<count].update(repeating: Self.noEvent)
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
