import LinuxIO
import Testing
import TouchgridAPI
import Varlink

@testable import TouchgridDaemon

@Suite struct AccessTests {
  @Test func `Methods that affect masks and counts are urgent`() {
    let urgent = MethodRule.all.filter(\.isUrgent).map {
      $0.method.dropFirst(API.interface.count + 1)
    }
    #expect(
      Set(urgent)
        == ["AddMask", "RemoveMask", "SetScreen", "SetDisplayMode", "Follow", "Pause"])
  }

  @Test func `A caller's privilege depends on the roles of its groups`() {
    var roles = Configuration.Roles()
    (roles.app, roles.read, roles.watch, roles.signal) = ("daemon", "bin", "sys", "adm")
    roles.operate = "tty"
    let access = Access(roles)
    func privilege(user: UInt32 = 61_000, groups: [UInt32]) -> CallerPrivilege {
      access.privilege(
        of: PeerCredentials(process: 1, user: user, group: 61_000, groups: groups))
    }
    #expect(privilege(groups: []) == .withoutRole)
    #expect(privilege(groups: [100]) == .withoutRole)
    #expect(privilege(groups: [2]) == .withRole)
    #expect(privilege(groups: [3]) == .withRole)
    #expect(privilege(groups: [4]) == .withRole)
    #expect(privilege(groups: [5]) == .withRole)
    #expect(privilege(groups: [3, 1]) == .urgent)
    #expect(privilege(user: 0, groups: []) == .owner)
    #expect(
      Access(Configuration.Roles()).privilege(
        of: PeerCredentials(process: 1, user: 61_000, group: 1)) == .withoutRole)
  }

  @Test func `The role operate watches use and covers, pauses, swallows, and does nothing else`() {
    var roles = Configuration.Roles()
    roles.operate = "tty"
    let access = Access(roles)
    let peer = PeerCredentials(process: 1, user: 61_000, group: 5)
    let allowed = MethodRule.all.map(\.method).filter { method in
      do throws(VarlinkError) { try access.check(method, by: peer) } catch { return false }
      return true
    }
    let names = ["Pause", "Swallow", "WatchCovers", "SuspendGuard", "WatchActivity"]
    #expect(allowed == names.map { "io.touchgrid.\($0)" })
  }

  @Test func `Method names are compared byte by byte`() {
    let owner = PeerCredentials(process: 1, user: 0, group: 0)
    let access = Access(Configuration.Roles())
    #expect(throws: Never.self) { try access.check("io.touchgrid.GetStatus", by: owner) }
    // Names that Unicode considers equal to a method's name are unknown.
    for name in ["io.touchgrid.GetStatu\u{73}\u{301}", "io.touchgrid.getStatus", "io.touchgrid."] {
      #expect(throws: VarlinkError.methodNotFound(name)) { try access.check(name, by: owner) }
    }
  }
}
