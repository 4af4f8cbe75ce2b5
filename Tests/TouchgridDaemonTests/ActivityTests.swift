import Foundation
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

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

  @Test func `Streams need more, and WatchActivity a time of 5 s to one day`() throws {
    let daemon = try RunningDaemon()
    var client = try daemon.client()
    let streams: [any TouchgridAPI.Method] = [
      API.WatchActivity(idleAfterMs: 5000), API.WatchTouches(),
    ]
    for stream in streams {
      do throws(TouchgridError) {
        _ = try client.call(stream)
        Issue.record("no error")
      } catch {
        guard case .unknown(let name, _) = error else { throw error }
        #expect(name == "org.varlink.service.ExpectedMore")
      }
    }
    for number in [Int64.min, -1, 0, 4999, 86_400_001, .max] {
      try client.start(API.WatchActivity(idleAfterMs: number))
      let error = #expect(throws: TouchgridError.self) {
        _ = try client.receive(API.WatchActivity.self, within: .seconds(20))
      }
      #expect(error?.as(API.InvalidValue.self)?.parameter == "idleAfterMs")
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
    let start: Int64 = 1_795_000_000_000
    let daemon = try RunningDaemon(
      Keypad.display + masks, playing: gestures.recording, wall: start)
    var soon = try daemon.client()
    var late = try daemon.client()
    #expect(try watch(&soon, idleAfterMs: 5000) == Reply(state: .active))
    #expect(try watch(&late, idleAfterMs: 3_600_000) == Reply(state: .active))

    try daemon.pass(seconds: 13)
    let idle = try next(&soon)
    #expect(idle.state == .idle)
    // The end of the span of the first tap: within 5 s after it.
    let ended = (idle.sinceAtMs ?? 0) - start
    #expect((0...5080).contains(ended), "\(ended)")

    try daemon.pass(seconds: 3)
    let active = try next(&soon)
    #expect(active.state == .active)
    let came = (active.sinceAtMs ?? 0) - start
    #expect(came > ended + 5000, "\(came)")
    try daemon.pass(seconds: 500)
    let again = try next(&soon)
    #expect(again.state == .idle)
    #expect(again.sinceAtMs ?? 0 > came + start)
    // A client that asks later learns the same.
    var other = try daemon.client()
    let same = try watch(&other, idleAfterMs: 5000)
    #expect(same.state == .idle)
    #expect(abs((same.sinceAtMs ?? 0) - (again.sinceAtMs ?? 0)) <= 1)
    // The client that waits for an hour has learned nothing more.
    #expect(try late.receive(API.WatchActivity.self, within: .zero) == nil)
  }

  @Test func `Without touches, only the end of a client's time wakes the daemon`() throws {
    let daemon = try RunningDaemon()
    var one = try daemon.client()
    var other = try daemon.client()
    var soon = try daemon.client()
    #expect(try watch(&one, idleAfterMs: 3_000_000) == Reply())
    #expect(try watch(&other, idleAfterMs: 3_000_000) == Reply())
    #expect(try watch(&soon, idleAfterMs: 12_000) == Reply())
    #expect(try daemon.pass(seconds: 11) == 1)
    #expect(try daemon.pass(seconds: 2) == 2)
    #expect(try next(&soon).state == .idle)
    // Then no more, but once for housekeeping.
    #expect(try daemon.pass(seconds: 2000) == 2)
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
      try start([
        "setpriv", "--reuid=nobody", "--regid=nogroup", "--groups=\(group)", "/usr/bin/python3",
        "-uc",
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
      ])
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
