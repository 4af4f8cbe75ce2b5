import TestSupport
import Testing

@testable import ConfigurationFiles
@testable import TouchgridDaemon

/// Text that is not valid TOML, and TOML that is refused before it reaches the parser.
struct ConfigurationSyntaxTests {
  private func problem(_ text: String) -> String? {
    refusal(try Configuration(text: text, file: "t.toml"))?.description
  }

  @Test(arguments: [
    ("[session]\nidle_timeout = 60s", "t.toml:2: a string needs quotes: write \"60s\""),
    ("[store]\nmax_size = 256 MiB  # much", "t.toml:2: a string needs quotes: write \"256 MiB\""),
    ("[store]\npath = /var/x", "t.toml:2: a string needs quotes: write \"/var/x\""),
    ("[session]\nmode = manual\n", "t.toml:2: a string needs quotes: write \"manual\""),
    (
      "[devices]\nghosts = yes",
      "t.toml:2: \"yes\" is not a TOML value; write true or false, or put text in quotes"
    ),
    (
      "[log]\nlevel = \"info",
      "t.toml:2: a string has no closing quote, or contains a control character"
    ),
    (
      "[log]\nlevel = 'info\n",
      "t.toml:2: a string has no closing quote, or contains a control character"
    ),
    ("[log", "t.toml:1: a \"]\" is missing after the table's name"),
    ("[grid]\nlayers = [\"taps\"", "t.toml:2: a \"]\" is missing"),
    ("grid = { layers = [\"taps\"]", "t.toml:1: a \"}\" is missing"),
    ("[log]\nlevel\n", "t.toml:2: not valid TOML: a line must be of the form key = value"),
    (
      "[log]\nlevel = \"info\"\nlevel = \"info\"",
      "t.toml:3: \"level\" is set twice; remove one"
    ),
    ("[log]\n[grid]\n[log]", "t.toml:3: \"log\" is set twice; remove one"),
    (
      "[[device]]\nmatch = \"a\"\n[device]",
      "t.toml:3: every device must be written [[device]], with double brackets"
    ),
    ("[log]\nlevel = \"\\q\"", "t.toml:2: not valid TOML: unknown escape sequence '\\q'"),
  ])
  func `Syntax errors are explained in plain words`(text: String, message: String) {
    #expect(problem(text) == message)
  }

  @Test func `An unknown syntax message is shown unchanged`() {
    let message = SyntaxMessage<Section>("something\u{1b} new")
    #expect(message.text == "not valid TOML: something\\u{1b} new")
  }

  @Test func `A NUL is refused at any place`() {
    #expect(
      problem("# x\n[log]\n\0level = 5")
        == "t.toml:3: the file contains a NUL byte; it must be text")
    #expect(problem("\n#\0") == "t.toml:2: the file contains a NUL byte; it must be text")
    for escape in ["\\u0000", "\\U00000000"] {
      #expect(
        problem("[store]\npath = \"/a\(escape)b\"")
          == "t.toml:2: a string must not contain a NUL character")
      #expect(
        problem("[log]\n\"level\(escape)\" = 1")
          == "t.toml:2: a string must not contain a NUL character")
      #expect(
        problem("[store]\npath = \"\"\"/a\(escape)\"\"\"")
          == "t.toml:2: a string must not contain a NUL character")
      // In a literal string, and after an escaped backslash, this text is not an escape.
      #expect(problem("[store]\npath = '/a\(escape)b'") == nil)
      #expect(problem("[store]\npath = \"/a\\\(escape)b\"") == nil)
    }
  }

  @Test func `Deeply nested keys and values are refused`() {
    let keys = String(repeating: "a.", count: 500_000) + "a"
    let refused =
      "t.toml:1: keys or values are nested too deeply (at most 16 levels)"
    #expect(problem("\(keys) = 1\n=") == refused)
    #expect(problem("[\(keys)]\n=") == refused)
    #expect(problem("a = " + String(repeating: "[", count: 1_000_000)) == refused)
    #expect(problem("a = " + String(repeating: "{a=", count: 300_000)) == refused)
    #expect(problem("a = " + String(repeating: "[{a.a=", count: 100_000)) == refused)
  }

  @Test(arguments: [
    "[=]", "[é]", "[ ]", "[[#]]", "[a.=]", "a = [}]", "a = [\u{2028}]", "a = [1, }]",
    "a = {b = [\u{85}]}",
    "a = 2001-01-01 1", "a = [1979-05-27 0,]", "a = 2001-01-01T:", "a = 10:", "a =", "a = #",
    "a = é",
    "a = 1979-05-27 0\n[b]", "a.é = 1", "= 1", "a = [[[1], }]", "a = [\u{85}true]",
    "a = [\u{2028}-1]",
  ])
  func `Text that would crash the parser is refused before parsing`(text: String) {
    #expect(!KeyScanner(text).refusals.isEmpty)
    #expect(problem(text)?.hasPrefix("t.toml:1: ") == true)
  }

  @Test func `All values without quotes are reported at once`() {
    #expect(
      problem(
        "[session]\nmode = manual\n[store]\nmax_size = 1 GiB\n[grid]\nlayers = [\ntaps, trail]")
          == """
          t.toml:2: a string needs quotes: write "manual"
          t.toml:4: a string needs quotes: write "1 GiB"
          t.toml:7: a string needs quotes: write "taps"
          t.toml:7: a string needs quotes: write "trail"
          """)
  }

  @Test(arguments: [
    "1", "-1", "+0.5", "1e5", "1E-5", "-1.5e+10", "0x1F", "0o17", "0b101", "1_000", "inf", "-nan",
    "true",
    " false ",
  ])
  func `Numbers and booleans are passed to the parser`(text: String) {
    #expect(BareValue(text).complaint == nil)
  }

  @Test func `A file may have exactly 1 MiB`() {
    let head = "[log]\nlevel = \"debug\"\n#"
    let fits = head + String(repeating: "x", count: (1 << 20) - head.utf8.count)
    #expect(problem(fits) == nil)
    #expect(problem(fits + "x") == "t.toml: the file is larger than 1 MiB")
  }

  @Test func `A megabyte of tables, keys, elements or quotes takes limited time`() {
    let texts = [
      String(repeating: "[[device]]\n", count: 95_000),
      (0..<90_000).map { "a\($0)=1\n" }.joined(),
      "[grid]\nlayers = [" + String(repeating: "1,", count: 500_000) + "]",
      "[log]\nlevel = \"\"\"" + String(repeating: "\"\" ", count: 340_000) + "\"\"\"",
      (0..<60_000).map { "[[display]]\nname='\($0)'\n" }.joined().prefix(1 << 20).description,
    ]
    for text in texts {
      let time = processorTime { _ = problem(text) }
      #expect(time < 60_000_000_000 * slowness)
    }
  }

  @Test func `Bytes that are not UTF-8 are refused with their line`() {
    func problem(_ bytes: [UInt8]) -> String? {
      refusal(try Configuration(bytes: bytes, file: "t.toml"))?.description
    }
    #expect(problem(Array("[log]\n# é\n".utf8)) == nil)
    let expected = "t.toml:3: not valid UTF-8; save the file as UTF-8 text"
    for bad: [UInt8] in [
      [0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80],
    ] {
      #expect(problem(Array("[log]\n\n# ".utf8) + bad + Array("\nx".utf8)) == expected)
    }
  }
}
