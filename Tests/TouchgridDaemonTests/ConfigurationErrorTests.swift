import Testing
import Text
import TouchModel

@testable import ConfigurationFiles
@testable import TouchgridDaemon

struct ConfigurationErrorTests {
  private func problems(_ text: String) -> [String] {
    refusal(try Configuration(text: text, file: "t.toml"))?.problems.map(\.description) ?? []
  }

  @Test(arguments: [
    (
      "\n[session]\nidle_timout = \"60s\"",
      "t.toml:3: unknown key \"idle_timout\" in [session]; did you mean \"idle_timeout\"?"
    ),
    (
      "[session]\nIdle-Timeout = \"60s\"",
      "t.toml:2: unknown key \"Idle-Timeout\" in [session]; did you mean \"idle_timeout\"?"
    ),
    (
      "[store]\nidle_timeout = \"60s\"",
      "t.toml:2: unknown key \"idle_timeout\" in [store]; it belongs in [session]"
    ),
    (
      "idle_timeout = \"60s\"",
      "t.toml:1: unknown key \"idle_timeout\" outside any table; it belongs in [session]"
    ),
    ("[log]\ncolour = 1", "t.toml:2: unknown key \"colour\" in [log]; the keys there are level"),
    (
      "x1 = 1",
      "t.toml:1: unknown key \"x1\" outside any table; every key belongs in a table such "
        + "as [session]"
    ),
    ("[sesion]", "t.toml:1: unknown table \"sesion\"; did you mean [session]?"),
    ("\n[[displays]]", "t.toml:2: unknown table \"displays\"; did you mean [[display]]?"),
    (
      "[network]",
      "t.toml:1: unknown table \"network\"; the tables are [store], [session], [grid], "
        + "[devices], [[device]], "
        + "[[display]], [[mask]], [[cover]], [[control]], [[funnel]], [socket], [roles], [log]"
    ),
    (
      "[session.idle_timeout]",
      "t.toml:1: idle_timeout must be a duration in quotes such as \"60s\", not a table"
    ),
  ])
  func `Unknown names are refused with the nearest known one`(text: String, message: String) {
    #expect(problems(text) == [message])
  }

  @Test(arguments: [
    (
      "idle_timeout = 1.5",
      "idle_timeout must be a duration in quotes such as \"60s\", not a number with a fraction"
    ),
    (
      "idle_timeout = true",
      "idle_timeout must be a duration in quotes such as \"60s\", not true or false"
    ),
    ("mode = 1", "mode must be \"automatic\" or \"manual\", not an integer"),
    ("mode = \"auto\"", "mode must be \"automatic\" or \"manual\", not \"auto\""),
    ("idle_timeout = \"\"", "idle_timeout must be a duration in quotes such as \"60s\", not \"\""),
    (
      "idle_timeout = \"1.5h\"",
      "idle_timeout must be a whole number of its unit, not \"1.5h\": write \"90m\" for \"1.5h\""
    ),
    (
      "idle_timeout = \"60\"",
      "idle_timeout has no unit; it must be a duration in quotes such as \"60s\", and the "
        + "units are ms, s, m, h, d"
    ),
    (
      "idle_timeout = \"1 min\"",
      "idle_timeout has the unknown unit \"min\"; it must be a duration in quotes such as "
        + "\"60s\", and the units are ms, s, m, h, d"
    ),
    (
      "idle_timeout = \"99999999999999999999s\"",
      "idle_timeout is too large: \"99999999999999999999s\""
    ),
    ("idle_timeout = \"999ms\"", "idle_timeout must be between \"1s\" and \"1d\", not \"999ms\""),
    ("idle_timeout = \"25h\"", "idle_timeout must be between \"1s\" and \"1d\", not \"25h\""),
    ("max_duration = \"59s\"", "max_duration must be between \"1m\" and \"7d\", not \"59s\""),
    ("max_duration = \"60s\"", "max_duration, \"1m\", must be longer than idle_timeout, \"1m\""),
    ("idle_timeout = \"2h\"", "max_duration, \"2h\", must be longer than idle_timeout, \"2h\""),
    ("late_names = \"5001ms\"", "late_names must be between \"0ms\" and \"5s\", not \"5001ms\""),
  ])
  func `Impossible values of a session are refused`(line: String, message: String) {
    #expect(problems("[session]\n\(line)") == ["t.toml:2: \(message)"])
  }

