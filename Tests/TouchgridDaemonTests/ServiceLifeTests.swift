import Foundation
import Glibc
import LinuxIO
import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

/// Start, reload and end of the daemon, and the roles of its callers.
@Suite struct ServiceLifeTests {
  @Test func `A reload keeps the session, and an invalid configuration is not applied`() throws {
    let daemon = try RunningDaemon("[[mask]]\nscreen = \"old\"\n")
    var client = try daemon.client()
    let session = try client.call(API.BeginSession()).session
    _ = try client.call(API.AddMask(mask: API.Mask(screen: "by a client")))

    try daemon.write("[session]\nmode = \"manual\"\n[[mask]]\nscreen = \"new\"\n")
    daemon.signal(SIGHUP)
    try daemon.waitForLog("the configuration was reloaded")
    let masks = try client.call(API.GetMasks())
    #expect(masks.configured.map(\.screen) == ["new"])
    #expect(masks.added.map(\.screen) == ["by a client"])
    let status = try client.call(API.GetStatus())
    #expect(status.mode == .manual && status.session?.id == session)

    try daemon.write("[session]\nmode = \"sometimes\"\n")
    daemon.signal(SIGHUP)
    try daemon.waitForLog("the old one remains in force")
    #expect(try client.call(API.GetMasks()).configured.map(\.screen) == ["new"])
    #expect(try client.call(API.GetStatus()).session?.id == session)
    #expect(daemon.log.contains("mode"))
  }

  @Test func `The status names changes that need a restart until they are undone`() throws {
    let daemon = try RunningDaemon()
    var client = try daemon.client()
    for (text, keys) in [
      ("[devices]\nseat = \"seat9\"\n", ["seat in [devices]"]),
      ("[devices]\nseat = \"seat9\"\nghosts = false\n", ["seat in [devices]"]), ("", []),
    ] {
      try daemon.write(text)
      daemon.signal(SIGHUP)
      let isNamed = try within(seconds: 3) {
        try client.call(API.GetStatus()).restartNeededFor == keys
      }
      #expect(isNamed, "\(daemon.log)")
    }
  }

  @Test(.enabled(if: slowness == 1, "a sanitizer has a thread of its own that wakes"))
  func `Without touches and calls, the daemon sleeps`() throws {
    let daemon = try RunningDaemon(keepsRealTime: true)
    // No thread wakes for a second once the first maintenance has ended.
    let sleeps = try within(seconds: 5) {
      let before = try daemon.contextSwitches
      usleep(1_000_000)
      return try daemon.contextSwitches == before
    }
    #expect(sleeps)
  }

  @Test func `In a day without touches and calls, the daemon wakes for housekeeping only`() throws {
    let daemon = try RunningDaemon()
    // The first is 11 minutes after the start, and the next a day later.
    #expect(try daemon.pass(seconds: 86_400) == 2)
  }
}
