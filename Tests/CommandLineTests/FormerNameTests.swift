import ArgumentParser
import ProgramArguments
import TestSupport
import Testing
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

/// The names of verbs and options that are accepted for one more release.
@Suite struct FormerNameTests {
  private static let end = "; the next release removes the old name\n"

  private let folder: TemporaryFolder
  private let daemon: StubDaemon

  init() throws {
    folder = try TemporaryFolder()
    let display = try SampleReplies.display()
    daemon = try StubDaemon(
      in: folder,
      [
        "GetScreen": { _ in .reply(API.GetScreen.Reply(screen: "checkout/pay")) },
        "SetScreen": { call throws(VarlinkError) in
          let name = try call.parameters(API.SetScreen.self).name
          return ["menu", "record", "screen"].contains(name)
            ? .reply(API.NoReply()) : .error(.invalidParameter("name"))
        },
        "SetDisplay": { _ in .reply(API.SetDisplay.Reply(display: display)) },
        "BeginSession": { call throws(VarlinkError) in
          let tags = try call.parameters(API.BeginSession.self).tags
          return .reply(API.SessionReply(session: tags == ["build": "1.4"] ? 7 : 6))
        },
        "EndSession": { _ in .error(API.NoSession().varlinkError) },
        "TagSession": { _ in .reply(API.SessionReply(session: 7)) },
      ])
  }

  /// Runs a command with the former and with today's names. Expects the same status and output, and
  /// the warnings with the former names.
  private func compare(
    _ former: [String], _ now: [String], warnings: [String], program: String = "touchgrid",
    environment: [String: String] = [:], status: Int32
  ) throws {
    let path = try Program.path.replacing(#/touchgrid$/#, with: program)
    let old = try Program.run(former, program: path, environment: environment, in: folder)
    let new = try Program.run(now, program: path, environment: environment, in: folder)
    #expect(old.status == status && new.status == status, "\(old) \(new)")
    #expect(old.output == new.output)
    let lines = warnings.map { "\(program): \($0)\(Self.end)" }.joined()
    #expect(old.error == lines + new.error)
  }

  @Test(
    arguments: [
      ("screen menu", "set-screen menu", "screen", 0), ("screen", "get-screen", "screen", 0),
      ("screen --json --display A", "get-screen --json --display A", "screen", 0),
      ("screen record", "set-screen record", "screen", 0),
      ("screen screen", "set-screen screen", "screen", 0),
      ("screen menu --changed-ago 100ms", "set-screen menu --changed-ago 100ms", "screen", 0),
      ("screen other", "set-screen other", "screen", 1),
      ("screen --changed-ago 1s", "set-screen --changed-ago 1s", "screen", 64),
      ("screen menu --glow", "set-screen menu --glow", "screen", 64),
      ("display A --rotation 90", "set-display A --rotation 90", "display", 0),
      ("display A", "set-display A", "display", 64),
      ("session begin build=1.4", "begin-session build=1.4", "session begin", 0),
      ("session begin --json", "begin-session --json", "session begin", 0),
      ("session end", "end-session", "session end", 1),
      ("session tag a=b", "tag-session a=b", "session tag", 0),
      ("session tag", "tag-session", "session tag", 64),
      ("record --help", "track --help", "record", 0),
      ("help screen", "help set-screen", "screen", 0),
      ("help session begin", "help begin-session", "session begin", 0),
    ] as [(String, String, String, Int32)])
  func `A former verb does the same and warns`(
    former: String, now: String, verb: String, status: Int32
  ) throws {
    let words = now.split(separator: " ").map(String.init)
    let name = words[0] == "help" ? words[1] : words[0]
    try compare(
      former.split(separator: " ").map(String.init), words,
      warnings: ["'touchgrid \(verb)' is now 'touchgrid \(name)'"],
      environment: ["TOUCHGRID_SOCKET": daemon.path], status: status)
  }

  @Test(arguments: [["--map", "viridis"], ["--map=viridis"]])
  func `A former option of heatmap does the same and warns`(words: [String]) throws {
    let store = try SampleStore.usual(in: folder)
    let heatmap = ["heatmap", "menu", "--store", store, "-o", "-", "--format", "svg"]
    let now = words.map { $0.replacing("--map", with: "--colour-map") }
    try compare(
      heatmap + words, heatmap + now,
      warnings: ["'touchgrid heatmap --map' is now '--colour-map'"], status: 0)
    #expect(
      try Program.run(heatmap, in: folder).output
        != Program.run(heatmap + words, in: folder).output)
  }

  @Test(
    arguments: [
      ("--size 60 --output a=b --help", 0), ("--size -5", 64), ("--output=DSI-1", 64),
      ("--output a=b --output a=c", 64),
    ] as [(String, Int32)])
  func `A former option of the overlay does the same and warns`(
    words: String, status: Int32
  ) throws {
    let former = words.split(separator: " ").map(String.init)
    let now = former.map {
      $0.replacing("--size", with: "--diameter").replacing("--output", with: "--monitor")
    }
    for (program, verb) in [
      ("touchgrid", ["overlay", "on"]), ("touchgrid", ["overlay", "toggle"]),
      ("touchgrid-overlay", []),
    ] {
      let command = ([program] + verb).joined(separator: " ")
      let warnings = [("--size", "--diameter"), ("--output", "--monitor")]
        .filter { words.contains($0.0) }
        .map { "'\(command) \($0.0)' is now '\($0.1)'" }
      try compare(verb + former, verb + now, warnings: warnings, program: program, status: status)
    }
  }

  @Test func `Options that an earlier version passed to the overlay are understood`() throws {
    let (words, _) = FormerNames.replacing(
      in: ["--size", "60", "--ring", "--output", "a=b=DSI-1"], of: "touchgrid-overlay")
    let options = try OverlayCommandLine.parse(words)
    #expect(options.bubbles.diameter == 60 && options.bubbles.appearance.ring)
    #expect(try options.place.outputs() == ["a=b": "DSI-1"])
  }

  @Test(arguments: [
    ["set-screen", "record"], ["set-screen", "screen"], ["set-screen", "--", "--map"],
    ["mask", "add", "display"], ["session begin"], ["sessions", "--tag", "screen=record"],
    ["heatmap", "screen"], ["heatmap", "menu", "--", "--map"], ["heatmap", "--output", "x.png"],
    ["watch", "--map"], ["track", "-o", "record"], ["subtitles", "record", "--size", "10x10"],
    ["set-display", "display", "--size", "10x10"], ["store", "record"], ["help", "heatmap"], [],
  ])
  func `Values and other names are not replaced`(words: [String]) {
    let result = FormerNames.replacing(in: words, of: "touchgrid") { _ in true }
    #expect(result.arguments == words && result.warnings == [])
  }

  @Test func `Help does not show former names`() throws {
    let verbs = Touchgrid.configuration.subcommands.map { $0._commandName }
    #expect(verbs.contains("set-screen"))
    #expect(Set(verbs).isDisjoint(with: ["screen", "session", "display", "record"]))
    for (words, former) in [
      ("heatmap", ["--map"]), ("subtitles", ["--bubble-size"]),
      ("overlay on", ["--size", "--output"]), ("overlay toggle", ["--size", "--output"]),
    ] {
      let help = try Program.run(
        words.split(separator: " ").map(String.init) + ["--help"], in: folder)
      #expect(help.status == 0)
      let shown = help.text.split { $0.isWhitespace || "[]<>.,;=".contains($0) }
      #expect(Set(shown).isDisjoint(with: former.map { $0[...] }), "\(words)")
    }
  }
}