  @Test(arguments: [
    (
      "store", "path = \"touchgrid.db\"",
      "path must be the absolute path of a file, not \"touchgrid.db\""
    ),
    ("store", "path = \"/tmp/\"", "path must be the absolute path of a file, not \"/tmp/\""),
    ("store", "path = \"/a\\nb\"", "path must be printable text, not \"/a\\u{a}b\""),
    ("store", "checkpoint = \"0s\"", "checkpoint must be between \"1s\" and \"10m\", not \"0s\""),
    (
      "store", "keep_sessions = \"23h\"",
      "keep_sessions must be between \"1d\" and \"36500d\", not \"23h\""
    ),
    (
      "store", "max_size = \"1 MB\"",
      "max_size has the unknown unit \"MB\"; it must be a size in quotes such as \"256 "
        + "MiB\", and the units are B, KiB, MiB, GiB, TiB"
    ),
    (
      "store", "max_size = \"1048575B\"",
      "max_size must be between \"1 MiB\" and \"256 TiB\", not \"1048575B\""
    ),
    ("grid", "block_size = 24", "block_size must be a power of two such as 16, not 24"),
    (
      "grid", "block_size = 0",
      "block_size must be a whole number of 1 to 256, a power of two, not 0"
    ),
    (
      "grid", "block_size = 512",
      "block_size must be a whole number of 1 to 256, a power of two, not 512"
    ),
    (
      "grid", "layers = []",
      "layers must be a list of one or more of \"taps\", \"trail\", \"dwell\"; it is empty"
    ),
    (
      "grid", "layers = \"taps\"",
      "layers must be a list of one or more of \"taps\", \"trail\", \"dwell\", not a string"
    ),
    (
      "grid", "layers = [\"tap\"]",
      "layers must be a list of one or more of \"taps\", \"trail\", \"dwell\", not \"tap\""
    ),
    ("grid", "layers = [\"taps\", \"taps\"]", "layers contains \"taps\" twice"),
    ("devices", "seat = \"\"", "seat must not be empty; write a name such as \"seat0\""),
    (
      "devices", "seat = \"a\\u0007\"",
      "seat \(String.nameRule), not \"a\\u{7}\""
    ),
    ("devices", "ghosts = \"true\"", "ghosts must be true or false, not a string"),
    (
      "log", "level = \"warn\"",
      "level must be \"error\", \"warning\", \"info\" or \"debug\", not \"warn\""
    ),
  ])
  func `Impossible values of the other tables are refused`(
    table: String, line: String, message: String
  ) {
    #expect(problems("[\(table)]\n\n\(line)") == ["t.toml:3: \(message)"])
  }

  @Test(arguments: [
    ("x = [5, 5]", "x must be [minimum, maximum] with minimum < maximum, not [5, 5]"),
    (
      "y = [0]",
      "y must be two whole numbers such as [0, 4095], the minimum and maximum raw values"
    ),
    (
      "y = [0.5, 1]",
      "y must be two whole numbers such as [0, 4095], the minimum and maximum raw values"
    ),
    ("y = 4095", "y must be two whole numbers such as [0, 4095], not an integer"),
    ("x = [0, 2147483648]", "x must be within -2147483648 to 2147483647 (32-bit integers)"),
    (
      "calibration = \"1 0 0\"",
      "calibration must be six numbers in quotes such as \"1 0 0 0 1 0\", not \"1 0 0\""
    ),
    (
      "calibration = \"1 1 0 1 1 0\"",
      "calibration \"1 1 0 1 1 0\" maps the whole touchscreen to a line or a point"
    ),
    ("display = \"\"", "display must not be empty; write a name such as \"HDMI-A-1\""),
  ])
  func `Impossible values of a device are refused`(line: String, message: String) {
    #expect(problems("[[device]]\nmatch = \"*\"\n\(line)") == ["t.toml:3: \(message)"])
  }

  @Test(arguments: [
    ("width = 5", "width needs a height: give both, or neither"),
    ("height = 5", "height needs a width: give both, or neither"),
    ("width_mm = 300", "width_mm needs a height_mm: give both, or neither"),
    ("height_mm = 300", "height_mm needs a width_mm: give both, or neither"),
    ("width = 0\nheight = 5", "width must be a whole number of 1 to 16384 pixels, not 0"),
    ("width = 16385\nheight = 5", "width must be a whole number of 1 to 16384 pixels, not 16385"),
    ("scale = 0.2", "scale must be a number of 0.25 to 16.0, not 0.2"),
    ("scale = nan", "scale must be a number of 0.25 to 16.0, not nan"),
    ("scale = \"2\"", "scale must be a number of 0.25 to 16.0, not a string"),
    ("rotation = 45", "rotation must be 0, 90, 180 or 270, not 45"),
    ("rotation = -90", "rotation must be a whole number of 0 to 270: 0, 90, 180 or 270, not -90"),
    (
      "width = 16384\nheight = 16384\nscale = 0.5",
      "the display would have more than 1048576 blocks; choose a larger block_size than "
        + "16 in [grid]"
    ),
  ])
  func `Impossible values of a display are refused`(line: String, message: String) {
    #expect(problems("[[display]]\nname = \"A\"\n\(line)") == ["t.toml:3: \(message)"])
  }

