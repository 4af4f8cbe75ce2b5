import LinuxIO
import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@Suite final class ForgetCommandTests: UsualStoreSuite {
  private func run(_ words: String...) throws -> Program.Result {
    try folder.run(["forget"] + words)
  }

  private var sessions: [Int64] {
    get throws { try Store(reading: store).sessions(in: .always).map(\.record.id) }
  }

  @Test func `forget needs exactly one selection`() throws {
    for arguments in [[], ["--all", "--session", "1"], ["--since", "7d", "--all"]] {
      let result = try Program.run(["forget", "--yes"] + arguments, in: folder)
      #expect(result.status == 64 && result.error.contains("--all"), "\(arguments)")
    }
  }

  @Test func `Without a terminal, forget needs --yes`() throws {
    let result = try run("--all", "--store", store)
    #expect(result.status == 1 && result.text.isEmpty)
    #expect(result.error.contains("nothing was forgotten") && result.error.contains("--yes"))
    #expect(try sessions == [1, 2, 3])
  }

  @Test func `Sessions of a store's file are forgotten`() throws {
    let dry = try run("--all", "--dry-run", "--store", store)
    #expect(dry.status == 0)
    #expect(dry.text == "would forget 3 sessions of 1 day, 20 touches\n")
    #expect(try sessions == [1, 2, 3])
    let one = try run("--session", "2", "--yes", "--json", "--store", store)
    #expect(one.text == #"{"days":1,"sessions":1,"touches":6}"# + "\n")
    #expect(try sessions == [1, 3])
    let gone = try run("--session", "2", "--yes", "--store", store)
    #expect(gone.status == 1 && gone.error.contains("there is no session 2"))
    let late = try run("--since", "2026-11-21T15:30", "--yes", "--store", store)
    #expect(late.text == "forgot 1 session of 1 day, 5 touches\n", "\(late)")
    #expect(try sessions == [1])
    let nothing = try run("--since", "2026-11-21T15:30", "--yes", "--store", store)
    #expect(nothing.status == 0 && nothing.text == "there is no session to forget\n")
    let none = try run("--all", "--yes", "--store", folder.path("none.db"))
    #expect(none.status == 1 && none.error.contains("there is no such file"))
  }

  @Test func `The error about a day that lost sessions says what can be forgotten`() throws {
    // The day had four sessions when it was rolled up, of which two are left.
    try execute(
      """
      UPDATE session SET rolled_up = 1 WHERE ended IS NOT NULL;
      INSERT INTO day (day, sessions, first_began, last_began)
        SELECT day, 4, min(began), max(began) FROM session
      """, store, folder)
    for arguments in [["--yes"], ["--dry-run"]] {
      let result = try Program.run(
        ["forget", "--since", "2026-11-21T15:30", "--store", store] + arguments, in: folder)
      #expect(
        result.status == 1 && result.error.contains("some sessions there were deleted"), "\(result)"
      )
      #expect(result.error.contains("--session") && !result.error.contains("adding up"))
      #expect(result.error.contains("nothing was forgotten") == (arguments == ["--yes"]))
    }
    #expect(try sessions == [1, 2, 3])
  }

  private func execute(_ sql: String, _ path: String, _ folder: TemporaryFolder) throws {
    let program = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      store.executescript(sys.argv[2])
      store.close()
      """
    let result = try Program.run(
      ["-c", program, path, sql], program: "/usr/bin/python3", in: folder)
    #expect(result.status == 0, "\(result.error)")
  }

  @Test func `Copies of the store beside it are named`() throws {
    // Of the third copy only the WAL is left.
    let copies = [
      ".damaged-20260131T235959Z", ".damaged-20260131T235959Z.recovered",
      ".damaged-20260201T000000Z-wal",
    ]
    let name = store.split(separator: "/").last.map(String.init) ?? ""
    let others = [name + ".damaged-20260131T235959Z-wal", "other.db.damaged-20260131T235959Z"]
    for name in copies.map({ name + $0 }) + others { _ = try folder.write("", to: name) }
    let result = try run("--all", "--yes", "--store", store)
    #expect(result.status == 0 && result.text.hasPrefix("forgot 3 sessions"))
    let lines = result.error.split(separator: "\n")
    #expect(lines.first?.contains("older copies of the store remain") == true)
    #expect(lines.dropFirst().map { String($0.drop { $0 == " " }) } == copies.map { store + $0 })
  }

  @Test func `A store that a daemon uses is refused with --store`() throws {
    let lock = try FileLock(store)
    let result = try run("--all", "--yes", "--store", store)
    withExtendedLifetime(lock) {}
    #expect(result.status == 1 && result.error.contains("leave --store out"), "\(result.error)")
    #expect(try sessions == [1, 2, 3])
  }

  @Test func `On a terminal, forget asks first`() throws {
    let program = """
      import os, pty, sys
      answer, arguments = sys.argv[1], sys.argv[2:]
      child, terminal = pty.fork()
      if child == 0: os.execv(arguments[0], arguments)
      text = b""
      while b"[y/N]" not in text: text += os.read(terminal, 4096)
      os.write(terminal, answer.encode() + b"\\n")
      while True:
        try: part = os.read(terminal, 4096)
        except OSError: break
        if not part: break
        text += part
      print(text.decode())
      """
    _ = try folder.write(program, to: "ask.py")
    for (answer, left) in [("", [1, 2, 3]), ("n", [1, 2, 3]), ("yes", [Int64]())] {
      let result = try Program.run(
        [folder.path("ask.py"), answer, Program.path, "forget", "--all", "--store", store],
        program: "/usr/bin/python3", in: folder)
      #expect(
        result.text.contains(
          "forget 3 sessions of 1 day, 20 touches? This cannot be undone. [y/N]"),
        "\(result)")
      #expect(result.text.contains(left.isEmpty ? "forgot 3 sessions" : "nothing was forgotten"))
      #expect(try sessions == left)
    }
  }

  @Test func `Data that is forgotten but not yet erased is reported`() throws {
    let daemon = try StubDaemon(
      in: folder,
      [
        "ListDays": .reply(API.ListDays.Reply(days: [])),
        "Forget": .reply(
          API.Forget.Reply(sessions: 2, touches: 3, days: 1, notErased: "no room at all.")),
      ])
    let result = try run("--all", "--yes", "--socket", daemon.path)
    #expect(result.status == 1 && result.text == "forgot 2 sessions of 1 day, 3 touches\n")
    #expect(result.error.contains("no room at all.") && result.error.contains("store compact"))
  }

  @Test func `A user without the role owner is told that only root may forget`() throws {
    let daemon = try StubDaemon(
      in: folder,
      [
        "ListDays": .reply(API.ListDays.Reply(days: [])),
        "Forget": .fault(API.NotPermitted(.owner, group: nil)),
      ])
    let result = try run("--all", "--yes", "--socket", daemon.path)
    #expect(result.status == 1 && result.error.contains("only root"), "\(result.error)")
    #expect(!result.error.contains("configuration"))
    // If the user may not even list the days, the error must not suggest a role that would not
    // suffice either.
    let other = try TemporaryFolder()
    let stranger = try StubDaemon(
      in: other, ["ListDays": .fault(API.NotPermitted(.read, group: "none-such"))])
    let refused = try run("--all", "--yes", "--socket", stranger.path)
    #expect(refused.error.contains("only root") && !refused.error.contains("none-such"))
  }
}
