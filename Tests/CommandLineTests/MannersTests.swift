import ArgumentParser
import Glibc
import ProgramArguments
import Storage
import TestSupport
import Testing
import Text
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

/// How the command line answers mistakes and empty stores.
@Suite final class MannersTests: FolderSuite {
  func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Program.Result {
    try Program.run(arguments, environment: environment, in: folder)
  }

  // MARK: Rejected values

  @Test(arguments: [
    (["sessions", "--since", "tomorrow"], ["2026-11-21", "2026-11 (a month)", "yesterday", "2w"]),
    (["report", "-o", "x.html", "--until", "1y"], ["2026-11-21", "yesterday"]),
    (["export", "-o", "x", "--since", "soon"], ["2026-11-21", "yesterday"]),
    (["export", "-o", "x", "--since", "12h"], ["whole days", "2026-11-21", "yesterday"]),
    (["compare", "a", "7d.."], ["14d..7d", "2026-10", "build=1.4"]),
    (["heatmap", "--tag", "build"], ["KEY=VALUE", "build=1.4"]),
    (["heatmap", "--weekdays", "weekend"], ["days of the week", "mon-fri", "sat,sun"]),
    (["compare", "1d", "2d", "--hours", "8-8"], ["8-12 (from 8:00 up to before 12:00)", "22-4"]),
    (["report", "-o", "x.html", "--hours", "0-24"], ["two full hours", "not the whole day"]),
    (["heatmap", "--session", "x"], ["the number of a session", "'touchgrid sessions'"]),
    (["heatmap", "--smooth", "much", "-o", "x.png"], ["a number"]),
    (["heatmap", "--layer", "tap"], ["'taps', 'trail' or 'dwell'"]),
    (["begin-session", "build"], ["KEY=VALUE"]),
    (["mask", "add", "pin", "--rectangle", "1,2"], ["X,Y,WIDTH,HEIGHT"]),
    (["set-display", "A", "--size", "big"], ["WIDTHxHEIGHT", "1920x1080"]),
    (["set-display", "A", "--rotation", "left"], ["an integer"]),
    (["pause", "--for", "5"], ["500ms, 30s, 5m, 2h"]),
    (["set-screen", "menu", "--changed-ago", "5"], ["500ms, 30s, 5m, 2h"]),
    (["play", "x", "--pace", "slow"], ["recorded, fast, or a number of frames"]),
    (["sessions", "--limit", "few"], ["an integer"]),
    (["sessions", "--limit", "0"], ["a number above 0"]),
  ])
  func `The error about a rejected value names the accepted forms`(
    words: [String], forms: [String]
  ) {
    let result = Program.parse(words)
    #expect(result.status == 64)
    for form in forms { #expect(result.error.contains(form), "\(result.error)") }
  }

  // MARK: Verbs

  @Test(arguments: [
    (["stauts"], "Unknown command 'stauts'. Did you mean 'status'?"),
    (["heatmpa", "menu", "--live"], "Unknown command 'heatmpa'. Did you mean 'heatmap'?"),
    (["dev"], "Unknown command 'dev'. Did you mean 'devices'?"),
    (["begni-session"], "Unknown command 'begni-session'. Did you mean 'begin-session'?"),
    (["recod"], "Unknown command 'recod'"),
    (["displya"], "Unknown command 'displya'. Did you mean 'displays'?"),
    (["mask", "lsit"], "Unknown command 'lsit' of 'touchgrid mask'. Did you mean 'list'?"),
    (["help", "stauts"], "Unknown command 'stauts'. Did you mean 'status'?"),
    (["help", "overlay", "finish"], "Unknown command 'finish' of 'touchgrid overlay'"),
    (["help", "status", "now"], "Unknown command 'now' of 'touchgrid status'"),
    (["help", "zzz"], "Unknown command 'zzz'"), (["zzz\u{1b}"], "Unknown command 'zzz\\u{1b}'"),
    ([""], "Unknown command ''"),
  ])
  func `A mistyped verb gets a suggestion`(words: [String], message: String) {
    let result = Program.parse(words)
    #expect(result.status == 64)
    #expect(result.error.hasPrefix("Error: \(message)\n"), "\(result.error)")
    #expect(result.error.contains("See 'touchgrid --help'"))
  }

  @Test func `The help of an existing verb is shown`() throws {
    for words in [["help"], ["help", "status"], ["help", "begin-session"], ["--help"], []] {
      let result = try Program.run(words, in: folder)
      #expect(result.status == 0 && result.error == "", "\(words)")
      #expect(result.text.contains("USAGE: touchgrid"))
    }
    #expect(try run("--version").text == touchgridVersion + "\n")
    #expect(try run("mask", "nothing-like-it").error.contains("Unexpected argument"))
  }

  @Test func `All help and usage texts fit 80 columns`() throws {
    let verbs = Self.verbs(of: Touchgrid.self)
    #expect(verbs.count > 30)
    for verb in verbs {
      let help = wrappingUsage(Touchgrid.helpMessage(for: verb, columns: 80))
      for line in help.split(separator: "\n") {
        #expect(textWidth(String(line)) <= 80, "\(verb): \(line)")
      }
    }
    for words in [["overlay", "on"], ["heatmap"], ["mask", "add"], ["setup"]] {
      let wrong = try Program.run(words + ["--no-such-option"], in: folder)
      #expect(wrong.status == 64 && wrong.error.contains("Usage: touchgrid"))
      #expect(wrong.error.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(wrong.error)")
    }
    for program in ["-overlay", "-follow"] {
      let help = try Program.run(["--help"], program: Program.path + program, in: folder)
      #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(program)")
    }
  }

  private static func verbs(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap { verbs(of: $0) }
  }

  // MARK: Empty answers

  @Test(arguments: [
    ["sessions"], ["screens"], ["heatmap"], ["heatmap", "menu"], ["heatmap", "-o", "x.png"],
    ["compare", "7d..3d", "3d.."], ["compare", "build=1", "build=2"], ["export", "-o", "x"],
    ["report", "-o", "x.html"], ["forget", "--all", "--yes"],
  ])
  func `An empty store is not an error`(words: [String]) throws {
    let store = try SampleStore.make([], in: folder)
    let words = words.map { $0.hasPrefix("x") ? folder.path($0) : $0 }
    let result = try Program.run(words + ["--store", store], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect((result.text + result.error).contains("no session"), "\(result)")
    let isWritten = words.contains { $0.hasSuffix(".html") }
    #expect(try folder.names.contains { $0.hasPrefix("x") } == isWritten)
  }

  @Test func `An empty result is valid JSON and CSV`() throws {
    let store = try SampleStore.make([], in: folder)
    let json = try run("heatmap", "--json", "--store", store)
    #expect(json.status == 0 && json.error == "" && json.text.contains("\"grids\":[]"))
    let csv = try run("heatmap", "-o", "-", "--format", "csv", "--store", store)
    #expect(csv.status == 0 && csv.text.split(separator: "\n").count == 1)
    #expect(csv.text.hasPrefix("screen,layer,"))
  }

  @Test func `A picture of a span without sessions is an error`() throws {
    let store = try SampleStore.usual(in: folder)
    let path = folder.path("x.png")
    let words = ["heatmap", "--store", store, "--until", "2026-01-01"]
    let file = try Program.run(words + ["-o", path], in: folder)
    #expect(file.status == 1 && file.error.contains("nothing was written"))
    #expect(try !folder.names.contains("x.png"))
    let shown = try Program.run(words, in: folder)
    #expect(shown.status == 0 && shown.error.contains("without --since and --until"))
  }

  // MARK: Sessions

  @Test func `--limit shows the newest sessions and their totals`() throws {
    let store = try SampleStore.usual(in: folder)
    let two = try run("sessions", "--limit", "2", "--store", store)
    let lines = two.text.split(separator: "\n")
    // The totals take two lines of 80 columns.
    #expect(lines.count == 5 && lines[1].hasPrefix(" 2 ") && lines[2].hasPrefix(" 3 "), "\(lines)")
    #expect(lines[3].hasPrefix("2 sessions: "))
    let all = try run("sessions", "--store", store).text
    #expect(try run("sessions", "--limit", "9", "--store", store).text == all)
    let json = try run("sessions", "--limit", "1", "--json", "--store", store)
    #expect(json.text.contains(#""id":3"#) && !json.text.contains(#""id":2"#))
  }

  // MARK: Heatmaps of a session without touches

  @Test func `heatmap does not say that there are no sessions if there is one without touches`()
    throws
  {
    let store = try SampleStore.make([SampleStore.session(1, end: nil, [:])], in: folder)
    let list = try run("sessions", "--store", store)
    #expect(list.text.contains("1 session: "))
    let map = try run("heatmap", "--store", store)
    #expect(map.status == 0 && !map.error.contains("the store has no sessions"))
    #expect(map.error.hasPrefix("touchgrid: 1 session (all days), but no touches on a map yet"))
  }

  @Test func `The advice of heatmap --live depends on the session mode`() throws {
    func advice(_ mode: API.SessionMode, _ session: SessionRecord?) throws -> String {
      let folder = try TemporaryFolder()
      let status = SampleReplies.status(mode: mode, session: session)
      let daemon = try StubDaemon(
        in: folder,
        [
          "GetStatus": .reply(status),
          "GetGrids": .asked { _ in
            status.session == nil
              ? .fault(API.NoSession()) : .reply(API.GetGrids.Reply(grids: []))
          },
        ])
      let result = try Program.run(["heatmap", "--live", "--socket", daemon.path], in: folder)
      #expect(result.status == 0 && result.text == "")
      return result.error
    }
    #expect(
      try advice(.automatic, nil) == "touchgrid: no session is running; the next touch begins one\n"
    )
    #expect(try advice(.manual, nil).contains("'touchgrid begin-session' begins one"))
    let running = try advice(.automatic, SampleStore.session(7, end: nil, [:]))
    #expect(running.hasPrefix("touchgrid: session 7 is running, but has no touches on a map yet"))
  }

  // MARK: Files and masks

  @Test func `mask add says whether the mask was widened to the whole screen`() throws {
    for widened in [[], [API.Mask(screen: "pin", display: "HDMI-A-1")]] {
      let folder = try TemporaryFolder()
      let daemon = try StubDaemon(
        in: folder,
        [
          "AddMask": .reply(API.NoReply()),
          "GetMasks": .reply(SampleReplies.masks(widened: widened)),
        ])
      let result = try Program.run(
        ["mask", "add", "pin", "--rectangle", "1,2,3,4", "--socket", daemon.path], in: folder)
      #expect(result.status == 0 && result.text == "")
      #expect(result.error.contains("widened to the whole screen pin") == !widened.isEmpty)
    }
  }

  @Test func `mask add names the pictures that were taken of the screen before`() throws {
    let daemon = try StubDaemon(in: folder, ["AddMask": .reply(API.NoReply())])
    for path in ["pictures", "pictures/pay"] { unsafe mkdir(folder.path(path), 0o755) }
    func note(_ screen: String) throws -> String {
      let result = try Program.run(
        ["mask", "add", screen, "--socket", daemon.path],
        environment: ["TOUCHGRID_PICTURES": folder.path("pictures")], in: folder)
      #expect(result.status == 0 && result.text == "")
      return result.error
    }
    for name in ["menu.png", "menu@800x1280.jpg", "pay/card.png"] {
      try folder.write("x", to: "pictures/\(name)")
    }
    #expect(
      try note("menu").hasSuffix(
        "remove them with 'sudo touchgrid picture remove menu' and "
          + "'sudo touchgrid picture remove menu --size 800x1280'\n"))
    #expect(
      try note("pay/card").contains("remove it with 'sudo touchgrid picture remove pay/card'"))
    #expect(try note("pay") == "")
  }
}
