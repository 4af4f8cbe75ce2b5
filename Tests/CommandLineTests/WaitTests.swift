import Glibc
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

@Suite final class WaitTests: FolderSuite {
  private static func states(_ states: API.ActivityState?...) -> [EncodedReply] {
    states.map { state in
      EncodedReply(
        API.WatchActivity.Reply(state: state, sinceAtMs: state == .idle ? 7 : nil),
        continues: true)
    }
  }

  private func daemon(_ states: API.ActivityState?...) throws -> StubDaemon {
    let replies = states.flatMap { Self.states($0) }
    return try StubDaemon(in: folder, ["WatchActivity": .replies(replies)])
  }

  private func run(_ daemon: StubDaemon, _ arguments: String...) throws -> Program.Result {
    try Program.run(["wait", "--socket", daemon.path] + arguments, in: folder)
  }

  /// Runs `wait --every` until it has printed this text, and ends it.
  private func runUntil(
    _ text: String, _ daemon: StubDaemon, _ arguments: String...
  ) throws -> Program.Result {
    let waiting = try Program.start(
      ["wait", "--every", "--socket", daemon.path] + arguments, in: folder)
    let outcome = Result { try waitUntil { try waiting.output == text } }
    kill(waiting.process, SIGTERM)
    let result = try waiting.finish()
    #expect(result.text == text)
    try outcome.get()
    return result
  }

  @Test func `A touch and idleness end the wait, and other states do not`() throws {
    let daemon = try daemon(nil, .active, .idle)
    for (option, word) in [(["--touch"], "touch"), (["--idle", "1m"], "idle")] {
      let result = try Program.run(["wait", "--socket", daemon.path] + option, in: folder)
      #expect(result.status == 0 && result.text == word + "\n" && result.error == "")
    }
    let json = try run(daemon, "--idle", "60s", "--json")
    #expect(json.text == "{\"event\":\"idle\",\"sinceAtMs\":7}\n")
  }

  @Test func `The daemon is asked for the time of --idle, or 5 s`() throws {
    let daemon = try StubDaemon(
      in: folder,
      [
        "WatchActivity": .asked { call throws(VarlinkError) in
          let wish = try call.parameters(API.WatchActivity.self)
          return .replies(Self.states(wish.idleAfterMs == 90_000 ? .idle : .active))
        }
      ])
    #expect(try run(daemon, "--idle", "90s").text == "idle\n")
    #expect(try run(daemon, "--touch").text == "touch\n")
    #expect(try run(daemon, "--touch", "--idle", "90s").text == "idle\n")
  }

  @Test func `The exit status is that of the command, which knows the event`() throws {
    let daemon = try daemon(nil, .idle)
    let script = #"echo "$TOUCHGRID_EVENT $1"; exit 7"#
    let result = try run(daemon, "--idle", "5s", "--", "sh", "-c", script, "x", "an argument")
    #expect(result.status == 7 && result.text == "idle an argument\n")
    #expect(try run(daemon, "--idle", "5s", "--", "sh", "-c", "kill -KILL $$").status == -SIGKILL)
  }

