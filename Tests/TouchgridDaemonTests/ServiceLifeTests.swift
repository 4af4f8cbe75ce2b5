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

  @Test func `The socket of a killed daemon is replaced, that of a running one is not`() throws {
    let daemon = try RunningDaemon()
    try daemon.stop(SIGKILL)
    #expect(FileManager.default.fileExists(atPath: daemon.socket))
    try daemon.start()
    do { _ = try daemon.client() }

    let other = Process()
    other.executableURL = try program("touchgridd")
    let store = daemon.folder.appending(path: "other.db").path
    other.arguments = [
      "--config", daemon.configuration.path, "--store", store, "--socket", daemon.socket,
    ]
    let errors = Pipe()
    other.standardError = errors
    try other.run()
    other.waitUntilExit()
    #expect(other.terminationStatus == 1)
    let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said.contains(daemon.socket))
    var client = try daemon.client()
    _ = try client.call(API.GetStatus())
    try daemon.stop()
    #expect(!FileManager.default.fileExists(atPath: daemon.socket))
  }

  @Test(.enabled(if: geteuid() == 0))
  func `Each role has its own group, and errors name the missing group`() throws {
    // These groups exist on every system.
    let daemon = try RunningDaemon(
      "[roles]\napp = \"daemon\"\nread = \"bin\"\nwatch = \"\"\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: daemon.folder.path)
    func ask(_ method: String, groups: String) throws -> String {
      try asNobody(
        daemon, groups: groups, call: #"{"method":"io.touchgrid.\#(method)","more":true}"#)
    }
    #expect(try ask("GetStatus", groups: "bin").contains(#""version""#))
    #expect(try ask("BeginSession", groups: "daemon").contains(#""session""#))
    #expect(try ask("GetScreen", groups: "daemon").contains(#""screen""#))
    #expect(try ask("GetScreen", groups: "bin").contains(#""screen""#))
    for (method, groups, group) in [
      ("GetStatus", "daemon", "bin"), ("BeginSession", "bin", "daemon"),
      ("GetStatus", "nogroup", "bin"), ("Pause", "nogroup", "daemon"),
    ] {
      let reply = try ask(method, groups: groups)
      #expect(reply.contains("io.touchgrid.NotPermitted"))
      #expect(reply.contains(#""group":"\#(group)""#))
    }
    let activity = try ask("WatchActivity", groups: "daemon,bin")
    #expect(activity.contains("io.touchgrid.NotPermitted") && activity.contains("touchgrid-signal"))
    let watching = try ask("WatchTouches", groups: "daemon,bin")
    #expect(watching.contains("io.touchgrid.NotPermitted") && !watching.contains(#""group":"#))
  }

  /// Returns the first reply to a call by the user nobody.
  private func asNobody(
    _ daemon: RunningDaemon, groups: String, call: String
  ) throws -> String {
    let client = Process()
    client.executableURL = URL(filePath: "/usr/bin/env")
    client.arguments = [
      "setpriv", "--reuid=nobody", "--regid=nogroup", "--groups=\(groups)",
      "/usr/bin/python3", "-c",
      """
      import socket, sys
      s = socket.socket(socket.AF_UNIX)
      s.connect(sys.argv[1])
      s.sendall(sys.argv[2].encode() + b"\\0")
      reply = b""
      while not reply.endswith(b"\\0"): reply += s.recv(65536)
      print(reply[:-1].decode())
      """, daemon.socket, call,
    ]
    let output = Pipe()
    client.standardOutput = output
    try client.run()
    client.waitUntilExit()
    try #require(client.terminationStatus == 0)
    return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
  }

  @Test(.enabled(if: slowness == 1, "a sanitizer has a thread of its own that wakes"))
  func `Without touches and calls, the daemon sleeps`() throws {
    let daemon = try RunningDaemon()
    // The first maintenance ends within this time.
    usleep(1_500_000)
    let before = try daemon.contextSwitches
    usleep(5_000_000)
    #expect(try daemon.contextSwitches == before)
  }
}
