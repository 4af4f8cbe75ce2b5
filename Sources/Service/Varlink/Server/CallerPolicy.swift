internal import Glibc
public import LinuxIO

/// The privilege level of a caller. Each level includes the privileges of those before it.
public enum CallerPrivilege: Int, Comparable, Sendable {
  /// A caller without a role. It gets few connections and little processing time, and is served
  /// after all others.
  case withoutRole
  case withRole
  /// A caller that may make urgent calls.
  case urgent
  /// Root, or the user that the server runs as.
  case owner

  public static func < (one: CallerPrivilege, other: CallerPrivilege) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// Decides which methods a caller may call. The server calls `check` before it decodes the
/// parameters of a call.
public protocol CallerPolicy {
  func privilege(of peer: PeerCredentials) -> CallerPrivilege

  /// Checks whether the caller may call the method.
  /// - Parameter method: the fully qualified name of a method of one of the server's interfaces.
  /// - Throws: the error reply if the caller may not call it.
  func check(_ method: String, by peer: PeerCredentials) throws(VarlinkError)

  /// Whether calls of the method take precedence over all calls that are not urgent. Used only for
  /// callers with the privilege `urgent` or above.
  func isUrgent(_ method: String) -> Bool
}

/// A policy that lets every caller call every method.
public struct OpenPolicy: CallerPolicy, Sendable {
  public init() {}
  public func privilege(of peer: PeerCredentials) -> CallerPrivilege {
    peer.isOwner ? .owner : .withRole
  }
  public func check(_ method: String, by peer: PeerCredentials) {}
  public func isUrgent(_ method: String) -> Bool { false }
}

extension PeerCredentials {
  /// Whether the peer is root or the user that this process runs as.
  public var isOwner: Bool { user == 0 || user == geteuid() }
}
