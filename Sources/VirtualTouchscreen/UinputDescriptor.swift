import Glibc

/// `/dev/uinput`, open. The device made through it goes when it is closed.
struct UinputDescriptor: ~Copyable {
  let descriptor: Int32

  /// - Parameter phys: set before libevdev makes the device, because libevdev leaves it out.
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

  /// `UI_SET_PHYS` of `linux/uinput.h`, `_IOW('U', 108, char *)`: a macro that Swift does not import.
  private static let setPhys: UInt = {
    let write: UInt = 1 << 30
    let size = unsafe UInt(MemoryLayout<UnsafePointer<CChar>>.size) << 16
    return write | size | UInt(UInt8(ascii: "U")) << 8 | 108
  }()
}
