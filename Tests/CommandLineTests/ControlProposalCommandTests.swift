import TestSupport
import Testing
import Text
import TouchModel

@testable import TouchgridCommands

/// `touchgrid control --propose` with a store. `Tests/Apps/test_proposals.py` compares the proposals
/// of a month with the true buttons.
@Suite struct ControlProposalCommandTests {
  private let folder: TemporaryFolder
  private let store: String

  /// Makes a store of 12 sessions with five taps each on one place of a screen.
  init() throws {
    folder = try TemporaryFolder()
    let key = SampleStore.key("=pay", try geometry(640, 480))
    let records = (1...12).map {
      SampleStore.session(Int64($0), after: Int64($0), [key: [Block(column: 15, row: 4): 5]])
    }
    store = try SampleStore.make(records, in: folder)
  }

  private func run(_ arguments: String...) throws -> Program.Result {
    try Program.run(["control"] + arguments, in: folder)
  }

  @Test func `Spots are a table of 80 columns, tables of the configuration, and JSON`() throws {
    let table = try run("--propose", "--store", store)
    #expect(table.status == 0)
    #expect(
      table.text == """
        =pay on HDMI-A-1, geometry 640x480: 1 spot in 12 sessions
        SPOT  TAPS  OF ALL  RECTANGLE     PROPOSED AS
           1    60   100 %  229,53,38,38  control

        'sudo touchgrid control add SCREEN NAME RECTANGLE --save' describes a control,
        'sudo touchgrid mask add SCREEN --rectangle RECTANGLE --save' masks a keypad.

        """, "\(table)")
    #expect(
      try run("list", "--propose", "--toml", "--screen", "=pay", "--store", store).text == """
        [[control]]
        screen = "=pay"
        name = "spot 1"
        x = 229
        y = 53
        width = 38
        height = 38


        """)
    let json = try run("--propose", "--json", "--store", store).json
    #expect(json["format"] == "touchgrid-proposals" && json["of"]?["since"] == .null)
    let screen = try #require(json["screens"]?.elements?.first)
    #expect(screen["screen"] == "=pay" && screen["sessions"]?.int == 12)
    let spot: JSONValue = [
      "number": .integer(1), "kind": "control",
      "rectangle": [
        "x": .integer(229), "y": .integer(53), "width": .integer(38), "height": .integer(38),
      ], "touches": .integer(60), "share": .integer(1),
    ]
    #expect(screen["spots"] == .array([spot]))
  }

  @Test func `The output says why there is nothing, and wrong calls what to do`() throws {
    let none = try run("--propose", "--store", store, "--display", "other")
    #expect(none.error.contains("nothing is proposed: no place without a control or a mask"))
    let unknown = try run("--propose", "--store", store, "--screen", "menu")
    #expect(unknown.status == 1 && unknown.error.contains("no such screen was shown"))
    #expect(try run("--store", store).status == 64)
    #expect(try run("--propose", "--toml", "--json", "--store", store).status == 64)
  }
}
