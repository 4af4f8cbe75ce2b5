internal import CMtdev
internal import Glibc
internal import TouchModel

/// Gives slots and tracking IDs to the anonymous contacts of multitouch protocol A. It uses
/// libmtdev, which matches the contacts of successive frames by distance, and turns protocol A
/// events into protocol B events.
@safe struct ProtocolAConverter: ~Copyable {
  /// The number of slots that libmtdev has (`DIM_FINGER`).
  static let slotCount = 32

  /// The maximum number of contacts in a frame that is passed to libmtdev. The contacts of two
  /// successive frames may briefly use slots at the same time, and libmtdev loops forever once its
  /// last slot is in use (version 1.1.6 shifts a 32-bit word by 32).
  static let contactLimit = 15

  /// The axes that libmtdev knows, `ABS_MT_TOUCH_MAJOR` to `ABS_MT_PRESSURE`. For other axes,
  /// libmtdev reads past the end of its table, or passes the event on without a slot.
  static let knownAxes: ClosedRange<UInt16> = 0x30...0x3a

  /// The capacity of libmtdev's buffers, in events (`DIM_EVENTS`). libmtdev mistakes a full buffer
  /// for an empty one.
  private static let bufferSize = 512

  private let device: UnsafeMutablePointer<mtdev>

  /// - Throws: `noMemory`.
  init(axes: [UInt16: AxisInfo]) throws(ContactProtocolError) {
    guard let device = unsafe mtdev_new() else { throw .noMemory }
    guard unsafe mtdev_init(device) == 0 else {
      unsafe mtdev_delete(device)
      throw .noMemory
    }
    for (code, axis) in axes where Self.knownAxes.contains(code) {
      let code = Int32(code)
      unsafe mtdev_set_mt_event(device, code, 1)
      unsafe mtdev_set_abs_minimum(device, code, axis.minimum)
      unsafe mtdev_set_abs_maximum(device, code, axis.maximum)
      unsafe mtdev_set_abs_fuzz(device, code, axis.fuzz)
      unsafe mtdev_set_abs_resolution(device, code, axis.resolution)
    }
    unsafe self.device = unsafe device
  }

  deinit { unsafe mtdev_close_delete(device) }

  func put(_ event: InputEvent) {
    var raw = input_event()
    raw.time.tv_sec = Int(event.time.microseconds / 1_000_000)
    raw.time.tv_usec = Int(event.time.microseconds % 1_000_000)
    raw.type = event.type
    raw.code = event.code
    raw.value = event.value
    unsafe mtdev_put_event(device, &raw)
  }

  /// Overwrites libmtdev's ring buffers, where events remain after they were read. It uses events
  /// that are not about contacts, so the contacts stay unchanged.
  /// - Precondition: `next` has returned nil.
  func wipe() {
    for _ in 0..<3 {
      for _ in 0..<Self.bufferSize / 2 {
        put(InputEvent(time: .zero, type: EventType.key, code: 0, value: 0))
      }
      put(InputEvent(time: .zero, type: EventType.syn, code: SynCode.report, value: 0))
      while next() != nil {}
    }
  }

  /// - Returns: the next converted event; nil if more input is needed.
  func next() -> InputEvent? {
    guard unsafe mtdev_empty(device) == 0 else { return nil }
    var raw = input_event()
    unsafe mtdev_get_event(device, &raw)
    return InputEvent(
      time: Timestamp(microseconds: Int64(raw.time.tv_sec) * 1_000_000 + Int64(raw.time.tv_usec)),
      type: raw.type, code: raw.code, value: raw.value)
  }
}
