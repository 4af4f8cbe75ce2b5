import ConfigurationFiles
import Glibc
import TestSupport
import Testing

@testable import TouchgridFollow

@Suite struct FollowConfigurationTests {
  static let installed = Project.path("config/touchgrid-follow.toml")

  private func installedText() throws -> String {
    try ConfigurationText.text(ConfigurationText.bytes(Self.installed), file: Self.installed)
  }

  private func problems(_ text: String) -> [String] {
    do throws(ConfigurationError) {
      _ = try FollowConfiguration(text: text, file: "t")
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test func `The installed file equals the defaults and has every key`() throws {
    var expected = FollowConfiguration()
    expected.socket = "/run/touchgrid/io.touchgrid"
    #expect(try FollowConfiguration(path: Self.installed) == expected)
    let text = try installedText()
    for section in FollowSection.allCases {
      #expect(text.contains(section.title))
      for key in section.keys where !section.isRepeated { #expect(text.contains("\n\(key) = ")) }
      for key in section.keys where section.isRepeated { #expect(text.contains("\n# \(key) ")) }
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 90 })
  }

  @Test func `The examples in the installed file are valid`() throws {
    let lines = try installedText().split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.hasPrefix("#[[") || $0.contains(" = ") && $0.hasPrefix("#") && !$0.hasPrefix("# ")
        ? $0.dropFirst() : $0
    }
    let text = lines.joined(separator: "\n").replacing("ignore = false", with: "")
    let read = try FollowConfiguration(text: text, file: "t")
    #expect(read.sources == [.init(.devTools(port: 9222), controls: true)])
    #expect(
      read.rules == [
        try ScreenRule(url: "/product/:id", .screen(name: "product", isMasked: false))
      ])
  }

  @Test func `Every kind of source is read`() throws {
    let read = try FollowConfiguration(
      text: """
        [daemon]
        socket = "/run/x"
        [names]
        query = ["view", "page"]
        fragment = true
        [[source]]
        kind = "wayland"
        output = "DP-1"
        display = "kiosk"
        [[source]]
        kind = "x11"
        display = "HDMI-A-1"
        controls = true
        [[source]]
        kind = "pipe"
        path = "-"
        [[source]]
        kind = "pipe"
        path = "/run/screen"
        [[source]]
        kind = "command"
        command = ["a", "b c"]
        [[source]]
        kind = "extension"
        controls = true
        [[rule]]
        app = "kodi*"
        ignore = true
        """, file: "t")
    #expect(read.socket == "/run/x")
    #expect(read.names.query == ["view", "page"])
    #expect(read.names.fragment)
    #expect(
      read.sources == [
        .init(.wayland(output: "DP-1"), display: "kiosk"),
        .init(.x11, display: "HDMI-A-1", controls: true), .init(.pipe(path: "-")),
        .init(.pipe(path: "/run/screen")), .init(.command(["a", "b c"])),
        .init(.extension, controls: true),
      ])
    #expect(read.rules == [try ScreenRule(app: "kodi*", .ignored)])
  }

  @Test(arguments: [
    ("[[source]]", "t:1: kind is missing: one of \"devtools\""),
    (
      "[[source]]\nkind = \"devtool\"",
      "t:2: kind must be \"devtools\", \"extension\", \"wayland\", \"x11\""
    ),
    ("[[source]]\nkind = \"devtools\"", "t:1: port is missing"),
    ("[[source]]\nkind = \"devtools\"\nport = 70000", "t:3: port must be a whole number of 1 to"),
    ("[[source]]\nkind = \"pipe\"", "t:1: path is missing"),
    ("[[source]]\nkind = \"pipe\"\npath = 3", "t:3: path must be a path in quotes"),
    ("[[source]]\nkind = \"pipe\"\npath = \"x\"", "t:3: path must be an absolute path"),
    ("[[source]]\nkind = \"command\"", "t:1: command must be a list of strings"),
    ("[[source]]\nkind = \"command\"\ncommand = []", "t:3: command must be a list of strings"),
    ("[[source]]\nkind = \"command\"\ncommand = [\"\"]", "t:3: command must be a list of strings"),
    (
      "[[source]]\nkind = \"pipe\"\npath = \"-\"\ncontrols = true",
      "t:4: a source of kind = \"pipe\" does not know where controls are"
    ),
    (
      "[[source]]\nkind = \"x11\"\nport = 1", "t:3: a source of kind = \"x11\" has no key port"
    ),
    (
      "[[source]]\nkind = \"extension\"\n[[source]]\nkind = \"extension\"\ndisplay = \"A\"",
      "t:4: only one source may have kind = \"extension\""
    ),
    (
      "[[source]]\nkind = \"x11\"\n[[source]]\nkind = \"x11\"",
      "t:4: the file has this source twice"
    ),
    ("[[rule]]\nscreen = \"a\"", "t:1: url is missing: a rule needs url, app or title"),
    ("[[rule]]\nurl = \"pay\"", "t:2: url must have a path"),
    ("[[rule]]\nurl = \"/:a\"", "t:1: screen is missing"),
    ("[[rule]]\nurl = \"/:a\"\nscreen = \":b\"", "t:3: screen has :b"),
    (
      "[[rule]]\nurl = \"/:a\"\nscreen = \":a\"\nmask = true",
      "t:3: screen must not contain a :parameter"
    ),
    (
      "[[rule]]\nurl = \"/a\"\nmask = true\nignore = true",
      "t:4: ignore = true cannot be combined with"
    ),
    ("[names]\nquery = \"a\"", "t:2: query must be a list of names of parameters"),
    ("[daemon]\nsocket = \"x\"", "t:2: socket must be an absolute path"),
    ("[rules]", "t:1: unknown table \"rules\"; did you mean [[rule]]?"),
  ])
  func `Invalid values are refused with their line`(text: String, message: String) {
    let found = problems(text)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(message) == true, "\(found)")
  }

  @Test func `The masked names are those of the rules that mask`() throws {
    let read = try FollowConfiguration(
      text: """
        [[rule]]
        url = "/pay"
        mask = true
        [[rule]]
        url = "/checkout/*"
        screen = "pay"
        mask = true
        [[rule]]
        url = "/menu"
        """, file: "t")
    #expect(read.maskedNames == ["pay"])
  }

  private func masking(_ count: Int) throws -> FollowConfiguration {
    let rules = (0..<count).map {
      "[[rule]]\nurl = \"/pay/\($0)\"\nmask = true\n[[rule]]\nurl = \"/again/\($0)\"\nscreen = \"pay/\($0)\"\nmask = true\n"
    }
    return try FollowConfiguration(text: rules.joined(), file: "t")
  }

  @Test func `More masked screens than the daemon accepts are reported`() throws {
    #expect(try masking(256).excess == nil)
    let excess = try masking(257).excess?.problems.map(\.description)
    #expect(excess?.count == 1)
    #expect(
      excess?.first?.hasPrefix("t:\(7 * 256 + 3): with this rule, more screens are masked than")
        == true)
    #expect(try masking(300).excess?.problems.count == 1)
  }
}
