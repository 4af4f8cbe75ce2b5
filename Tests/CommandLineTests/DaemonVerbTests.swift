import FoundationEssentials
import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

@Suite final class DaemonVerbTests: FolderSuite {
  private func run(_ daemon: StubDaemon, _ arguments: String...) throws -> Program.Result {
    try Program.run(arguments, environment: ["TOUCHGRID_SOCKET": daemon.path], in: folder)
  }

  // MARK: No daemon

  @Test func `If no daemon is running, the error says how to start one`() throws {
    let path = folder.path("none")
    for verb in [["status"], ["set-screen", "menu"], ["watch"], ["pause"], ["heatmap", "--live"]] {
      let result = try Program.run(verb + ["--socket", path], in: folder)
      #expect(result.status == 1 && result.text == "")
      #expect(
        result.error == """
          touchgrid: no daemon answers: the socket \(path) does not exist; \
          'touchgridd --socket \(path)' starts it there

          """)
    }
  }

  @Test func `A file that is not a socket is named in the error`() throws {
    let path = try folder.write("hello", to: "file")
    let result = try Program.run(["status", "--socket", path], in: folder)
    #expect(result.status == 1)
    #expect(result.error == "touchgrid: \(path) is not a socket\n")
  }

  @Test func `--socket takes precedence over the environment`() throws {
    let daemon = try StubDaemon(in: folder, ["GetStatus": .reply(SampleReplies.status())])
    let other = folder.path("other")
    #expect(try run(daemon, "status", "--socket", other).error.contains(other))
    #expect(try run(daemon, "status").status == 0)
  }

  // MARK: Status

  @Test func `status says what is wrong`() throws {
    let restart = SampleReplies.status(restartNeededFor: ["path in [socket]"])
    for (status, words, code) in [
      (SampleReplies.status(widenedMasks: 2), "2 screens MASKED COMPLETELY", 0),
      (SampleReplies.status(storeError: "no space"), "CANNOT BE WRITTEN: no space", 1),
      (restart, "NEEDED for path in [socket]", 0),
      (
        SampleReplies.status(gridsAreFull: true),
        "  grids       FULL, 24 MiB of 32 MiB: touches on further", 0
      ),
    ] as [(API.GetStatus.Reply, String, Int32)] {
      let own = try TemporaryFolder()
      let daemon = try StubDaemon(in: own, ["GetStatus": .reply(status)])
      let result = try run(daemon, "status")
      #expect(result.status == code && result.text.contains(words), "\(result)")
    }
    #expect(ConfigurationCheck.neededRestart(restart)?.text.contains("path in [socket]") == true)
    #expect(ConfigurationCheck.neededRestart(SampleReplies.status()) == nil)
  }

  @Test func `status, mask and doctor say that everything is masked until the setup`() throws {
    let daemon = try StubDaemon(
      in: folder,
      [
        "GetStatus": .reply(SampleReplies.status(masksEverything: true)),
        "GetMasks": .reply(SampleReplies.masks(everything: true)),
      ])
    #expect(try run(daemon, "status").text.contains("MASKING EVERYTHING until set up"))
    let masks = try run(daemon, "mask")
    #expect(masks.status == 0 && masks.error.contains("'sudo touchgrid setup'"))
    #expect(
      RecordingCheck.finding(SampleReplies.status(masksEverything: true)).hint?.contains(
        "touchgrid setup") == true)
  }

  @Test func `status prints words, or the daemon's reply with --json`() throws {
    let session = SampleStore.session(42, end: nil, tags: ["build": "1.4"], [:])
    let status = SampleReplies.status(session: session)
    let daemon = try StubDaemon(in: folder, ["GetStatus": .reply(status)])
    let words = try run(daemon, "status")
    #expect(words.status == 0 && words.error == "")
    #expect(words.text.hasPrefix("touchgridd 9.8.7, up 2 h 5 min\n"))
    #expect(words.text.contains("  session     42 since 2026-11-21 14:03, 4 touches, build=1.4\n"))
    #expect(
      words.text.contains(
        "12 touches, 1 virtual duplicate, 2 losses of events since the\n              start\n"))
    #expect(words.text.contains("/tmp/none/store.db, 124 KiB\n") && !words.text.contains("grids"))
    let json = try run(daemon, "status", "--json")
    let decoded = try JSONDecoder().decode(API.GetStatus.Reply.self, from: Data(json.output))
    #expect(decoded == status)
    #expect(json.text.split(separator: "\n").count == 1)
  }

  // MARK: Devices

  @Test func `devices describes devices and escapes control characters in their names`() throws {
    let device = try SampleReplies.device(name: "Evil \u{1b}[2J panel", unheardContacts: 2)
    let daemon = try StubDaemon(
      in: folder,
      [
        "GetDevices": .reply(
          API.GetDevices.Reply(
            devices: [device],
            refused: [
              API.RefusedDevice(node: "/dev/input/event9", name: "a\nb", reason: "no\u{7}pe")
            ]))
      ])
    let words = try run(daemon, "devices")
    #expect(words.status == 0)
    #expect(words.text.hasPrefix("Evil \\u{1b}[2J panel\n"))
    #expect(words.text.contains("another program has"))
    #expect(words.text.contains("NOT READ: a\\u{a}b\n"))
    #expect(words.text.allSatisfy { $0 == "\n" || !$0.isNewline })
    #expect(!words.text.contains("\u{1b}") && !words.text.contains("\u{7}"))
    let json = try run(daemon, "devices", "--json")
    #expect(!json.text.contains("\u{1b}") && json.text.contains("\\u001b[2J"))
    let reply = try JSONDecoder().decode(API.GetDevices.Reply.self, from: Data(json.output))
    #expect(reply.devices == [device])
  }

  @Test func `displays prints a table, and set-display turns a display`() throws {
    let display = try SampleReplies.display()
    let daemon = try StubDaemon(
      in: folder,
      [
        "GetDisplays": .reply(API.GetDisplays.Reply(displays: [display])),
        "SetDisplay": .asked { call throws(VarlinkError) in
          let parameters = try call.parameters(API.SetDisplay.self)
          guard
            parameters
              == API.SetDisplay(
                name: "HDMI-A-1", pixelWidth: 1920, pixelHeight: 1080, rotation: 90)
          else { return .error(.invalidParameter("name")) }
          return .reply(API.SetDisplay.Reply(display: display))
        },
      ])
    let table = """
      DISPLAY   SCREEN  GEOMETRY  KNOWN FROM  TOUCHSCREENS
      HDMI-A-1  menu    160x96    drm         usb-1

      """
    #expect(try run(daemon, "displays").text == table)
    let turned = try run(
      daemon, "set-display", "HDMI-A-1", "--rotation", "90", "--size", "1920x1080")
    #expect(turned.text == table && turned.error == "")
  }

  // MARK: Apps

  @Test func `set-screen sends the name with the time of the change, and get-screen prints it`()
    throws
  {
    let before = Clocks.monotonic
    let daemon = try StubDaemon(
      in: folder,
      [
        "GetScreen": .reply(API.GetScreen.Reply(screen: "checkout/pay", revision: 0)),
        "SetScreen": .asked { call throws(VarlinkError) in
          let parameters = try call.parameters(API.SetScreen.self)
          let changed = parameters.changedAtUs ?? 0
          let isRight =
            parameters.name == "menu" && parameters.display == "HDMI-A-1"
            && (before - 250_000...Clocks.monotonic - 250_000).contains(changed)
          return isRight ? .reply(API.NoReply()) : .error(.invalidParameter("changedAtUs"))
        },
      ])
    #expect(try run(daemon, "get-screen").text == "checkout/pay\n")
    #expect(
      try run(daemon, "get-screen", "--json").text
        == "{\"revision\":0,\"screen\":\"checkout/pay\"}\n")
    let result = try run(
      daemon, "set-screen", "menu", "--display", "HDMI-A-1", "--changed-ago", "250ms")
    #expect(result.status == 0 && result.text == "" && result.error == "")
  }

  @Test func `The error about a late name states the limit in milliseconds`() throws {
    let daemon = try StubDaemon(
      in: folder, ["SetScreen": .fault(API.TooLate(lateUs: 10_000_913, limitUs: 250_000))])
    let result = try run(daemon, "set-screen", "menu", "--changed-ago", "10s")
    #expect(result.status == 1)
    #expect(result.error.contains("10001 ms old, which is above the limit of 250 ms"))
  }

  @Test func `begin-session, tag-session and end-session print the number of the session`() throws {
    let daemon = try StubDaemon(
      in: folder,
      [
        "BeginSession": .asked { call throws(VarlinkError) in
          let tags = try call.parameters(API.BeginSession.self).tags
          let session: Int64 = tags == ["build": "1.4", "a": "b=c"] ? 7 : 0
          return .reply(API.BeginSession.Reply(session: session))
        },
        "EndSession": .fault(API.NoSession()),
        "TagSession": .reply(API.TagSession.Reply(session: 7)),
      ])
    #expect(try run(daemon, "begin-session", "build=1.4", "a=b=c").text == "7\n")
    #expect(try run(daemon, "tag-session", "a=", "--json").text == "{\"session\":7}\n")
    let end = try run(daemon, "end-session")
    #expect(end.status == 1)
    #expect(end.error == "touchgrid: no session is running; 'touchgrid begin-session' begins one\n")
  }

  @Test func `mask lists, adds and removes masks`() throws {
    let mask = API.Mask(
      screen: "pin", display: "HDMI-A-1",
      rectangle: API.Rectangle(x: 1, y: 2.5, width: 300, height: 40))
    let daemon = try StubDaemon(
      in: folder,
      [
        "GetMasks": .reply(
          SampleReplies.masks(configured: [API.Mask(screen: "keys")], added: [mask])),
        "AddMask": .asked { call throws(VarlinkError) in
          try call.parameters(API.AddMask.self).mask == mask
            ? .reply(API.NoReply()) : .error(.invalidParameter("mask"))
        },
        "RemoveMask": .fault(API.NoSuchMask()),
      ])
    let table = """
      SCREEN  DISPLAY   RECTANGLE     FROM
      keys    all       whole screen  configuration
      pin     HDMI-A-1  1,2.5,300,40  client

      """
    #expect(try run(daemon, "mask").text == table)
    #expect(try run(daemon, "mask", "list").text == table)
    let added = try run(
      daemon, "mask", "add", "pin", "--display", "HDMI-A-1", "--rectangle", "1,2.5,300,40")
    #expect(added.status == 0 && added.text == "" && added.error == "")
    let removed = try run(daemon, "mask", "remove", "pin")
    #expect(removed.status == 1 && removed.error.contains("'touchgrid mask' lists all masks"))
    #expect(removed.error.contains("with sudo and --save"))
  }

  // MARK: Pauses

  @Test func `pause exits when another client ends the pause`() throws {
    let daemon = try StubDaemon(
      in: folder,
      [
        "Pause": .replies([
          EncodedReply(API.Pause.Reply(isPaused: true), continues: true),
          EncodedReply(API.Pause.Reply(isPaused: false)),
        ]),
        "Resume": .asked { call throws(VarlinkError) in
          try call.parameters(API.Resume.self).all == true
            ? .reply(API.NoReply()) : .error(.invalidParameter("all"))
        },
      ])
    let pause = try run(daemon, "pause")
    #expect(pause.status == 0)
    #expect(
      pause.text == """
        Recording is paused. Ctrl-C ends the pause.
        The pause is over; recording continues.

        """)
    #expect(
      try run(daemon, "pause", "--json").text == "{\"isPaused\":true}\n{\"isPaused\":false}\n")
    #expect(try run(daemon, "pause", "--for", "30s").text.contains("paused until "))
    #expect(try run(daemon, "resume").status == 0)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `A signal ends a pause with exit status 0`(signal: Int32) throws {
    let daemon = try StubDaemon(
      in: folder,
      [
        "Pause": .stream([API.Pause.Reply(isPaused: true)])
      ])
    let running = try Program.start(["pause", "--socket", daemon.path], in: folder)
    try waitUntil { try running.output.contains("paused") }
    kill(running.process, signal)
    let result = try running.finish()
    #expect(result.status == 0)
    #expect(result.text.hasSuffix("This pause is over.\n"))
  }

  // MARK: Refusals

  @Test func `An error about a missing role names the group that has it`() throws {
    let daemon = try StubDaemon(
      in: folder,
      [
        "GetStatus": .fault(API.NotPermitted(.read, group: "no-such-group")),
        "GetDevices": .fault(API.NotPermitted(.read, group: nil)),
        "GetDisplays": .error(.methodNotFound("io.touchgrid.GetDisplays")),
        "GetScreen": .fault(API.NoSuchDisplay("x", known: ["HDMI-A-1"])),
      ])
    let status = try run(daemon, "status")
    #expect(status.status == 1)
    #expect(status.error.contains("the role read, given to the group no-such-group"))
    #expect(status.error.contains("sudo groupadd --system no-such-group"))
    #expect(try run(daemon, "devices").error.contains("gives to no group"))
    #expect(try run(daemon, "displays").error.contains("another version"))
    #expect(try run(daemon, "get-screen").error.contains("known: HDMI-A-1"))
  }
}

/// Waits until the work of another process or thread is done. Throws after a minute.
func waitUntil(_ condition: () throws -> Bool) throws {
  let end = Clocks.monotonic + 60_000_000
  while try !condition() {
    guard Clocks.monotonic < end else { throw Program.CannotRun(description: "it never happened") }
    usleep(5000)
  }
}
