public import TouchModel

/// Why a node that udev calls a touchscreen is not read.
public enum Refusal: Hashable, Sendable, CustomStringConvertible {
  /// `LIBINPUT_IGNORE_DEVICE` is set: no compositor sees it either.
  case ignoredByUdev
  case ignoredByConfiguration
  case otherSeat(String)
  case unreadable(ContactProtocolError)
  /// May be opened later, when the permissions have arrived.
  case noPermission(node: String)
  case cannotOpen(String)
  /// Another node of the same panel is read already.
  case twin(of: String)
  /// The node's number has been given to another device since.
  case replaced
  /// The kernel took the node away from us (`EVIOCREVOKE`) while the device stayed.
  case revoked

  public var description: String {
    switch self {
    case .ignoredByUdev: "udev says LIBINPUT_IGNORE_DEVICE"
    case .ignoredByConfiguration: "the configuration says ignore"
    case .otherSeat(let seat): "it belongs to seat \(seat.printable())"
    case .unreadable(let error): "\(error)"
    case .noPermission(let node):
      "no permission to read \(node); add the user to the group that owns it (usually input)"
    case .cannotOpen(let reason): reason
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