  @Test(arguments: [
    ["--", "ls", "/proc/self/fd"],
    ["--every", "--", "sh", "-c", "ls /proc/self/fd; kill $PPID"],
  ])
  func `The command gets no open file of this program`(command: [String]) throws {
    let daemon = try daemon(.idle)
    // Closes what this test would pass on.
    let script = #"""
      for file in /proc/$$/fd/*; do
        number=${file##*/}; [ $number -le 2 ] || eval "exec $number>&-"
      done
      exec "$@"
      """#
    let files = try Program.run(
      ["-c", script, "x", try Program.path, "wait", "--socket", daemon.path, "--idle", "5s"]
        + command, program: "bash", in: folder)
    #expect(files.text == "0\n1\n2\n3\n")
  }

  @Test func `A command that cannot be run has the status of shells`() throws {
    let daemon = try daemon(.active)
    for every in [[], ["--every"]] {
      for (name, status) in [("none-such", 127), (folder.path, 126)] as [(String, Int32)] {
        let result = try Program.run(
          ["wait", "--socket", daemon.path, "--touch"] + every + ["--", name], in: folder)
        #expect(result.status == status)
        #expect(result.error.hasPrefix("touchgrid: \(name) cannot be run: "))
      }
    }
  }

  @Test func `After a command that failed, the newest state counts`() throws {
    let daemon = try daemon(nil, .active, .idle, .active, .idle)
    let script = #"echo $TOUCHGRID_EVENT; [ $TOUCHGRID_EVENT != touch ]"#
    let result = try runUntil(
      "touch\nidle\n", daemon, "--touch", "--idle", "5s", "--", "sh", "-c", script)
    #expect(result.error == "touchgrid: sh ended with status 1\n")
  }

  @Test func `A daemon that does not know the method ends the wait`() throws {
    let daemon = try StubDaemon(in: folder, ["GetStatus": .silence])
    let result = try run(daemon, "--touch", "--every")
    #expect(result.status == 1 && result.error.hasPrefix("touchgrid: "))
  }

  @Test func `--timeout ends the wait with status 124`() throws {
    let daemon = try daemon(nil, .idle)
    let result = try run(daemon, "--touch", "--timeout", "200ms", "--", "echo", "touched")
    #expect(result.status == 124 && result.text == "" && result.error == "")
    #expect(try run(daemon, "--idle", "5s", "--every", "--timeout", "200ms").status == 124)
  }

  @Test func `The wait goes on when the daemon restarts, and no event comes twice`() throws {
    var daemon: StubDaemon? = try daemon(nil, .idle)
    let path = try #require(daemon?.path)
    let waiting = try Program.start(
      [
        "wait", "--socket", path, "--touch", "--idle", "5s", "--every", "--timeout", "60s", "--",
        "sh", "-c", "echo $TOUCHGRID_EVENT; [ $TOUCHGRID_EVENT != touch ] || kill $PPID",
      ], in: folder)
    try waitUntil { try waiting.output == "idle\n" }
    daemon = nil
    try waitUntil { unsafe access(path, F_OK) != 0 }
    daemon = try self.daemon(nil, .idle, .active)
    let result = try waiting.finish()
    #expect(result.status == -SIGTERM && result.text == "idle\ntouch\n")
    #expect(
      result.error.contains("the wait goes on when the daemon is back\n")
        && result.error.hasSuffix("touchgrid: the daemon is back\n"), "\(result.error)")
    withExtendedLifetime(daemon) {}
  }

  @Test func `A user without the role is told the group`() throws {
    let daemon = try StubDaemon(
      in: folder,
      ["WatchActivity": .fault(API.NotPermitted(.signal, group: "none-such"))]
    )
    let result = try run(daemon, "--touch")
    #expect(result.status == 1 && result.error.contains("group none-such"))
    let none = try Program.run(["wait", "--touch", "--socket", folder.path("none")], in: folder)
    #expect(none.status == 1 && none.error.contains("no daemon answers"))
  }

  @Test func `A screen ends the wait when a display shows it`() throws {
    let replies = try ["menu", "pay", "pay", "menu", "pay"].map { screen in
      EncodedReply(
        API.WatchTouches.Reply(
          atUs: 1, touches: [], displays: [try SampleReplies.display(screen: screen)]),
        continues: true)
    }
    let daemon = try StubDaemon(in: folder, ["WatchTouches": .replies(replies)])
    #expect(try run(daemon, "--screen", "pay").text == "screen\n")
    let line = "{\"event\":\"screen\",\"screen\":\"pay\"}\n"
    _ = try runUntil(line + line, daemon, "--screen", "pay", "--json")
    for arguments in [["--screen", "none"], ["--screen", "pay", "--display", "other"]] {
      let result = try Program.run(
        ["wait", "--socket", daemon.path, "--timeout", "300ms"] + arguments, in: folder)
      #expect(result.status == 124 && result.text == "")
    }
  }
}
