import Glibc
import Heatmaps
import Storage
import TestSupport
import Testing
import Text
import TouchModel
import TouchgridAPI

@testable import TouchgridCommands

/// `touchgrid picture` in a folder of the same user. `ForeignFolderTests` and
/// `ForeignPictureTests` test folders of other users.
@Suite final class PictureVerbTests: UsualStoreSuite {
  /// The folder of the pictures.
  let pictures: TemporaryFolder

  override init() throws {
    pictures = try TemporaryFolder()
    try super.init()
  }

  func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Program.Result {
    try Program.run(
      ["picture"] + arguments,
      environment: ["TOUCHGRID_PICTURES": pictures.path].merging(environment) { $1 }, in: folder)
  }

  func write(
    _ colour: UInt32 = 0xffff_0000, _ width: Int = 160, _ height: Int = 96,
    to name: String = "shot"
  ) throws -> String {
    try folder.write(try SamplePicture.webp(colour, width, height), to: name)
  }

  private func list() throws -> [JSONValue] {
    let result = try run("--json", "--store", store)
    #expect(result.status == 0, "\(result.error)")
    #expect(try result.json["folder"]?.string == pictures.path)
    return try #require(result.json["pictures"]?.elements)
  }

  @Test func `A picture is added, listed, shown and removed`() throws {
    let shot = try write()
    let added = try run("add", "checkout/pay", shot, "--store", store)
    #expect(added.status == 0 && added.text == pictures.path("checkout/pay.webp") + "\n")
    let other = try run("add", "Menu", shot, "--store", store)
    #expect(other.error.contains("no such screen was shown; did you mean 'menu'?"))
    #expect(try run("remove", "Menu").status == 0)
    #expect(try run("add", "menu", try write(0xff00_ff00, 320, 192), "--store", store).status == 0)
    let sized = try run("add", "menu", try write(0xff00_00ff, 80, 128), "--size", "800x1280")
    #expect(sized.status == 0, "\(sized.error)")

    let list = try list()
    #expect(
      list.map { $0["file"] } == ["checkout/pay.webp", "menu.webp", "menu@800x1280.webp"])
    #expect(list.map { $0["screen"] } == ["checkout/pay", "menu", "menu"])
    #expect(list[1]["width"]?.int == 320 && list[1]["type"] == "image/webp")
    #expect(
      list[1]["shown"]
        == [["display": "HDMI-A-1", "fits": .bool(true), "geometry": "160x96"]])
    // The screen was not shown on a display of this size.
    #expect(list[2]["size"] == ["height": .integer(1280), "width": .integer(800)])
    #expect(list[2]["shown"] == [])
    let table = try run("list", "--store", store).text.split(separator: "\n")
    #expect(table.count == 4 && table[0].hasPrefix("SCREEN  "))
    #expect(table[2].hasPrefix("menu ") && table[2].hasSuffix("  HDMI-A-1"), "\(table)")
    #expect(table[3].hasSuffix("  not shown yet"), "\(table)")

    let shown = try run("show", "checkout/pay")
    #expect(shown.output == (try SamplePicture.webp(0xffff_0000, 160, 96)))
    #expect(try run("show", "menu", "-o", folder.path("copy")).status == 0)
    #expect(
      try TemporaryFolder.contents(folder.path("copy"))
        == (try SamplePicture.webp(0xff00_ff00, 320, 192)))

    #expect(try run("remove", "checkout/pay").status == 0)
    #expect(try pictures.names == ["menu.webp", "menu@800x1280.webp"])
    #expect(try run("remove", "menu").status == 0)
    let again = try run("remove", "menu")
    #expect(again.status == 1 && again.error.contains("the screen has --size 800x1280"))
    #expect(try run("show", "menu").error.contains("there is no readable picture menu in "))
    #expect(try run("remove", "menu", "--size", "800x1280").status == 0)
    #expect(try run("list").error.contains("there are no pictures in \(pictures.path)"))
  }

  @Test func `A picture comes from standard input, and loses its metadata`() throws {
    let png = try SamplePicture.png(0xff12_3456, 160, 96)
    // A chunk of text after the header, which ends at byte 33. Its checksum is not looked at.
    let text = Array("Author\0Ann".utf8)
    let talking =
      png[..<33] + [0, 0, 0, UInt8(text.count)] + Array("tEXt".utf8) + text + [0, 0, 0, 0]
      + png[33...]
    let file = try folder.write(Array(talking), to: "talking")
    let result = try Program.run(
      [
        "-c", "exec \"$0\" picture add menu - --folder \"$1\" <\"$2\"", try Program.path,
        pictures.path, file,
      ], program: "sh", in: folder)
    #expect(result.status == 0, "\(result.error)")
    let kept = try TemporaryFolder.contents(pictures.path("menu.png"))
    #expect(kept.count < talking.count && !String(decoding: kept, as: UTF8.self).contains("Ann"))
    #expect(try Background(file: kept, name: "").pixels.values.allSatisfy { $0 == 0xff12_3456 })
  }

  @Test func `A new picture replaces the old one, whatever its ending`() throws {
    let webp = try SamplePicture.webp(0xffff_0000, 160, 96)
    let jpeg = try EncodedPicture.jpeg(
      Array(repeating: 0xff00_ff00, count: 160 * 96), width: 160)
    let png = try SamplePicture.png(0xff00_00ff, 160, 96)
    for (bytes, ending) in [
      (webp, "webp"), (jpeg, "jpg"), (png, "png"), (jpeg, "jpg"), (webp, "webp"), (png, "png"),
      (png, "png"),
    ] {
      #expect(try run("add", "a/b", try folder.write(bytes, to: "shot")).status == 0)
      #expect(try FolderListing.names(pictures.path("a")) == ["b.\(ending)"])
    }
    // A file of the user's own, with the fourth ending.
    try pictures.write(webp, to: "menu.jpeg")
    #expect(try run("add", "menu", try folder.write(png, to: "shot")).status == 0)
    #expect(try pictures.names == ["a", "menu.png"])
  }

  @Test func `A screen whose name cannot be that of a file is refused`() throws {
    let shot = try write()
    for (name, words) in [
      ("../menu", "is not a valid file name"), ("/etc/menu", "is not a valid file name"),
      ("a//b", "is not a valid file name"), ("a/.b", "is not a valid file name"),
      (".", "is not a valid file name"), ("a/", "is not a valid file name"),
      ("a/b/c/d/e/f/g/h/i/j", "8 slashes"), ("", "is not the name of a screen"),
      ("tab\there", "tab\\u{9}here is not the name of a screen"),
      (String(repeating: "x", count: 129), "is not the name of a screen"),
      ("menu@800x1280", "would be that of the screen menu on displays of 800x1280"),
    ] {
      let result = try run("add", "--", name, shot)
      #expect(result.status == 1 && result.error.contains(words), "\(result)")
    }
    for verb in ["remove", "show"] {
      let result = try run(verb, "--", "../menu")
      #expect(result.status == 1 && result.error.contains("is not a valid file name"), "\(result)")
    }
    #expect(try pictures.names == [])
  }

  @Test func `Unusual names are those of files`() throws {
    for name in [
      "a.b", "a@b", "menu@800x", "menu@0800x1280", "a.png", String(repeating: "é", count: 64),
    ] {
      #expect(try run("add", name, try write()).status == 0, "\(name)")
      let shown = try run("show", name)
      #expect(shown.status == 0, "\(shown.error)")
    }
    #expect(try list().count == 6)
    #expect(try list().contains { $0["screen"] == "menu@800x" && $0["size"] == nil })
    // A file lies where the folder would be.
    try pictures.write("", to: "taken")
    let taken = try run("add", "taken/menu", try write())
    #expect(taken.status == 1 && taken.error.contains("cannot be written"), "\(taken)")
    for size in ["800", "0x0", "20000x10", "800x1280x2", "+8x8"] {
      let result = try run("add", "menu", "x", "--size", size)
      #expect(
        result.status == 64 && result.error.contains("in points, such as 800x1280"), "\(size)")
    }
  }

  @Test func `A picture that does not have the display's shape is refused, with the right size`()
    throws
  {
    let wide = try write(0xffff_0000, 160, 90)
    let result = try run("add", "menu", wide, "--store", store)
    #expect(result.status == 1)
    #expect(
      result.error.contains("has 160 x 90 pixels, but the screen menu has the shape of 160 x 96"),
      "\(result.error)")
    // A screen that was never shown may have any shape.
    #expect(try run("add", "new", wide, "--store", store).status == 0)
    // Without a known display, --size says the shape.
    let sized = try run("add", "new", wide, "--size", "160x96", "--store", store)
    #expect(sized.status == 1 && sized.error.contains("has the shape of 160 x 96"))
    let missing = try run("add", "menu", wide, "--store", folder.path("none.db"))
    #expect(missing.status == 1 && missing.error.contains("none.db"), "\(missing)")
    #expect(try list().map { $0["screen"] } == ["new"])
    // A file of another program is listed with what is wrong with it.
    try pictures.write(TemporaryFolder.contents(wide), to: "menu.png")
    try pictures.write("GIF89a", to: "pay.png")
    let table = try run("list", "--store", store).text
    #expect(table.contains("none: shown at 160x96"), "\(table)")
    #expect(table.contains("pay.png is a GIF"), "\(table)")
  }

  @Test func `The daemon knows the displays, too`() throws {
    let geometry = try #require(DisplayGeometry(pixelWidth: 320, pixelHeight: 200, scale: 2))
    let reply = API.ListScreens.Reply(screens: [
      API.Screen(
        key: GridKey(display: "A", screen: "menu", geometry: geometry), sessions: 1, touches: 1,
        shownMilliseconds: 1)
    ])
    let daemon = try StubDaemon(in: folder, ["ListScreens": .reply(reply)])
    let refused = try run("add", "menu", try write(), "--socket", daemon.path)
    #expect(refused.error.contains("has the shape of 320 x 200 (160 x 100 points)"), "\(refused)")
    #expect(try run("add", "menu", try write(1, 160, 100), "--socket", daemon.path).status == 0)
    #expect(try run("list", "--socket", daemon.path).text.hasSuffix("  A\n"))
  }

  @Test func `The folder has limits`() throws {
    let large = try folder.write(Array(repeating: 0, count: 6 << 20 + 1), to: "large")
    let refused = try run("add", "menu", large)
    #expect(refused.status == 1 && refused.error.contains("larger than 6 MiB"), "\(refused)")
    for number in 0..<999 { try pictures.write("x", to: "\(number).png") }
    #expect(try run("add", "menu", try write()).status == 0)
    let full = try run("add", "other", try write())
    #expect(full.status == 1 && full.error.contains("may have 1,000 pictures of 64 MiB"), "\(full)")
    // A picture may still be replaced.
    #expect(try run("add", "menu", try write(1)).status == 0)
    for number in 0..<999 { unsafe unlink(pictures.path("\(number).png")) }
    let file = unsafe open(pictures.path("big.png"), O_WRONLY | O_CREAT, 0o600)
    #expect(ftruncate(file, 64 << 20) == 0)
    close(file)
    #expect(try run("add", "other", try write()).error.contains("is full"))
    #expect(try run("add", "big", try write()).status == 0)
  }

  @Test func `A folder that is missing or cannot be changed is an error that says what to do`()
    throws
  {
    let missing = try run("add", "menu", "x", "--folder", folder.path("none"))
    #expect(missing.error.contains("none cannot be opened: No such file or directory; create it"))
    #expect(try run("list", "--folder", folder.path("none")).status == 1)
    let none = try run("list", environment: ["TOUCHGRID_PICTURES": folder.path("none")])
    #expect(none.status == 0 && none.error.contains("there are no pictures"), "\(none)")
    let file = try run("add", "menu", "x", "--folder", store)
    #expect(file.error.contains("is not a folder"), "\(file)")
  }
}
