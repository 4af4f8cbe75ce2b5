import ArgumentParser
import Testing
import TouchModel

@testable import touchgrid

/// `touchgrid overlay`, but for what takes a systemd of the user's: that is in GuestTests.
@Suite struct OverlayCommandTests {
  @Test(arguments: ["on", "off", "toggle", "status"])
  func withoutASystemdOfTheUserItSaysWhatToRunInstead(verb: String) throws {
    let folder = try TemporaryFolder()
    let bare = try Program.run(["overlay", verb], in: folder)
    #expect(bare.status == 1 && bare.text == "")
    #expect(bare.error.contains("XDG_RUNTIME_DIR is not set"))
    #expect(bare.error.contains("touchgrid-overlay itself"))
    let other = try Program.run(
      ["overlay", verb], environment: ["XDG_RUNTIME_DIR": folder.path("run")], in: folder)
    #expect(other.status == 1)
    #expect(other.error.contains("/run/systemd/private: No such file or directory"))
  }

  @Test(arguments: [
    ["--size", "3"], ["--size", "401"], ["--size", "nan"], ["--size", "big"],
    ["--colour-by", "hand"], ["--output", "DSI-1"], ["--output", "=DSI-1"], ["--output", "DSI-1="],
    ["--output", "a=b", "--output", "a=c"], ["--backend", "mir"], ["--glow"], ["menu"],
  ])
  func wrongOptionsAreWrongUsage(words: [String]) throws {
    for verb in ["on", "toggle"] {
      let result = try Program.run(["overlay", verb] + words, in: TemporaryFolder())
      #expect(result.status == 64, "\(words)")
      #expect(result.error.hasPrefix("Error: "))
    }
  }

  @Test func theOptionsAreThoseOfTheOverlay() throws {
    let folder = try TemporaryFolder()
    let own = try Program.run(["overlay", "on", "--help"], in: folder)
    let overlay = try Program.path + "-overlay"
    let other = try Program.run(["--help"], program: overlay, in: folder)
    #expect(names(own.text).count > 8)
    #expect(names(own.text) == names(other.text))
  }

  /// The options that a help text lists.
  private func names(_ help: String) -> Set<Substring> {
    Set(
      help.split(separator: "\n").compactMap { line in
        let option = line.drop { $0 == " " }
        guard line.count - option.count == 2, option.hasPrefix("-") else { return nil }
        return option.prefix { $0 != " " && $0 != "," }
      })
  }

  @Test func theOptionsReachTheOverlayAsTheyWereGiven() throws {
    let options = try OverlayOptions.parse([
      "--socket", "/run/a b", "--size", "60", "--ring", "--colour-by", "finger", "--trail",
      "--count", "--output", "a=b=DSI-1", "--output", "Panel 2=HDMI-A-1", "--backend", "x11",
    ])
    #expect(
      try options.words() == [
        "--socket", "/run/a b", "--size", "60", "--ring", "--colour-by", "finger", "--trail",
        "--count", "--output", "a=b=DSI-1", "--output", "Panel 2=HDMI-A-1", "--backend", "x11",
      ])
    #expect(try OverlayOptions.parse([]).words() == [])
    #expect(try OverlayOptions.parse(["--size", "44.5"]).words() == ["--size", "44.5"])
    let words = try OverlayOptions.parse(["--socket", "here.socket"]).words()
    #expect(words.count == 2 && words[1].hasPrefix("/") && words[1].hasSuffix("/here.socket"))
  }

  @Test func whatSystemdReadsIsQuoted() throws {
    let caller = ["DISPLAY": ":0", "XAUTHORITY": "/home/a \"b\"/$HOME/`c\\d"]
    let environment = try OverlayService.environment(["--output", #"a "$b" \ é=DSI-1"#]) {
      caller[$0]
    }
    #expect(
      environment.text == #"""
        WAYLAND_DISPLAY=""
        DISPLAY=":0"
        XAUTHORITY="/home/a \"b\"/\$HOME/\`c\\d"
        TOUCHGRID_OVERLAY_OPTIONS="\"--output\" \"a \\\"\$b\\\" \\\\ é=DSI-1\""

        """#)
    let none = try OverlayService.environment([]) { _ in nil }
    #expect(none.text == "TOUCHGRID_OVERLAY_OPTIONS=\"\"\n")
    #expect(throws: Failure.self) { try OverlayService.environment(["a\nDISPLAY=:1"]) { _ in nil } }
    #expect(throws: Failure.self) { try OverlayService.environment([]) { _ in ":0\u{7F}" } }
  }

  private func state(_ text: String) -> OverlayState {
    var values: [Substring: String] = [:]
    for line in text.split(separator: " ") {
      let parts = line.split(separator: "=", maxSplits: 1)
      values[parts[0]] = String((parts.last ?? "").map { $0 == "_" ? " " : $0 })
    }
    return OverlayState(values)
  }

  @Test func theStateIsToldInWords() throws {
    let missing = state("LoadState=not-found ActiveState=inactive MainPID=0")
    #expect(!missing.isInstalled && missing.activity == .off && missing.failure == nil)
    #expect(Overlay.Status.lines(missing, width: 80)[0].contains("not installed"))

    let on = state(
      "LoadState=loaded ActiveState=active ActiveEnterTimestampMonotonic=1 StatusText=showing_it")
    #expect(on.activity == .on && on.text == "showing it" && on.since != nil)
    let lines = Overlay.Status.lines(on, width: 80)
    #expect(lines.first == "The overlay is on" && lines[2].hasSuffix("showing it"))

    let refused = state(
      "LoadState=loaded ActiveState=failed StatusText=cannot_draw ExecMainStatus=69")
    #expect(refused.activity == .off && refused.since == nil)
    #expect(Overlay.Status.lines(refused, width: 80) == ["The overlay is off: cannot draw"])
    let silent = state(
      "LoadState=loaded ActiveState=failed ExecMainCode=1 ExecMainStatus=127 Result=exit-code")
    #expect(try #require(silent.failure).hasPrefix("it ended with status 127; "))
    let killed = state("LoadState=loaded ActiveState=failed ExecMainCode=2 Result=signal")
    #expect(try #require(killed.failure).hasPrefix("it ended (signal); "))
    #expect(state("LoadState=loaded ActiveState=activating").activity == .starting)
  }
}
