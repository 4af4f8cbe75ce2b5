internal import CMtdev
internal import Glibc
internal import TouchModel

/// Gives the nameless contacts of multitouch protocol A slots and tracking ids, through libmtdev, which
/// matches each frame's contacts with those of the last by distance. Events in, protocol B events out.
@safe struct ProtocolAConverter: ~Copyable {
  /// Above every slot that libmtdev gives out (`DIM_FINGER`).
  static let slotCount = 32

  /// The most contacts of a frame that it is given. Once its last slot is in use it loops for ever (1.1.6
  /// shifts a 32-bit word by 32), and for a moment a frame's contacts may stand beside those of the last.
  static let contactLimit = 15

  /// The axes that libmtdev knows, `ABS_MT_TOUCH_MAJOR` to `ABS_MT_PRESSURE`. It looks others up past the
  /// end of its table, or passes them on without a slot.
  static let knownAxes: ClosedRange<UInt16> = 0x30...0x3a

  /// The room of its buffers, in events (`DIM_EVENTS`); one that is full is taken for empty.
  private static let bufferSize = 512

  private let device: UnsafeMutablePointer<mtdev>

  /// - Returns: nil without memory.
  init?(axes: [UInt16: AxisInfo]) {
    guard let device = unsafe mtdev_new() else { return nil }
    guard unsafe mtdev_init(device) == 0 else {
      unsafe mtdev_delete(device)
      return nil
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

  /// Overwrites its buffers: they are rings, and what was read stays in them until others come that far. It
  /// hands on what tells of no contact, and its contacts stay as they are.
  /// - Precondition: `next` has said that there is no more.
  func wipe() {
    for _ in 0..<3 {
      for _ in 0..<Self.bufferSize / 2 {
        put(InputEvent(time: .zero, type: EventType.key, code: 0, value: 0))
      }
      put(InputEvent(time: .zero, type: EventType.syn, code: SynCode.report, value: 0))
      while next() != nil {}
    }
  }

  /// - Returns: the next converted event; nil where more must be put in first.
  func next() -> InputEvent? {
    guard unsafe mtdev_empty(device) == 0 else { return nil }
    var raw = input_event()
    unsafe mtdev_get_event(device, &raw)
    return InputEvent(
      time: Timestamp(microseconds: Int64(raw.time.tv_sec) * 1_000_000 + Int64(raw.time.tv_usec)),
      type: raw.type, code: raw.code, value: raw.value)
  }
}
