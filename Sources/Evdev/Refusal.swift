internal import Glibc
internal import LinuxIO
public import TouchModel

/// Why a node that udev calls a touchscreen is not read.
public enum Refusal: Hashable, Sendable, CustomStringConvertible {
  /// `LIBINPUT_IGNORE_DEVICE` is set: no compositor sees it either.
  case ignoredByUdev
  case ignoredByConfiguration
  case otherSeat(String)
  case unreadable(ContactProtocolError)
  /// The node's owner, mode or access list keep us out (`EACCES`).
  case noPermission(node: String)
  /// Whatever the permissions of the node say, we are kept out: by the unit or container (`EPERM`).
  case forbidden(node: String)
  /// Opening or reading failed, for a cause that may pass.
  case failed(String)
  /// As many as `Discovery.limit` are read already.
  case tooMany
  /// Another node of the same panel is read already.
  case twin(of: String)
  /// The node's number has been given to another device since.
  case replaced
  /// The kernel took the node away from us (`EVIOCREVOKE`) while the device stayed.
  case revoked
  /// It could be read, but whoever reads has no use for it.
  case rejected(String)

  /// - Parameter error: what the kernel said when the node was opened.
  init(opening node: String, _ error: SystemError) {
    switch error.code {
    case EACCES: self = .noPermission(node: node)
    case EPERM: self = .forbidden(node: node)
    case ENOENT, ENODEV, ENXIO: self = .replaced
    default: self = .failed("\(error)")
    }
  }

  /// - Parameters:
  ///   - error: what the kernel said when the node was read.
  ///   - isPresent: whether the device is still below `/sys`.
  /// - Returns: nil where the device is simply gone.
  init?(reading error: SystemError, isPresent: Bool) {
    guard error.code == ENODEV else {
      self = .failed("\(error)")
      return
    }
    guard isPresent else { return nil }
    self = .revoked
  }

  /// Whether permissions may arrive later.
  var isPermission: Bool {
    switch self {
    case .noPermission, .forbidden: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .ignoredByUdev: "udev says LIBINPUT_IGNORE_DEVICE"
    case .ignoredByConfiguration: "the configuration says ignore"
    case .otherSeat(let seat): "it belongs to seat \(seat.printable())"
    case .unreadable(let error): "\(error)"
    case .noPermission(let node):
      "no permission to read \(node); add the user to the group that owns it (usually input)"
    case .forbidden(let node):
      "the unit or container forbids \(node); allow it input devices (DeviceAllow=char-input r)"
    case .failed(let reason), .rejected(let reason): reason
    case .tooMany: "\(Discovery.limit) touchscreens are read already"
    case .twin(let node): "it is part of the panel that is read at \(node)"
    case .replaced: "the device went away while it was opened"
    case .revoked: "the kernel has revoked the access"
    }
  }
}

/// A node that is not read, and why.
public struct RefusedDevice: Hashable, Sendable {
  public var properties: NodeProperties
  public var name: String
  public var refusal: Refusal
}
