import Heatmaps
import Storage
import TestSupport
import Testing
import Text
import TouchModel

@testable import TouchgridCommands

/// The pictures that `touchgrid heatmap` writes.
@Suite struct PictureCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Program.Result {
    try Program.run(["heatmap"] + arguments, in: folder)
  }

  private func python(_ script: String, _ path: String) throws -> String {
    let result = try Program.run(["-c", script, path], program: "python3", in: folder)
    #expect(result.status == 0, "\(result.error)")
    return result.text
  }

  @Test func `Several grids are written to a file each`() throws {
    let store = try SampleStore.usual(in: folder)
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

  @Test func `Each geometry is drawn by itself`() throws {
    let shapes = [try SampleStore.geometry(), try SampleStore.geometry(96, 160)]
    let records = shapes.enumerated().map { index, shape in
      SampleStore.session(
        Int64(index + 1), [SampleStore.key("menu", shape): [Block(column: 1, row: 1): 4]])
    }
    let store = try SampleStore.make(records, in: folder)
    #expect(try run("menu", "--store", store, "-o", folder.path("map.png")).status == 0)
    for name in ["map-160x96.png", "map-96x160.png"] {
      let metadata = try PictureFile(folder.path(name)).metadata
      #expect((metadata.sessions, metadata.touches) == (1, 4))
    }
    #expect(try run("menu", "--store", store, "-o", folder.path("map.pdf")).status == 0)
    // PDF objects may be packed in compressed streams.
    let pages = """
      import re, sys, zlib
      data = open(sys.argv[1], 'rb').read()
      for stream in re.findall(rb'stream\\r?\\n(.*?)endstream', data, re.S):
          try: data += zlib.decompressobj().decompress(stream)
          except zlib.error: pass
      print(len(re.findall(rb'/Type\\s*/Page\\b', data)))
      """
    #expect(try python(pages, folder.path("map.pdf")) == "2\n")
  }

  @Test func `An SVG is well-formed, and its titles are the counts`() throws {
    let store = try SampleStore.usual(in: folder)
    let path = folder.path("menu.svg")
    #expect(try run("menu", "--store", store, "-o", path).status == 0)
    let script = """
      import json, sys, xml.etree.ElementTree as tree
      root = tree.parse(sys.argv[1]).getroot()
      space = '{http://www.w3.org/2000/svg}'
      print(root.find(space + 'title').text)
      print(json.loads(root.find(space + 'metadata').text)['touches'])
      for block in root.iter(space + 'rect'):
          for title in block.iter(space + 'title'): print(title.text)
      """
    #expect(
      try python(script, path) == """
        menu: taps, where touches begin
        9
        column 0, row 0: 1 tap, mean 0.333 of 3 sessions
        column 2, row 1: 6 taps, mean 2 of 3 sessions
        column 4, row 3: 2 taps, mean 0.667 of 3 sessions

        """)
  }

  @Test func `--value selects means, sums or rates`() throws {
    let store = try SampleStore.usual(in: folder)
    func legend(_ value: String) throws -> String {
      try run("menu", "--store", store, "--value", value).text
    }
    #expect(try legend("mean").contains("taps: mean of 3 sessions"))
    #expect(try legend("sum").contains("highest cell: 6 taps\n"))
    // 6 touches in three times 61 seconds.
    #expect(try legend("rate").contains("highest cell: 1.97 taps per minute"))
  }

  @Test func `--tag selects sessions`() throws {
    let store = try SampleStore.usual(in: folder)
    let path = folder.path("menu.png")
    #expect(try run("menu", "--store", store, "--tag", "build=1.4", "-o", path).status == 0)
    let metadata = try PictureFile(path).metadata
    #expect((metadata.sessions, metadata.touches) == (1, 5))
    let none = try run("menu", "--store", store, "--tag", "build=2", "-o", path)
    #expect(none.status == 1)
    #expect(none.error.contains("no session has these tags"))
  }

  @Test func `--weekdays and --hours select sessions, and the output says so`() throws {
    // The sessions began on a Saturday at 14:03, 15:03 and 16:03.
    let store = try SampleStore.usual(in: folder)
    func filtered(_ arguments: String...) throws -> Program.Result {
      let filter = ["--store", store, "--weekdays", "fri-sat", "--hours", "14-16"]
      return try Program.run(["heatmap", "menu"] + arguments + filter, in: folder)
    }
    let json = try filtered("--json").text
    #expect(json.contains(#""weekdays":[5,6],"hours":{"from":14,"until":16}"#))
    #expect(json.contains(#""sessions":2,"#))
    #expect(try filtered().text.contains("Fri, Sat, 14:00 to 15:59"))
    let path = folder.path("menu.png")
    #expect(try filtered("-o", path).status == 0)
    #expect(try PictureFile(path).metadata.touches == 8)
    let none = try run("menu", "-o", path, "--store", store, "--hours", "17-14")
    #expect(none.status == 1)
    #expect(none.error.contains("no session is in this selection (all days, 17:00 to 13:59)"))
  }

  @Test func `Options that contradict each other or are out of range are refused`() throws {
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
      let result = try Program.run(["heatmap"] + arguments, in: folder)
      #expect(result.status == 64)
      #expect(result.error.contains(words), "\(result.error)")
    }
  }

  @Test func `A screenshot of another aspect ratio is refused, and nothing is written`() throws {
    let store = try SampleStore.usual(in: folder)
    #expect(
      try run("menu", "--store", store, "-o", folder.path("shot.png"), "--bare", "--scale", "1")
        .status == 0)
    let fits = try run(
      "menu", "--store", store, "--background", folder.path("shot.png"), "-o",
      folder.path("over.png"))
    #expect(fits.status == 0, "\(fits.error)")
    let many = try run(
      "--store", store, "--background", folder.path("shot.png"), "-o", folder.path("all.png"))
    #expect(many.status == 1)
    #expect(many.error.contains("a screenshot shows one screen"))
    let other = try run(
      "menu", "--store", store, "--background", folder.path("over.png"), "-o",
      folder.path("all.png"))
    #expect(other.status == 1)
    #expect(other.error.contains("has another aspect ratio"))
    let missing = try run(
      "menu", "--store", store, "--background", "none.png", "-o", folder.path("all.png"))
    #expect(missing.error == "touchgrid: none.png cannot be opened: No such file or directory\n")
    #expect(try !folder.names.contains { $0.hasPrefix("all") })
  }

  @Test func `A JPEG or WebP is a background too, whatever its name`() throws {
    let key = SampleStore.key("menu", try SampleStore.geometry())
    let store = try SampleStore.make(
      [
        SampleStore.session(1, tags: ["build": "1.3"], [key: [Block(column: 2, row: 1): 5]]),
        SampleStore.session(
          2, after: 60, tags: ["build": "1.4"], [key: [Block(column: 4, row: 3): 2]]),
      ], in: folder)
    func heatmap(_ name: String, over screenshot: String) throws -> Pixels {
      let result = try run(
        "menu", "--store", store, "--background", folder.path(screenshot), "-o", folder.path(name))
      #expect(result.status == 0 && result.error == "", "\(result.error)")
      return try PictureFile(folder.path(name)).pixels
    }
    #expect(
      try run("menu", "--store", store, "-o", folder.path("bare.png"), "--bare").status == 0)
    let bare = try Background(file: TemporaryFolder.contents(folder.path("bare.png")), name: "")
    let (width, height) = (bare.pixels.width, bare.pixels.height)
    let colours: [UInt32] = (0..<width * height).map { index in
      let (red, blue) = (100 * (index % width) / width, 100 * index / (width * height))
      return 0xff40_6080 + UInt32(red << 16) + UInt32(blue)
    }
    let drawn = Pixels(width: width, height: height, values: colours)
    for (bytes, name) in [
      (try PictureFormat.png.bytes([Self.drawing(drawn)]), "shot.png"),
      (try EncodedPicture.jpeg(colours, width: width), "photo.png"),
      (try EncodedPicture.webp(colours, width: width, isLossless: true), "shot"),
    ] {
      try folder.write(bytes, to: name)
    }
    let png = try heatmap("over-png.png", over: "shot.png")
    #expect(try heatmap("over-webp.png", over: "shot") == png)
    let jpeg = try heatmap("over-jpeg.png", over: "photo.png")
    #expect(jpeg.width == png.width && jpeg.values != png.values)
    var loss = 0
    for (a, b) in zip(jpeg.values, png.values) {
      for shift: UInt32 in [16, 8, 0] {
        let (one, other) = (Int(a >> shift & 255), Int(b >> shift & 255))
        loss = max(loss, abs(one - other))
      }
    }
    #expect(loss <= 12)
    let comparison = try Program.run(
      [
        "compare", "build=1.3", "build=1.4", "menu", "--store", store, "--background",
        folder.path("photo.png"), "-o", folder.path("difference.png"),
      ], in: folder)
    #expect(comparison.status == 0, "\(comparison.error)")
  }

  private static func drawing(_ pixels: Pixels) throws -> Drawing {
    var drawing = try Drawing(
      width: pixels.width, height: pixels.height, title: "shot", metadata: .null)
    let area = Box(x: 0, y: 0, width: Double(pixels.width), height: Double(pixels.height))
    drawing.shapes = [.image(pixels, area, isSmooth: false)]
    return drawing
  }

  @Test func `File names made of screen names are safe and differ`() throws {
    let geometry = try SampleStore.geometry()
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
    let shapes = [try SampleStore.geometry(), try SampleStore.geometry(96, 160)]
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
    let store = try SampleStore.usual(in: folder)
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
