import CLibevdev
import Glibc
import TouchModel

/// libevdev's description of a device to be created.
@safe struct UinputDescription: ~Copyable {
  let handle: OpaquePointer

  /// The event types, besides `EV_ABS`, whose codes are copied. libevdev adds `EV_SYN` itself.
  /// `EV_REP` and force feedback are left out, because they would make the kernel generate events
  /// or requests.
  private static let types: [UInt32] = [
    UInt32(EV_KEY), UInt32(EV_REL), UInt32(EV_MSC), UInt32(EV_SW), UInt32(EV_LED), UInt32(EV_SND),
  ]

  init(
    _ description: DeviceDescription, name: String, keepsFuzz: Bool
  ) throws(VirtualTouchscreenError) {
    guard let handle = unsafe libevdev_new() else { throw .refused(errno: ENOMEM, hint: nil) }
    unsafe self.handle = unsafe handle
    unsafe libevdev_set_name(handle, name)
    let id = description.identifiers
    unsafe libevdev_set_id_bustype(handle, Int32(id.bus))
    unsafe libevdev_set_id_vendor(handle, Int32(id.vendor))
    unsafe libevdev_set_id_product(handle, Int32(id.product))
    unsafe libevdev_set_id_version(handle, Int32(id.version))
    for property in description.properties {
      unsafe libevdev_enable_property(handle, UInt32(property))
    }
    for type in Self.types {
      guard let codes = description.codes[UInt16(type)] else { continue }
      unsafe libevdev_enable_event_type(handle, type)
      for code in codes { unsafe libevdev_enable_event_code(handle, type, UInt32(code), nil) }
    }
    for (code, axis) in description.axes {
      var info = input_absinfo(
        value: 0, minimum: axis.minimum, maximum: axis.maximum, fuzz: keepsFuzz ? axis.fuzz : 0,
        flat: axis.flat,
        resolution: axis.resolution)
      unsafe libevdev_enable_event_code(handle, UInt32(EV_ABS), UInt32(code), &info)
    }
  }

  deinit { unsafe libevdev_free(handle) }
}
