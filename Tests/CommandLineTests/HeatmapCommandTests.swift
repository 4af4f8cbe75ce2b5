import TestSupport
import Testing
import TouchModel

/// `touchgrid heatmap` with a store. `PictureCommandTests.swift` has its pictures.
@Suite final class HeatmapCommandTests: UsualStoreSuite {
  func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Program.Result {
    try folder.run(["heatmap"] + arguments, environment: environment)
  }

  @Test func `A map that is not printed on a terminal consists of plain characters`() throws {
    let result = try run(
      "menu", "--store", store,
      environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"])
    #expect(
      result.text == """
        menu on HDMI-A-1: 160 x 96 points, 10 x 6 blocks of 16
        taps: mean of 3 sessions on 1 day (all days), 9 touches
        +----------+
        |= @       |
        |    *     |
        |          |
        +----------+
        a cell is 2 blocks, 16 x 32 points; highest cell: 2 taps per session
        0 < .:-=+*#%@ 1.97 and more
        log scale, ends at the 99th percentile of the cells above 0

        """)
  }

  @Test func `--session shows a single session`() throws {
    let result = try run("menu", "--session", "2", "--store", store)
    #expect(result.text.contains("taps: mean of 1 session on 1 day (session 2), 3 touches\n"))
  }

  @Test func `The error about an unknown screen lists the known ones`() throws {
    let result = try run("menue", "--store", store)
    #expect(result.status == 1)
    #expect(
      result.error == """
        touchgrid: no such screen was shown; did you mean 'menu'? The screens are:
          checkout/pay --display HDMI-A-1 --geometry 160x96
          menu --display HDMI-A-1 --geometry 160x96

        """)
  }

  @Test func `A file of one grid needs a geometry if there are several`() throws {
    let shapes = [try geometry(), try geometry(96, 160)]
    let records = shapes.enumerated().map { index, shape in
      SampleStore.session(
        Int64(index + 1), [SampleStore.key("menu", shape): [Block(column: 1, row: 1): 4]])
    }
    let own = try TemporaryFolder()
    let store = try SampleStore.make(records, in: own)
    let npy = try run("menu", "--store", store, "-o", folder.path("menu.npy"))
    #expect(npy.status == 1)
    #expect(npy.error.contains("an .npy file holds one grid, and there are 2"))
    #expect(npy.error.contains("  menu --display HDMI-A-1 --geometry 96x160\n"))
    #expect(try !folder.names.contains("menu.npy"))
    let one = try run(
      "menu", "--geometry", "96x160", "--store", store, "-o", folder.path("menu.npy"))
    #expect(one.status == 0)
    #expect(try TemporaryFolder.contents(folder.path("menu.npy")).count == 128 + 60 * 8)
  }

  @Test func `A full disk gives exit status 1`() throws {
    let result = try run("menu", "--store", store, "-o", "/dev/full", "--format", "csv")
    #expect(result.status == 1)
    #expect(result.error == "touchgrid: /dev/full cannot be written: No space left on device\n")
  }
}