  @Test(arguments: [
    (
      "[socket]\n\npath = \"/\(String(repeating: "s", count: 107))\"",
      "path must be at most 107 bytes long, not \"/\(String(repeating: "s", count: 79))…\""
    ),
    ("[socket]\n\npath = \"run/x\"", "path must be the absolute path of a file, not \"run/x\""),
    (
      "[socket]\n\npath = 1",
      "path must be a path in quotes such as \"/run/touchgrid/io.touchgrid\", not an integer"
    ),
    (
      "[roles]\n\napp = [\"a\"]",
      "app must be a group's name in quotes such as \"touchgrid-app\", or \"\" for only root "
        + "and the daemon's user, not a list"
    ),
    (
      "[roles]\n\nwatch = \"a:b\"",
      "watch must be a group's name in quotes such as \"touchgrid-watch\", or \"\" for only root "
        + "and the daemon's user, not \"a:b\""
    ),
    (
      "[roles]\n\nwrite = \"a\"",
      "unknown key \"write\" in [roles]; the keys there are app, read, watch, signal, operate"
    ),
  ])
  func `Impossible values of the socket and the roles are refused`(text: String, message: String) {
    #expect(problems(text) == ["t.toml:3: \(message)"])
  }

  @Test(arguments: [
    (
      "x = 5",
      "a rectangle has x, y, width and height; y and width and height are missing. To mask the "
        + "whole screen, give none of the four"
    ),
    ("width = 0\nx = 1\ny = 2\nheight = 1", "width must be more than 0"),
    ("height = -1\nx = 1\ny = 2\nwidth = 1", "height must be a number of 0.0 to 65536.0, not -1.0"),
    ("x = nan\nheight = 1\ny = 2\nwidth = 1", "x must be a number of 0.0 to 65536.0, not nan"),
    ("display = \"\"", "display must not be empty; write a name such as \"HDMI-A-1\""),
  ])
  func `Impossible masks are refused`(line: String, message: String) {
    #expect(problems("[[mask]]\nscreen = \"pin\"\n\(line)").first == "t.toml:3: \(message)")
  }

