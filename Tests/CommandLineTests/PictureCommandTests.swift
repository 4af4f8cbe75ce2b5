import Heatmaps
import Storage
import TestSupport
import Testing
import Text
import TouchModel

@testable import TouchgridCommands

/// The pictures that `touchgrid heatmap` writes.
extension HeatmapCommandTests {
  @Test func `Several grids are written to a file each`() throws {
    for ending in ["png", "svg"] {
      let result = try run("--store", store, "-o", folder.path("map.\(ending)"))
      #expect(result.status == 0)
      #expect(
        result.text == folder.path("map-checkout-pay.\(ending)") + "\n"
          + folder.path("map-menu.\(ending)") + "\n")
    }
    let menu = try PictureFile(folder.path("map-menu.png"))
    #expect((menu.metadata.screen, menu.metadata.touches) == ("menu", 9))
    #expect((menu.metadata.sessions, menu.metadata.days) == (3, 1))
    let pay = try PictureFile(folder.path("map-checkout-pay.png"))
    #expect((pay.metadata.screen, pay.metadata.touches) == ("checkout/pay", 1))
    #expect(try !folder.names.contains("map.png"))

    let output = try run("--store", store, "-o", "-", "--format", "png")
    #expect(output.status == 1)
    #expect(output.error.contains("standard output takes one .png, and there are 2 grids"))
    #expect(output.error.contains("  menu --display HDMI-A-1 --geometry 160x96\n"))
  }

  @Test func `An SVG is well-formed, and its titles are the counts`() throws {
    let path = folder.path("menu.svg")
    #expect(try run("menu", "--store", store, "-o", path).status == 0)
    let script = """
      import json, sys, xml.etree.ElementTree as tree
      root = tree.parse(sys.argv[1]).getroot()
      space = '{http://www.w3.org/2000/svg}'
      print(root.find(space + 'title').text)
      print(json.loads(root.find(space + 'metadata').text)['touches'])
      print(sum(1 for block in root.iter(space + 'rect') for title in block.iter(space + 'title')))
      """
    let result = try Program.run(["-c", script, path], program: "python3", in: folder)
    #expect(result.text == "menu: taps, where touches begin\n9\n3\n", "\(result.error)")
  }

  @Test func `--value selects means, sums or rates`() throws {
    func legend(_ value: String) throws -> String {
      try run("menu", "--store", store, "--value", value).text
    }
    #expect(try legend("mean").contains("taps: mean of 3 sessions"))
    #expect(try legend("sum").contains("highest cell: 6 taps\n"))
    // 6 touches in three times 61 seconds.
    #expect(try legend("rate").contains("highest cell: 1.97 taps per minute"))
  }

  @Test func `--weekdays and --hours select sessions, and the output says so`() throws {
    // The sessions began on a Saturday at 14:03, 15:03 and 16:03.
    func filtered(_ arguments: String...) throws -> Program.Result {
      let filter = ["--store", store, "--weekdays", "fri-sat", "--hours", "14-16"]
      return try Program.run(["heatmap", "menu"] + arguments + filter, in: folder)
    }
    let json = try filtered("--json").text
    #expect(json.contains(#""weekdays":[5,6],"hours":{"from":14,"until":16}"#))
    #expect(json.contains(#""sessions":2,"#))
    #expect(try filtered().text.contains("Fri, Sat, 14:00 to 15:59"))
  }

  @Test func `Options that contradict each other or are out of range are refused`() {
    for (arguments, words) in [
      (["-o", "x.csv", "--smooth", "5"], "--smooth requires a picture"),
      (["--background", "x.png"], "--background requires a picture"),
      (["-o", "x.png", "--smooth", "5", "--cells"], "--cells cannot be combined with --smooth"),
      (["-o", "x.png", "--max", "0"], "--max takes a number above 0"),
      (["-o", "x.png", "--smooth", "nan"], "it must be a number"),
      (["-o", "x.png", "--scale", "inf"], "it must be a number"),
      (["-o", "x.png", "--smooth", "501"], "--smooth takes 1 to 500 points"),
      (["-o", "x.png", "--scale", "17"], "--scale takes 0.01 to 16"),
      (["-o", "x.jpg"], "does not end in .png, .svg, .pdf, .csv, .json or .npy"),
      (["--colour-map", "jet"], "'inferno', 'viridis', 'turbo' or 'greys'"),
    ] {
      let result = Program.parse(["heatmap"] + arguments)
      #expect(result.status == 64)
      #expect(result.error.contains(words), "\(result.error)")
    }
  }

  @Test func `A screenshot of another aspect ratio is refused, and nothing is written`() throws {
    let wide = try folder.write(try SamplePicture.webp(1, 160, 90), to: "wide")
    let many = try run("--store", store, "--background", wide, "-o", folder.path("all.png"))
    #expect(many.status == 1)
    #expect(many.error.contains("a screenshot shows one screen"))
    let other = try run(
      "menu", "--store", store, "--background", wide, "-o", folder.path("all.png"))
    #expect(other.status == 1)
    #expect(other.error.contains("has another aspect ratio"))
    let missing = try run(
      "menu", "--store", store, "--background", "none.png", "-o", folder.path("all.png"))
    #expect(missing.error == "touchgrid: none.png cannot be opened: No such file or directory\n")
    #expect(try !folder.names.contains { $0.hasPrefix("all") })
  }

  @Test func `File names made of screen names are safe and differ`() throws {
    let geometry = try geometry()
    let screens = [
      "menu", "Menu", "../../etc/x", "a/b", "a.b", ".", "tab\tin",
      String(repeating: "\u{e9}", count: 64),
      String(repeating: "\u{e9}", count: 63) + "x", "-", "\u{202e}x",
    ]
    let keys = screens.map { GridKey(display: "D", screen: $0, geometry: geometry) }
    let paths = try HeatmapNames.paths(keys, path: "/tmp/a.b/out.png")
    #expect(Set(paths.map { $0.lowercased() }).count == screens.count)
    for path in paths {
      let name = path.dropFirst("/tmp/a.b/".count)
      #expect(path.hasPrefix("/tmp/a.b/out-") && path.hasSuffix(".png"))
      #expect(!name.contains("/") && name.utf8.count < 200)
      #expect(name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202e}" })
    }
    #expect(paths[3] == "/tmp/a.b/out-a-b.png" && paths[4] == "/tmp/a.b/out-a-b-2.png")
    // A dot in a folder's name does not start a file extension.
    #expect(try HeatmapNames.paths(Array(keys[..<2]), path: "/a.b/out")[0] == "/a.b/out-menu")
  }

  @Test func `File names are no longer than 255 bytes`() throws {
    let shapes = [try geometry(), try geometry(96, 160)]
    let keys = (0..<12).map { index in
      GridKey(
        display: String(repeating: "\u{e9}", count: 63) + "\(index % 2)",
        screen: String(repeating: "long-name", count: 14) + "\(index / 2 % 3)",
        geometry: shapes[index % 2])
    }
    for length in [1, 100, 180, 234] {
      let stem = String(repeating: "x", count: length)
      let paths = try HeatmapNames.paths(keys, path: "/tmp/\(stem).png")
      #expect(Set(paths).count == keys.count)
      for path in paths {
        let name = path.dropFirst("/tmp/".count)
        #expect(name.utf8.count <= 255 && name.hasPrefix(stem + "-") && name.hasSuffix(".png"))
      }
    }
    // The error comes before any file is written.
    let name = folder.path(String(repeating: "x", count: 240) + ".png")
    let result = try run("--store", store, "-o", name)
    #expect(result.status == 1)
    #expect(result.error.contains("is too long: 2 files are written"), "\(result.error)")
    #expect(try !folder.names.contains { $0.hasPrefix("x") })
  }

  /// The daemon reads and draws no pictures.
  @Test func `The daemon links no library for pictures`() throws {
    let daemon = try Program.run([try Program.path + "d"], program: "ldd", in: folder)
    let tool = try Program.run([try Program.path], program: "ldd", in: folder)
    #expect(daemon.text.contains("libsqlite3"))
    for library in ["libcairo.so", "libturbojpeg.so", "libwebp.so"] {
      #expect(!daemon.text.contains(library) && tool.text.contains(library))
    }
  }
}
