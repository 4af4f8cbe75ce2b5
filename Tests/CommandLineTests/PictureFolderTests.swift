import Foundation
import Glibc
import TestSupport
import Testing

@testable import TouchgridCommands

/// `touchgrid picture`.
@Suite struct PictureFolderTests {
  private let folder: TemporaryFolder
  private let picture: String

  init() throws {
    folder = try TemporaryFolder()
    #expect(unsafe mkdir(folder.path("kept"), 0o2750) == 0)
    // A screenshot of 1280 x 800 pixels.
    picture =
      URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Recordings/screens/advert.png").standardized.path
  }

  private func run(_ words: [String], environment: [String: String] = [:]) throws -> Program.Result
  {
    try Program.run(
      ["picture", words[0], "--folder", folder.path("kept")] + words.dropFirst(),
      environment: environment, in: folder)
  }

  private func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path("kept"))
      .filter { $0.contains(".") }.sorted()
  }

  @Test func `A picture is kept, listed, shown and removed`() throws {
    #expect(try run(["add", "--", "checkout/pay", picture]).status == 0)
    #expect(try run(["add", "--size", "1280x800", "--", "--help", picture]).status == 0)
    #expect(try names() == ["--help@1280x800.png", "checkout/pay.png"])
    let list = try run(["list"]).text
    #expect(
      list.contains("checkout/pay: 1280 x 800 pixels")
        && list.contains("--help for 1280x800: 1280 x 800 pixels"), "\(list)")
    let shown = folder.path("shown.png")
    #expect(try run(["show", "-o", shown, "--", "checkout/pay"]).status == 0)
    #expect(try TemporaryFolder.contents(shown) == TemporaryFolder.contents(picture))
    #expect(try run(["remove", "--", "checkout/pay"]).status == 0)
    #expect(try names() == ["--help@1280x800.png"])
    let gone = try run(["remove", "--", "checkout/pay"])
    #expect(gone.status == 1 && gone.error.contains("there is no picture of screen checkout/pay"))
  }

  @Test func `A new picture replaces the old one whatever its ending`() throws {
    _ = try folder.write("no picture", to: "kept/menu.jpeg")
    #expect(try run(["list"]).text.contains("menu: not used"))
    #expect(try run(["add", "--", "menu", picture]).status == 0)
    #expect(try names() == ["menu.png"])
    var status = stat()
    #expect(unsafe lstat(folder.path("kept/menu.png"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test func `The size decides which picture is shown`() throws {
    #expect(try run(["add", "--size", "640x400", "--", "menu", picture]).status == 0)
    #expect(try run(["show", "--size", "640x400", "-o", "a.png", "--", "menu"]).status == 0)
    #expect(try run(["show", "--size", "1280x800", "-o", "b.png", "--", "menu"]).status == 1)
  }

  @Test(arguments: ["../out", "a/../../out", ".hidden", "a//b", "/etc/out", ""])
  func `A screen whose name is no path in the folder has no picture`(screen: String) throws {
    let result = try run(["add", "--", screen, picture])
    #expect(result.status == 1 && result.error.contains("cannot have a file"), "\(result)")
    #expect(try names() == [])
  }

  @Test func `No link leads out of the folder`() throws {
    #expect(unsafe mkdir(folder.path("out"), 0o755) == 0)
    _ = try folder.write("keep", to: "out/x.jpg")
    #expect(unsafe symlink(folder.path("out"), folder.path("kept/out")) == 0)
    for words in [["add", "--", "out/x", picture], ["remove", "--", "out/x"]] {
      let result = try run(words)
      #expect(result.status == 1 && result.error.contains("is no folder, but a link"), "\(result)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == ["x.jpg"])
  }

  @Test func `What is no picture, and one of another shape, is refused`() throws {
    let text = try folder.write("GIF89a", to: "x.png")
    let wrong = try run(["add", "--", "menu", text])
    #expect(wrong.status == 1 && wrong.error.contains("GIF"), "\(wrong)")
    let shape = try run(["add", "--size", "800x800", "--", "menu", picture])
    #expect(shape.status == 1 && shape.error.contains("not the shape of 800x800"), "\(shape)")
    #expect(try run(["add", "--size", "800", "--", "menu", picture]).status == 64)
    #expect(try names() == [])
  }
}