  @Test func `A cover needs a rectangle and must not be repeated, and there are at most 32`() {
    let one = "[[cover]]\n" + Self.whole
    #expect(
      problems("[[cover]]\n[[cover]]\nx = 1\n" + one + one) == [
        "t.toml:1: [[cover]] needs x, y, width and height",
        "t.toml:3: a rectangle has x, y, width and height; y and width and height are missing. A "
          + "cover needs all four",
        "t.toml:10: there is the same cover already; remove one",
      ])
    let many = (1...33).map { "[[cover]]\nx = \($0)\ny = 2\nwidth = 3\nheight = 4" }
    #expect(
      problems(many.joined(separator: "\n")) == [
        "t.toml:162: there are more than 32 covers; replace the touchscreen"
      ])
  }

  private static let whole = "x = 1\ny = 2\nwidth = 3\nheight = 4\n"

  @Test(arguments: [
    ("screen = \"s\"\n" + whole, "[[control]] needs a name"),
    ("name = \"n\"\n" + whole, "[[control]] needs a screen: the name that the app gives it"),
    ("name = \"n\"\nscreen = \"s\"\n", "[[control]] needs x, y, width and height"),
    (
      "name = \"n\"\nscreen = \"s\"\nx = 1\n",
      "a rectangle has x, y, width and height; y and width and height are missing. A control needs "
        + "all four"
    ),
    (
      "name = \"n\"\nscreen = \"s\"\nrage = 1\n" + whole,
      "rage must be true or false, not an integer"
    ),
  ])
  func `Impossible controls are refused`(keys: String, message: String) {
    let found = problems("[[control]]\n" + keys)
    #expect(found.count == 1 && found[0].hasSuffix(": \(message)"), "\(found)")
  }

  @Test func `A control's name is unique on its screen, and a screen has at most 256`() {
    let one = "[[control]]\nname = \"n\"\nscreen = \"s\"\n" + Self.whole
    #expect(
      problems(one + one) == [
        "t.toml:9: screen \"s\" has a control \"n\" already, in line 2"
      ])
    let many = (1...257).map {
      "[[control]]\nname = \"n\($0)\"\nscreen = \"s\"\n" + Self.whole
    }
    #expect(
      problems(many.joined()) == [
        "t.toml:1795: screen \"s\" has more than 256 controls; leave out those that do not matter"
      ])
    #expect(problems(many.dropLast().joined()) == [])
  }

  @Test func `A mask needs a screen and must not be repeated, and there are at most 256`() {
    #expect(
      problems("[[mask]]\nwidth = 1\n[[mask]]\nscreen = \"a\"\n[[mask]]\nscreen = \"a\"") == [
        "t.toml:1: [[mask]] needs a screen: the name that the app gives it",
        "t.toml:2: a rectangle has x, y, width and height; x and y and height are missing. To mask "
          + "the whole screen, give none of the four",
        "t.toml:6: the same mask is already in line 4; remove one",
      ])
    let many = (1...257).map { "[[mask]]\nscreen = \"s\($0)\"" }
    #expect(problems(many.dropLast().joined(separator: "\n")).isEmpty)
    #expect(
      problems(many.joined(separator: "\n")) == [
        "t.toml:514: there are more than 256 masks; mask whole screens instead"
      ])
  }

  @Test func `A device needs a match, and a display needs a name`() {
    let long = String(repeating: "x", count: 513)
    #expect(
      problems(
        "[[device]]\n[[display]]\n\n[[device]]\nmatch = \"\"\n[[device]]\nmatch = \"\(long)\"") == [
          "t.toml:1: [[device]] needs a match: a device's key or name, or a pattern",
          "t.toml:2: [[display]] needs a name such as \"HDMI-A-1\"",
          "t.toml:5: match must be 1 to 512 bytes long; \"*\" matches every device",
          "t.toml:7: match must be 1 to 512 bytes long; \"*\" matches every device",
        ])
  }

  @Test func `Two tables for the same device or display are refused`() {
    let text =
      "[[device]]\nmatch = \"a\"\n[[device]]\nmatch = \"a\"\n[[display]]\nname = "
      + "\"b\"\n[[display]]\nname = \"b\""
    #expect(
      problems(text) == [
        "t.toml:4: match \"a\" is already in line 2; merge the two tables",
        "t.toml:8: display \"b\" is already in line 6; merge the two tables",
      ])
  }

  @Test func `Wrong brackets of a table are refused`() {
    #expect(
      problems("[[session]]") == ["t.toml:1: session must be written [session], a single table"])
    #expect(
      problems("\n[device]") == [
        "t.toml:2: device must be written [[device]], with double brackets, for each device"
      ])
    #expect(problems("log = 1") == ["t.toml:1: log must be written [log], a single table"])
    #expect(problems("device = [1]") == ["t.toml:1: device must be written [[device]], as a table"])
  }

  @Test func `All problems are reported at once, in the order of their lines`() throws {
    let text = """
      [log]
      level = "loud"
      [store]
      pth = "/x"
      checkpoint = 5
      [[device]]
      ignore = "yes"
      [session]
      mode = "x"
      idle_timeout = "x"
      max_duration = "1m"
      """
    let error = #expect(throws: ConfigurationError.self) {
      _ = try Configuration(text: text, file: "t.toml")
    }
    #expect(error?.problems.map(\.line) == [2, 4, 5, 6, 7, 9, 10])
  }

  @Test func `The first twenty of many problems are shown`() throws {
    let text = (1...500).map { "a\($0) = 1" }.joined(separator: "\n")
    let error = try #require(
      #expect(throws: ConfigurationError.self) { _ = try Configuration(text: text, file: "t") })
    let lines = error.description.split(separator: "\n")
    #expect(error.problems.count == 500)
    #expect(lines.count == 21)
    #expect(lines.last == "… and 480 more")
  }

  @Test func `Control characters in quoted text are escaped`() throws {
    let long = String(repeating: "y", count: 300)
    let text = "[log]\nlevel = \"\\u001b[2J\\u202e\(long)\"\n\"k\\n\\u009b\" = 1"
    let error = try #require(
      #expect(throws: ConfigurationError.self) {
        _ = try Configuration(text: text, file: "a\u{1b}b")
      })
    #expect(error.problems.count == 2)
    let description = error.problems.map(\.description).joined()
    #expect(description.unicodeScalars.allSatisfy { $0.isShown })
    #expect(description.contains("\\u{1b}[2J\\u{202e}"))
    #expect(description.utf8.count < 500)
  }
}
