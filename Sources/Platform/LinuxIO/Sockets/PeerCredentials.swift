internal import CLinux

/// The process at the other end of a Unix socket, as the kernel recorded it when the connection was
/// made.
public struct PeerCredentials: Hashable, Sendable {
  public var process: Int32
  public var user: UInt32
  public var group: UInt32
  /// The supplementary groups. Empty if the kernel does not report them (before Linux 4.13).
  public var groups: [UInt32]

  public init(process: Int32, user: UInt32, group: UInt32, groups: [UInt32] = []) {
    self.process = process
    self.user = user
    self.group = group
    self.groups = groups
  }

  /// Reads the credentials of a connected socket (`SO_PEERCRED`, `SO_PEERGROUPS`).
  public init(of descriptor: Int32) throws(SystemError) {
    var peer = touchgrid_peer()
    guard unsafe touchgrid_socket_peer(descriptor, &peer) == 0 else {
      throw SystemError(context: "reading the credentials of a client")
    }
    self.init(
      process: peer.process, user: peer.user, group: peer.group, groups: Self.groups(descriptor))
  }

  private static func groups(_ descriptor: Int32) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 32)
    while true {
      let count = unsafe touchgrid_socket_peer_groups(
        descriptor, &groups, Int32(groups.count))
      guard count >= 0 else { return [] }
      if count <= groups.count { return Array(groups.prefix(Int(count))) }
      // The kernel's limit, `NGROUPS_MAX`.
      guard count <= 65_536 else { return [] }
      groups = [UInt32](repeating: 0, count: Int(count))
    }
  }
}
