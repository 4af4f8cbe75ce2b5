internal import Glibc
internal import LinuxIO
internal import Text
public import TouchModel

/// The reason why a node that udev tags as a touchscreen is not read.
public enum Refusal: Hashable, Sendable, CustomStringConvertible {
  /// `LIBINPUT_IGNORE_DEVICE` is set; compositors ignore the device too.
  case ignoredByUdev
  case ignoredByConfiguration
  case otherSeat(String)
  case unreadable(ContactProtocolError)
  /// The node's owner, mode or access list deny access (`EACCES`).
  case noPermission(node: String)
  /// The unit or container denies access, regardless of the permissions of the node (`EPERM`).
  case forbidden(node: String)
  /// Opening or reading failed for a reason that may be temporary.
  case failed(String)
  /// `Discovery.limit` touchscreens are open already.
  case tooMany
  /// Another node of the same panel is already read.
  case twin(of: String)
  /// The device disappeared while it was being opened, or its node now belongs to another device.
  case replaced
  /// The kernel has revoked the access (`EVIOCREVOKE`), but the device is still there.
  case revoked
  /// The node can be read, but the caller has rejected the device (`Discovery.reject`).
  case rejected(String)

  /// Determines the reason after the node could not be opened.
  /// - Parameter error: the error from opening the node or from reading its description.
  init(opening node: String, _ error: SystemError) {
    switch error.code {
    case EACCES: self = .noPermission(node: node)
    case EPERM: self = .forbidden(node: node)
    case ENOENT, ENODEV, ENXIO: self = .replaced
    default: self = .failed("\(error)")
    }
  }

  /// Determines the reason after a failed read.
  /// - Parameters:
  ///   - error: the error from reading the node.
  ///   - isPresent: whether the device is still below `/sys`.
  /// - Returns: nil if the device was removed.
  init?(reading error: SystemError, isPresent: Bool) {
    guard error.code == ENODEV else {
      self = .failed("\(error)")
      return
    }
    guard isPresent else { return nil }
    self = .revoked
  }

  /// Whether permission may be granted later.
  var isPermission: Bool {
    switch self {
    case .noPermission, .forbidden: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .ignoredByUdev: "udev sets LIBINPUT_IGNORE_DEVICE"
    case .ignoredByConfiguration: "the configuration ignores it (ignore = true in [[device]])"
    case .otherSeat(let seat):
      "it belongs to seat \(seat.printable()); the daemon reads only one seat (seat in "
        + "[devices])"
    case .unreadable(let error): "\(error)"
    case .noPermission(let node):
      "no permission to read \(node); add the daemon's user to the group that owns this file, "
        + "usually with 'sudo usermod -aG input touchgrid', then restart the daemon"
    case .forbidden(let node):
      "the daemon's systemd unit or container forbids access to \(node); allow input devices there "
        + "(in a unit: DeviceAllow=char-input r)"
    case .failed(let reason), .rejected(let reason): reason
    case .tooMany:
      "too many touchscreens: \(Discovery.limit) are already read (the limit); to read this one, "
        + "set ignore = true for another in [[device]]"
    case .twin(let node): "another node of the same touchscreen is already read: \(node)"
    case .replaced: "the device disappeared while it was being opened"
    case .revoked: "the kernel has revoked the access"
    }
  }
}

/// A node that is not read, and the reason.
public struct RefusedDevice: Hashable, Sendable {
  public var properties: NodeProperties
  public var name: String
  public var refusal: Refusal
}
