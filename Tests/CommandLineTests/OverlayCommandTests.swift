import ArgumentParser
import TestSupport
import Testing
import TouchModel

@testable import TouchgridCommands

/// `touchgrid overlay` without a user's systemd. GuestTests covers the rest.
@Suite struct OverlayCommandTests {
  @Test(arguments: ["on", "off", "toggle", "status"])
  func `Without a systemd user manager, the error says what to do instead`(verb: String) throws {
    let folder = try TemporaryFolder()
    let bare = try Program.run(["overlay", verb], in: folder)
    let other = try Program.run(
      ["overlay", verb], environment: ["XDG_RUNTIME_DIR": folder.path("run")], in: folder)
    let advice =
      verb == "on" || verb == "toggle"
      ? "run touchgrid-overlay in a terminal on the desktop" : "that was started by hand; end it"
    for result in [bare, other] {
      #expect(result.status == 1 && result.text == "")
      #expect(result.error.hasPrefix("touchgrid: there is no systemd user manager for this user"))
      #expect(result.error.contains(advice))
    }
    #expect(bare.error.contains("(XDG_RUNTIME_DIR is not set)"))
    #expect(!other.error.contains("/"))
  }

  @Test(arguments: [
    (["--diameter", "-5"], "--diameter takes 8 to 400 points."),
    (["--monitor", "DSI-1"], "--monitor takes DISPLAY=OUTPUT, not \"DSI-1\"."),
    (["--monitor", "a=b", "--monitor", "a=c"], "--monitor names display \"a\" twice."),
  ])
  func `overlay on and touchgrid-overlay report the same errors`(words: [String], message: String)
    throws
  {
    let own = try Program.run(["overlay", "on"] + words, in: TemporaryFolder())
    let other = try Program.run(
      words, program: Program.path + "-overlay", in: TemporaryFolder())
    for result in [own, other] {
      #expect(result.status == 64)
      #expect(result.error.hasPrefix("Error: \(message)\n"))
    }
  }

  @Test func `The options are passed on to touchgrid-overlay`() throws {
    let options = try OverlayCommandLine.parse([
      "--socket", "/run/a b", "--diameter", "60", "--ring", "--colour-by", "finger", "--trail",
      "--count", "--monitor", "a=b=DSI-1", "--monitor", "Panel 2=HDMI-A-1", "--backend", "x11",
    ])
    #expect(
      try options.arguments() == [
        "--socket", "/run/a b", "--diameter", "60", "--ring", "--colour-by", "finger", "--trail",
        "--count", "--monitor", "a=b=DSI-1", "--monitor", "Panel 2=HDMI-A-1", "--backend", "x11",
      ])
    #expect(try OverlayCommandLine.parse([]).arguments() == [])
    #expect(
      try OverlayCommandLine.parse(["--diameter", "44.5"]).arguments() == ["--diameter", "44.5"])
    let words = try OverlayCommandLine.parse(["--socket", "here.socket"]).arguments()
    #expect(words.count == 2 && words[1].hasPrefix("/") && words[1].hasSuffix("/here.socket"))
  }

  @Test func `The options of the guard are passed on to touchgrid-overlay`() throws {
    let verb = try GuardVerb.parse([
      "--idle", "2m", "--dim=-a 'b'", "--wake", "c; d", "--corners", "--backend", "x11", "--socket",
      "/run/x",
    ])
    #expect(
      try verb.arguments() == [
        "--guard", "--socket", "/run/x", "--idle=120000", "--dim=-a 'b'", "--wake=c; d",
        "--corners=/run/touchgrid-clean", "--backend", "x11",
      ])
    #expect(try GuardVerb.parse([]).arguments() == ["--guard"])
  }

  @Test func `Values are quoted for systemd`() throws {
    let caller = ["DISPLAY": ":0", "XAUTHORITY": "/home/a \"b\"/$HOME/`c\\d"]
    let environment = try OverlayService.environment(["--monitor", #"a "$b" \ é=DSI-1"#]) {
      caller[$0]
    }
    #expect(
      environment.text == #"""
        WAYLAND_DISPLAY=""
        DISPLAY=":0"
        XAUTHORITY="/home/a \"b\"/\$HOME/\`c\\d"
        TOUCHGRID_OVERLAY_OPTIONS="\"--monitor\" \"a \\\"\$b\\\" \\\\ é=DSI-1\""

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

  @Test func `The state of the overlay is printed in words`() throws {
    let missing = state("LoadState=not-found ActiveState=inactive MainPID=0")
    #expect(!missing.isInstalled && missing.activity == .off && missing.failure == nil)
    #expect(Overlay.Status.lines(missing, width: 80)[0].contains("not installed"))

    let on = state(
      "LoadState=loaded ActiveState=active ActiveEnterTimestampMonotonic=1 StatusText=showing_it")
    #expect(on.activity == .on && on.text == "showing it" && on.since != nil)
    let lines = Overlay.Status.lines(on, width: 80)
    #expect(lines.first == "The overlay is on" && lines[2].hasSuffix("showing it"))

    #expect(state("LoadState=loaded ActiveState=activating").activity == .starting)
    #expect(state("LoadState=loaded ActiveState=deactivating").activity == .ending)
  }

  @Test(arguments: [
    (1, 69, "exit-code", "its own words"), (1, 77, "exit-code", "its own words"),
    (1, 1, "exit-code", "its desktop session has ended"),
    (1, 127, "exit-code", "it ended with status 127;"),
    (2, 9, "signal", "signal 9 (Killed) ended it;"),
    (3, 11, "core-dump", "signal 11 (Segmentation fault) ended it;"),
    (1, 0, "timeout", "it did not start or end in time;"),
    (0, 0, "resources", "it ended (resources);"),
  ])
  func `The status text is the reason only if the overlay ended by itself`(
    code: Int, status: Int, result: String, reason: String
  ) throws {
    let refused = state(
      "LoadState=loaded ActiveState=failed StatusText=its_own_words ExecMainCode=\(code) "
        + "ExecMainStatus=\(status) Result=\(result)")
    #expect(refused.activity == .off && refused.since == nil)
    let lines = Overlay.Status.lines(refused, width: 80)
    #expect(lines.count == 1 && lines[0].hasPrefix("The overlay is off: \(reason)"), "\(lines)")
    #expect(lines[0].hasSuffix("words") == reason.hasSuffix("words"))
  }
}
