import Heatmaps
import TestSupport
import Testing
import Text
import TouchModel

/// Maps and reports that are drawn on the pictures of `touchgrid picture`.
extension PictureVerbTests {
  private func heatmap(_ arguments: String..., name: String = "map.png") throws -> Program.Result {
    try Program.run(
      ["heatmap", "--store", store, "-o", folder.path(name)] + arguments,
      environment: ["TOUCHGRID_PICTURES": pictures.path], in: folder)
  }

  @Test func `heatmap draws on the pictures of the folder`() throws {
    let plain = try heatmap("menu", name: "plain.png")
    #expect(plain.status == 0 && plain.error == "")
    let without = try TemporaryFolder.contents(folder.path("plain.png"))
    #expect(try run("add", "menu", try write(0xff20_a040, 320, 192)).status == 0)

    #expect(try heatmap("menu").status == 0)
    let map = try PictureFile(folder.path("map.png"))
    // A block without touches shows the picture.
    #expect(map.value(300, 180) == 0xff20_a040)
    #expect(map.metadata.map.width == 320)
    for options in [["--no-background"], ["--scale", "4"], ["--bare"]] {
      let result = try Program.run(
        ["heatmap", "menu", "--store", store, "-o", folder.path("other.png")] + options,
        environment: ["TOUCHGRID_PICTURES": pictures.path], in: folder)
      #expect(result.status == 0, "\(result.error)")
      let other = try TemporaryFolder.contents(folder.path("other.png"))
      #expect((other == without) == (options != ["--bare"]), "\(options)")
      #expect(try !Background(file: other, name: "").pixels.values.contains(0xff20_a040))
    }
    // Each screen has its own picture; a screen without one has none.
    #expect(try heatmap(name: "all.png").status == 0)
    #expect(try PictureFile(folder.path("all-menu.png")).value(300, 180) == 0xff20_a040)
    #expect(try PictureFile(folder.path("all-checkout-pay.png")).value(1, 1) != 0xff20_a040)
    let red = try write(0xffff_0000, 160, 96, to: "red")
    #expect(try heatmap("menu", "--background", red).status == 0)
    #expect(try PictureFile(folder.path("map.png")).value(150, 90) == 0xffff_0000)
    let both = try heatmap("menu", "--background", red, "--no-background")
    #expect(both.status == 64)
    #expect(try heatmap("--no-background", "--format", "csv").error.contains("requires a picture"))
  }

  @Test func `A picture that does not fit causes a warning and is not used`() throws {
    #expect(try heatmap("menu", name: "plain.png").status == 0)
    #expect(try run("add", "menu", try write(0xff20_a040, 160, 90)).status == 0)
    let result = try heatmap("menu")
    #expect(result.status == 0)
    #expect(
      result.error.contains("menu: No screenshot: menu.webp has 160 x 90 pixels"), "\(result)")
    #expect(
      try TemporaryFolder.contents(folder.path("map.png"))
        == (try TemporaryFolder.contents(folder.path("plain.png"))))
    // The picture for the display's size comes first.
    #expect(
      try run("add", "menu", try write(0xff10_2030, 160, 96), "--size", "160x96").status == 0)
    #expect(try heatmap("menu").error == "")
    #expect(try PictureFile(folder.path("map.png")).value(150, 90) == 0xff10_2030)
  }

  @Test func `compare draws on the pictures of the folder`() throws {
    let key = SampleStore.key("menu", try geometry())
    let own = try TemporaryFolder()
    let store = try SampleStore.make(
      [
        SampleStore.session(1, tags: ["build": "1"], [key: [Block(column: 2, row: 1): 5]]),
        SampleStore.session(
          2, after: 60, tags: ["build": "2"], [key: [Block(column: 4, row: 3): 2]]),
      ], in: own)
    #expect(try run("add", "menu", try write(0xff20_a040)).status == 0)
    func hasPicture(_ options: String...) throws -> Bool {
      let path = own.path("difference.png")
      let result = try Program.run(
        ["compare", "build=1", "build=2", "--store", store, "-o", path] + options,
        environment: ["TOUCHGRID_PICTURES": pictures.path], in: own)
      #expect(result.status == 0, "\(result.error)")
      return try Background(file: TemporaryFolder.contents(path), name: "").pixels.values
        .contains(0xff20_a040)
    }
    #expect(try hasPicture())
    #expect(try !hasPicture("--no-background"))
  }

  @Test func `report has the pictures of the folder, and does not remark on missing ones`() throws {
    func screens(_ options: String..., pictures: String) throws -> (Program.Result, [JSONValue]) {
      let result = try folder.run(
        ["report", "--json", "--store", store] + options,
        environment: ["TOUCHGRID_PICTURES": pictures])
      #expect(result.status == 0, "\(result.error)")
      return (result, try #require(result.json["screens"]?.elements))
    }
    func hasPicture(_ screen: JSONValue) -> Bool { screen["screenshot"]?["width"] != nil }
    func hasRemark(_ screen: JSONValue) -> Bool { screen["remark"]?.string != nil }
    let (none, plain) = try screens(pictures: folder.path("none"))
    #expect(none.error == "" && !plain.contains { hasPicture($0) || hasRemark($0) })
    #expect(try run("add", "menu", try write(1, 320, 192)).status == 0)
    let (some, illustrated) = try screens(pictures: pictures.path)
    #expect(some.error == "")
    #expect(illustrated.filter(hasPicture).map { $0["screen"] } == ["menu"])
    #expect(!illustrated.contains(where: hasRemark))
    let (_, without) = try screens("--no-screens", pictures: pictures.path)
    #expect(!without.contains { hasPicture($0) || hasRemark($0) })
    // A folder that the user names is expected to have all pictures.
    let (named, _) = try screens("--screens", pictures.path, pictures: folder.path("none"))
    #expect(named.error.contains("checkout/pay: No screenshot"), "\(named.error)")
  }
}
