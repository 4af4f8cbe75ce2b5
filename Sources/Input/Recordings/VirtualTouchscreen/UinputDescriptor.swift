import Glibc

/// An open `/dev/uinput`. Closing it removes the device that was created through it.
struct UinputDescriptor: ~Copyable {
  let descriptor: Int32

  /// - Parameter phys: the place at which the device claims to be plugged in; nil for none. It is
  ///   set here because libevdev ignores it.
  init(phys: String?) throws(VirtualTouchscreenError) {
    let opened = unsafe open("/dev/uinput", O_RDWR | O_CLOEXEC)
    guard opened >= 0 else { throw .cannotOpen(errno: errno) }
    if let phys {
      let result = unsafe phys.withCString {
        unsafe ioctl(opened, Self.setPhys, UnsafeMutableRawPointer(mutating: $0))
      }
      guard result == 0 else {
        let failure = errno
        close(opened)
        throw .refused(errno: failure, hint: "UI_SET_PHYS")
      }
    }
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// `UI_SET_PHYS` of `linux/uinput.h`, `_IOW('U', 108, char *)`. Swift does not import this macro.
  private static let setPhys: UInt = {
    let write: UInt = 1 << 30
    let size = unsafe UInt(MemoryLayout<UnsafePointer<CChar>>.size) << 16
    return write | size | UInt(UInt8(ascii: "U")) << 8 | 108
  }()
}
