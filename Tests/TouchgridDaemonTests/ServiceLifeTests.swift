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
    // The mask of a client outlasts the same one of the configuration.
    _ = try client.call(API.AddMask(mask: API.Mask(screen: "old")))

    try daemon.write("[session]\nmode = \"manual\"\n[[mask]]\nscreen = \"new\"\n")
    daemon.signal(SIGHUP)
    try daemon.waitForLog("the configuration was reloaded")
    let masks = try client.call(API.GetMasks())
    #expect(masks.configured.map(\.screen) == ["new"])
    #expect(masks.added.map(\.screen) == ["old"])
    let status = try client.call(API.GetStatus())
    #expect(status.mode == .manual && status.session?.id == session)

    try daemon.write("[session]\nmode = \"sometimes\"\n")
    daemon.signal(SIGHUP)
    try daemon.waitForLog("the old one remains in force")
    #expect(try client.call(API.GetMasks()).configured.map(\.screen) == ["new"])
    #expect(try client.call(API.GetStatus()).session?.id == session)
    #expect(daemon.log.contains("mode"))
  }

  @Test func `A killed daemon loses at most 6 s, and the next one closes its session`() throws {
    let daemon = try RunningDaemon(playing: taps(3000, every: 20_000))
    var client = try daemon.client()
    try daemon.pass(seconds: 7)
    let early = try #require(try client.call(API.GetStatus()).session).totals.sessionTotals
    try daemon.pass(seconds: 6)
    let isWritten = try within(seconds: 20) {
      let store = try client.call(API.GetStatus()).store
      return store.busyForMs == nil && store.waitingBytes == 0
    }
    #expect(isWritten && early.begun > 10)
    try daemon.stop(SIGKILL)
    try daemon.start()
    try daemon.stop()
    let store = try Store(reading: daemon.store)
    let session = try #require(try store.sessions(in: .always).first { $0.record.id == 1 }).record
    #expect(session.end == .recovered && session.totals.isBalanced)
    #expect(session.totals.begun >= early.begun)
    #expect(try store.check().flatMap(\.faults) == [])
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
