import Glibc
import Storage
import TestSupport
import Testing
import Text
import TouchModel
import TouchgridAPI

@testable import TouchgridCommands

/// Foreign text cannot control the terminal or imitate a line of the program.
@Suite struct ForeignTextTests {
  /// A name that sets a colour, clears the screen, changes the writing direction, and begins new
  /// lines.
  private static let name = "a\u{1b}[31m\u{9b}2J\u{7f}\u{85}\u{2028}\u{202e}\u{200b}\r\nFORGED: b"

  private let folder: TemporaryFolder
  /// A folder called `name`. It contains a store, a damaged store, a text file and a configuration;
  /// all their names end with `name`.
  private let inner: String
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try SampleStore.usual(in: folder)
    inner = folder.path(Self.name)
    try #require(unsafe mkdir(inner, 0o700) == 0)
    let bytes = try TemporaryFolder.contents(store)
    try folder.write(bytes, to: "\(Self.name)/sound\(Self.name)")
    var damaged = bytes
    for index in 8192..<damaged.count { damaged[index] = 0x5a }
    try folder.write(damaged, to: "\(Self.name)/damaged\(Self.name)")
    _ = try folder.write(
      "N: \u{1b}[31m\u{9b}\n\u{1b}]0;x\u{7}\n", to: "\(Self.name)/text\(Self.name)")
    _ = try folder.write(
      "[store]\npath = \"/a\\u001bb\"\n\"k\\u001b\" = \"\u{202e}\"\n",
      to: "\(Self.name)/toml\(Self.name)")
  }

  /// Runs a program and expects that it prints no control characters and no line of its own that
  /// begins with `FORGED`.
  /// - Parameter words: The arguments. `N` stands for `name`, `S` for the path of a sound store,
  ///   `D` for a damaged store, `X` for a text file, `C` for a configuration, and `M` for a missing
  ///   file.
  private func expectHarmless(
    _ words: String, program: String = "", environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let values = [
      "N": Self.name, "S": "\(inner)/sound\(Self.name)", "D": "\(inner)/damaged\(Self.name)",
      "X": "\(inner)/text\(Self.name)", "C": "\(inner)/toml\(Self.name)",
      "M": "\(inner)/missing\(Self.name)",
    ]
    let arguments = words.split(separator: " ").map { word in
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return values[String(word)] ?? String(word) }
      return "\(parts[0])=\(values[String(parts[1])] ?? String(parts[1]))"
    }
    let result = try Program.run(
      arguments, program: Program.path + program,
      environment: environment.mapValues { values[$0] ?? $0 }, in: folder)
    #expect(result.status >= 0, "\(words): \(result)", sourceLocation: sourceLocation)
    for text in [result.text, result.error] {
      let steering = text.unicodeScalars.filter { !$0.isShown && $0 != "\n" }
      #expect(
        steering.isEmpty, "\(words): \(text.debugDescription)", sourceLocation: sourceLocation)
      let isForged = text.split(separator: "\n").contains { $0.hasPrefix("FORGED") }
      #expect(!isForged, "\(words): \(text)", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [
    "store check --store S", "store check --store S --json", "store check --store D",
    "store check --store D --json", "store check --store X", "store check --store M",
    "store backup M --store S", "store backup S --store S", "store backup M --store D",
    "store backup N --store M", "store compact --store S", "store compact --store D",
    "store compact --store M", "store recover S", "store recover D", "store recover X",
    "store recover M", "store recover D --into S", "store recover S --json",
    "forget --all --yes --store S", "forget --all --yes --store D", "forget --all --yes --store M",
    "forget --session 99 --yes --store S", "sessions --store S", "sessions --store D",
    "sessions --store X", "sessions --store M", "sessions --tag N --store S", "screens --store D",
    "screens --store M", "heatmap --store D", "heatmap N --store S", "heatmap --store S -o M",
    "heatmap --store S --display N", "heatmap --store S --geometry N", "heatmap --layer N",
    "heatmap --store S -o M --format csv",
    "heatmap menu --store S -o M --format png --background X",
    "compare N N --store S", "compare build=N build=1 --store S", "report --store D -o M",
    "report --store S -o M", "report --store S -o M --screens M", "report --store S -o M --title N",
    "export --store S -o X", "export --store S -o M", "export --store D -o M",
    "picture add N M --store S", "picture add N X --folder M", "picture add menu X --folder M",
    "picture list --folder M", "picture list --store D", "picture show N", "picture remove N",
    "picture show menu --folder M",
  ])
  func `Verbs that read a store print no control characters`(words: String) throws {
    try expectHarmless(words)
  }

  @Test(arguments: [
    // All verbs without foreign text of their own find no daemon in the same way.
    "status", "doctor", "panel --device N", "metrics -o M",
    "set-screen N",
    "get-screen --display N",
    "begin-session N", "begin-session a=N", "tag-session a=N",
    "pause",
    "mask add N 1,1,1,1", "mask add menu N", "mask remove N 1,1,1,1",
    "set-display N --rotation 90", "set-display N --scale N", "watch", "watch --display N",
    "wait --touch",
    "wait --screen N",
    "wait --idle N", "wait --touch -- N",
    "track -o M", "screen N", "session begin N", "overlay on --output N",
    "overlay on --monitor N", "overlay on --socket N", "overlay on --display N", "overlay N",
    "overlay status", "status --json",
  ])
  func `Verbs that call the daemon print no control characters`(words: String) throws {
    let socket = words.contains("--socket") || words.hasPrefix("overlay") ? "" : " --socket M"
    try expectHarmless(words + socket)
  }

  @Test func `Names in the environment are printed without control characters`() throws {
    for words in ["status", "doctor", "watch", "wait --touch", "overlay status", "overlay on"] {
      try expectHarmless(words, environment: ["TOUCHGRID_SOCKET": "N", "XDG_RUNTIME_DIR": "M"])
    }
  }

  @Test(arguments: [
    "replay X", "replay M", "replay M --json", "replay X --touches", "play M", "play X",
    "play M --pace N", "play M --node-file N", "subtitles X --size 10x10 -o M",
    "subtitles M --size 10x10 -o M", "subtitles X --size N -o M", "subtitles M --size 1x1 -o M N",
    "N", "--N", "--N=N", "--store=N", "heatmap --N", "heatmap --store", "help N", "status N",
    "heatmap --since N", "heatmap --session N", "watch --json N", "store N", "forget N",
  ])
  func `Arguments and recordings are printed without control characters`(words: String) throws {
    try expectHarmless(words)
  }

  @Test func `The other programs print no control characters`() throws {
    for words in [
      "N", "--N", "--config M", "--config C", "--config C --check", "--config X", "--pace N",
      "--store D --replay M", "--store D --replay X", "--replay X --pace fast", "--store=N --N",
      "--config N --check",
    ] { try expectHarmless(words, program: "d") }
    for words in [
      "N", "--N", "--diameter N", "--monitor N", "--colour-by N", "--backend N", "--socket N",
      "--socket=N N",
    ] {
      try expectHarmless(
        words, program: "-overlay", environment: ["XDG_RUNTIME_DIR": "M", "WAYLAND_DISPLAY": "N"])
      try expectHarmless(
        words, program: "-overlay", environment: ["DISPLAY": "N", "TOUCHGRID_SOCKET": "N"])
    }
    for words in [
      "N", "--N", "--config M", "--config C", "--config X --check", "--check --config M",
      "--socket N --check --config C", "--native-messaging --config M", "--dry-run --config X",
    ] { try expectHarmless(words, program: "-follow") }
  }

  @Test func `Replies of a daemon are printed without control characters`() throws {
    let name = Self.name
    var display = try SampleReplies.display(name, screen: name)
    display.devices = [name]
    let displays = [display]
    var status = SampleReplies.status(storeError: name)
    status.version = name
    status.store.path = name
    status.store.movedAside = name
    let told = status
    let daemon = try StubDaemon(
      in: folder,
      [
        "GetStatus": .reply(told),
        "GetDisplays": .reply(API.GetDisplays.Reply(displays: displays)),
        "GetDevices": .reply(API.GetDevices.Reply(devices: [], refused: [])),
        "SetScreen": .fault(API.NotPermitted(.app, group: name)),
      ])
    for words in [
      "status", "status --json", "displays", "displays --json", "doctor", "doctor --json",
      "set-screen menu", "store check", "sessions", "mask",
    ] { try expectHarmless("\(words) --socket \(daemon.path)") }
  }

  @Test func `Only escape sequences for colours are kept`() {
    let colours = "\u{1b}[38;2;1;20;255m@\u{1b}[0m é\u{1b}[m"
    #expect(printableWithColours(colours) == colours)
    #expect(printableWithColours("a\u{1b}[2J\u{1b}[31m\n") == "a\\u{1b}[2J\u{1b}[31m\\u{a}")
    #expect(printableWithColours("\u{1b}]0;m") == "\\u{1b}]0;m")
    #expect(printableWithColours("\u{1b}[?25m\u{1b}[3") == "\\u{1b}[?25m\\u{1b}[3")
    #expect(printableWithColours("\u{1b}") == "\\u{1b}" && printableWithColours("") == "")
  }
}
