import Glibc
import Text

/// The reason why a virtual touchscreen cannot be created or used. `description` has the remedy.
public enum VirtualTouchscreenError: Error, Hashable, Sendable {
  /// `/dev/uinput` cannot be opened.
  case cannotOpen(errno: Int32)
  case tooManySlots(Int)
  /// The kernel rejected the device.
  case refused(errno: Int32, hint: String?)
  /// The device was created, but its node is missing in sysfs.
  case noNode
  case cannotWrite(errno: Int32)
  /// The rate in frames a second. It must be above 0 and at most 1,000,000.
  case impossibleRate(Double)
}

extension VirtualTouchscreenError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotOpen(ENOENT), .cannotOpen(ENODEV), .cannotOpen(ENXIO):
      "there is no /dev/uinput: load the kernel's module with 'sudo modprobe uinput'"
    case .cannotOpen(EACCES), .cannotOpen(EPERM):
      "no permission to write to /dev/uinput: run this as root (sudo), or add a udev rule that "
        + "lets a group of this user write to it; a container must be given the device"
    case .cannotOpen(let code): "/dev/uinput cannot be opened: \(errorText(code))"
    case .tooManySlots(let slots):
      "the device reports up to \(slots) contacts at once, and the kernel's uinput takes at most "
        + "\(VirtualTouchscreen.slotLimit)"
    case .refused(let code, let hint):
      "the kernel's uinput refuses the device: \(errorText(code))"
        + (hint.map { " (\($0))" } ?? "")
    case .noNode:
      "the kernel created the device, but /sys shows no event node of it; is /sys mounted?"
    case .cannotWrite(let code): "writing to the virtual touchscreen failed: \(errorText(code))"
    case .impossibleRate(let rate):
      "invalid rate \(rate): it must be above 0 and at most 1000000 frames per second"
    }
  }
}
