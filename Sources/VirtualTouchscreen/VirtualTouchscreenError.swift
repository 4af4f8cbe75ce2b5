import Glibc

/// Why a virtual touchscreen cannot be made or played on. Its `description` says what to do.
public enum VirtualTouchscreenError: Error, Hashable, Sendable {
  /// `/dev/uinput`.
  case cannotOpen(errno: Int32)
  case tooManySlots(Int)
  /// The kernel does not want this device.
  case refused(errno: Int32, hint: String?)
  /// It was made, and sysfs does not show its node.
  case noNode
  case cannotWrite(errno: Int32)
  /// Frames a second: above 0 and at most 1,000,000.
  case impossibleRate(Double)
}

extension VirtualTouchscreenError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotOpen(ENOENT), .cannotOpen(ENODEV), .cannotOpen(ENXIO):
      "there is no /dev/uinput: load the kernel's module with 'modprobe uinput'"
    case .cannotOpen(EACCES), .cannotOpen(EPERM):
      "no permission for /dev/uinput: run as root, or as a member of a group that a udev rule lets "
        + "write to it"
    case .cannotOpen(let code): "/dev/uinput cannot be opened: \(text(code))"
    case .tooManySlots(let slots):
      "the device has \(slots) slots, and the kernel's uinput takes at most "
        + "\(VirtualTouchscreen.slotLimit)"
    case .refused(let code, let hint):
      "the kernel's uinput refuses the device: \(text(code))"
        + (hint.map { " (\($0))" } ?? "")
    case .noNode: "the kernel made the device, and /sys shows no event node of it; is /sys mounted?"
    case .cannotWrite(let code): "the virtual touchscreen takes no events: \(text(code))"
    case .impossibleRate(let rate):
      "\(rate) frames a second cannot be played; it takes more than 0 and at most 1000000"
    }
  }
}

private func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
