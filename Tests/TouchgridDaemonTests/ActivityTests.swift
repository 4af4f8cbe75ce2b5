import Foundation
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

/// `WatchActivity`: whether somebody touches.
@Suite struct ActivityTests {
  private typealias Reply = API.WatchActivity.Reply

  /// Starts a call and returns its first reply.
  private func watch(
    _ client: inout TouchgridClient, idleAfterMs: Int64
  ) throws -> Reply {
    try client.start(API.WatchActivity(idleAfterMs: idleAfterMs))
    return try next(&client)
  }

  private func next(_ client: inout TouchgridClient) throws -> Reply {
    let reply = try client.receive(API.WatchActivity.self, within: .seconds(60 * slowness))
    return try #require(reply?.reply, "no reply")
  }

  @Test func `WatchActivity needs more, and a time of 5 s to one day`() throws {
    let daemon = try RunningDaemon()
    var client = try daemon.client()
    do throws(TouchgridError) {
      _ = try client.call(API.WatchActivity(idleAfterMs: 5000))
      Issue.record("no error")
    } catch {
      guard case .unknown(let name, _) = error else { throw error }
      #expect(name == "org.varlink.service.ExpectedMore")
    }
    for number in [Int64.min, -1, 0, 4999, 86_400_001, .max] {
      try client.start(API.WatchActivity(idleAfterMs: number))
      do throws(TouchgridError) {
        _ = try client.receive(API.WatchActivity.self, within: .seconds(20))
        Issue.record("no error")
      } catch {
        #expect(error.as(API.InvalidValue.self)?.parameter == "idleAfterMs")
      }
    }
    for number in [5000, 86_400_000] as [Int64] {
      var client = try daemon.client()
      #expect(try watch(&client, idleAfterMs: number) == Reply())
    }
  }

  @Test(arguments: ["", "[[mask]]\nscreen = \"default\"\n"])
  func `Clients learn when a person comes and goes, masked or not`(masks: String) throws {
    var gestures = Gestures(on: .panel(width: 1024, height: 768))
    gestures.tap(at: (5, 5))
    gestures.wait(14_000_000)
    for _ in 0..<3 {
      gestures.tap(at: (100, 100))
      gestures.wait(700_000)
    }
    gestures.wait(600_000_000)
    gestures.tap(at: (100, 100))
    let daemon = try RunningDaemon(Keypad.display + masks, playing: gestures.recording)
    let start = Clocks.wall
    var soon = try daemon.client()
    var late = try daemon.client()
    let first = try watch(&soon, idleAfterMs: 5000)
    // The first tap may come before or after this call.
    let isKnown = first.state == .active
    #expect(first == (isKnown ? Reply(state: .active) : Reply()))
    if !isKnown { #expect(try next(&soon).state == .active) }
    _ = try watch(&late, idleAfterMs: 3_600_000)

    let idle = try next(&soon)
    #expect(idle.state == .idle)
    // The end of the span of the first tap: within 5 s after it.
    let ended = (idle.sinceAtMs ?? 0) - start
    #expect((-9000...9000 * slowness).contains(ended), "\(ended)")

    let active = try next(&soon)
    #expect(active.state == .active)
    let came = (active.sinceAtMs ?? 0) - start
    #expect(came > ended + 5000, "\(came)")
    let again = try next(&soon)
    #expect(again.state == .idle)
    #expect(again.sinceAtMs ?? 0 > came + start)
    // A client that asks later learns the same.
    var other = try daemon.client()
    let same = try watch(&other, idleAfterMs: 5000)
    #expect(same.state == .idle)
    let difference = (same.sinceAtMs ?? 0) - (again.sinceAtMs ?? 0)
    #expect(abs(difference) <= 5)
    // The client that waits for an hour has learned that somebody came, and nothing after that.
    let news = try late.receive(API.WatchActivity.self, within: .milliseconds(100))
    #expect(news == nil || news?.reply.state == .active)
    #expect(try late.receive(API.WatchActivity.self, within: .milliseconds(100)) == nil)
  }

  @Test(.enabled(if: slowness == 1, "a sanitizer has a thread of its own that wakes"))
  func `Without touches, only the end of a client's time wakes the daemon`() throws {
    let daemon = try RunningDaemon()
    var one = try daemon.client()
    var other = try daemon.client()
    var soon = try daemon.client()
    #expect(try watch(&one, idleAfterMs: 3_600_000) == Reply())
    #expect(try watch(&other, idleAfterMs: 3_600_000) == Reply())
    #expect(try watch(&soon, idleAfterMs: 12_000) == Reply())
    // The first maintenance ends within this time.
    usleep(1_500_000)
    let before = try daemon.contextSwitches
    usleep(5_000_000)
    #expect(try daemon.contextSwitches == before)
    // The daemon wakes when the first client's time is over, and then no more.
    #expect(try next(&soon).state == .idle)
    usleep(500_000)
    let later = try daemon.contextSwitches
    usleep(5_000_000)
    #expect(try daemon.contextSwitches == later)
  }

  @Test(.enabled(if: geteuid() == 0))
  func `A reload that takes a role away ends the streams of its users`() throws {
    let daemon = try RunningDaemon("[roles]\nsignal = \"daemon\"\nwatch = \"bin\"\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: daemon.folder.path)
    let calls = [
      "daemon": #""WatchActivity","parameters":{"idleAfterMs":5000}"#, "bin": #""WatchTouches""#,
    ]
    let clients = try calls.map { group, call in
      let client = Process()
      client.executableURL = URL(filePath: "/usr/bin/env")
      client.arguments = [
        "setpriv", "--reuid=nobody", "--regid=nogroup", "--groups=\(group)",
        "/usr/bin/python3", "-uc",
        """
        import socket, sys
        s = socket.socket(socket.AF_UNIX)
        s.connect(sys.argv[1])
        s.sendall(sys.argv[2].encode() + b"\\0")
        for _ in range(2):
            reply = b""
            while not reply.endswith(b"\\0"): reply += s.recv(1)
            print(reply[:-1].decode(), flush=True)
        """, daemon.socket,
        #"{"more":true,"method":"io.touchgrid."# + call.dropFirst() + "}",
      ]
      let output = Pipe()
      client.standardOutput = output
      try client.run()
      return (client, output.fileHandleForReading)
    }
    for (_, output) in clients {
      #expect(String(decoding: output.availableData, as: UTF8.self).contains("\"continues\":true"))
    }
    try daemon.write("[roles]\nsignal = \"\"\nwatch = \"\"\n")
    daemon.signal(SIGHUP)
    for (client, output) in clients {
      let rest = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
      #expect(rest.contains("io.touchgrid.NotPermitted"))
      client.waitUntilExit()
    }
  }
}
