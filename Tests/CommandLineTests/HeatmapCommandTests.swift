import TestSupport
import Testing
import TouchModel

/// `touchgrid heatmap` with a store.
@Suite struct HeatmapCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Program.Result {
    try Program.run(["heatmap"] + arguments, environment: environment, in: folder)
  }

  @Test func `A map that is not printed on a terminal consists of plain characters`() throws {
    let store = try SampleStore.usual(in: folder)
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

  @Test func `Every screen has a map of its own`() throws {
    let store = try SampleStore.usual(in: folder)
    let result = try run("--store", store)
    #expect(result.text.contains("\n\nmenu on HDMI-A-1"))
    #expect(result.text.hasPrefix("checkout/pay on HDMI-A-1"))
  }

  @Test func `--session shows a single session`() throws {
    let store = try SampleStore.usual(in: folder)
    let result = try run("menu", "--session", "2", "--store", store)
    #expect(result.text.contains("taps: mean of 1 session on 1 day (session 2), 3 touches\n"))
    let missing = try run("--session", "99", "--store", store)
    #expect(missing.status == 1)
    #expect(
      missing.error
        == "touchgrid: there is no session 99; 'touchgrid sessions' lists all sessions\n")
  }

  @Test func `The error about an unknown screen lists the known ones`() throws {
    let store = try SampleStore.usual(in: folder)
    let result = try run("menue", "--store", store)
    #expect(result.status == 1)
    #expect(
      result.error == """
        touchgrid: no such screen was shown; the screens are:
          checkout/pay --display HDMI-A-1 --geometry 160x96
          menu --display HDMI-A-1 --geometry 160x96

        """)
  }

  @Test func `Different geometries are never added up`() throws {
    let shapes = [try SampleStore.geometry(), try SampleStore.geometry(96, 160)]
    let records = shapes.enumerated().map { index, shape in
      SampleStore.session(
        Int64(index + 1), [SampleStore.key("menu", shape): [Block(column: 1, row: 1): 4]])
    }
    let store = try SampleStore.make(records, in: folder)
    let both = try run("menu", "--store", store).text
    #expect(both.contains("10 x 6 blocks") && both.contains("6 x 10 blocks"))
    #expect(!both.contains("mean of 2 sessions"))

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

  @Test func `Files are written completely, and no temporary file is left`() throws {
    let store = try SampleStore.usual(in: folder)
    for ending in ["csv", "JSON", "npy"] {
      let path = try folder.write("old", to: "menu.\(ending)")
      let result = try run("menu", "--store", store, "-o", path)
      #expect(result.status == 0 && result.text == "" && result.error == "")
      let streamed = try run(
        "menu", "--store", store, "-o", "-", "--format", ending.lowercased())
      #expect(try streamed.output == TemporaryFolder.contents(path))
      #expect(streamed.output.count > 100)
    }
    #expect(
      try folder.names.filter { $0.hasPrefix("menu") } == ["menu.JSON", "menu.csv", "menu.npy"])
    let nowhere = try run("menu", "--store", store, "-o", folder.path("no/menu.csv"))
    #expect(nowhere.status == 1)
    #expect(nowhere.error.contains("no file can be created in its folder"))
  }

  @Test func `A full disk gives exit status 1`() throws {
    let store = try SampleStore.usual(in: folder)
    let result = try run("menu", "--store", store, "-o", "/dev/full", "--format", "csv")
    #expect(result.status == 1)
    #expect(result.error == "touchgrid: /dev/full cannot be written: No space left on device\n")
  }

  /// Needs Python with NumPy, which `scripts/deps` installs.
  @Test(.enabled(if: numpyIsThere, "python3 has no numpy"))
  func `NumPy reads the means of an .npy file`() throws {
    let store = try SampleStore.usual(in: folder)
    let path = folder.path("menu.npy")
    #expect(try run("menu", "--store", store, "-o", path).status == 0)
    let script = """
      import numpy, sys
      grid = numpy.load(sys.argv[1], allow_pickle=False)
      print(grid.dtype, grid.shape, grid.flags.c_contiguous, grid[1, 2], grid[3, 4], grid.sum())
      """
    let result = try Program.run(["-c", script, path], program: "python3", in: folder)
    #expect(result.text == "float64 (6, 10) True 2.0 0.6666666666666666 3.0\n")
  }
}

private let numpyIsThere: Bool = {
  guard let folder = try? TemporaryFolder() else { return false }
  let result = try? Program.run(["-c", "import numpy"], program: "python3", in: folder)
  return result?.status == 0
}()
