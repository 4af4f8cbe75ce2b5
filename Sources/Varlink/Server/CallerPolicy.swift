internal import Glibc
public import LinuxIO

/// What a server grants a caller. Each gets what those before it get, and more.
public enum Standing: Int, Comparable, Sendable {
  /// Has no role: few places and little work, after all others.
  case withoutRole
  case withRole
  /// May make urgent calls.
  case urgent
  /// Root, or the user that the server runs as.
  case owner

  public static func < (one: Standing, other: Standing) -> Bool { one.rawValue < other.rawValue }
}

/// Decides who may call what. The server asks before it looks at the parameters of a call.
public protocol CallerPolicy {
  func standing(of peer: PeerCredentials) -> Standing

  /// - Parameter method: fully qualified, of an interface that the server has.
  /// - Throws: what the call is answered with, where the caller may not make it.
  func check(_ method: String, by peer: PeerCredentials) throws(VarlinkError)

  /// Whether a call goes before all that are not. Asked only of callers of standing `urgent` and above.
  func isUrgent(_ method: String) -> Bool
}

/// Everybody may call everything.
public struct OpenPolicy: CallerPolicy, Sendable {
  public init() {}
  public func standing(of peer: PeerCredentials) -> Standing { peer.isOwner ? .owner : .withRole }
  public func check(_ method: String, by peer: PeerCredentials) {}
  public func isUrgent(_ method: String) -> Bool { false }
}

extension PeerCredentials {
  /// Root, or the user that this process runs as.
  public var isOwner: Bool { user == 0 || user == geteuid() }
}
