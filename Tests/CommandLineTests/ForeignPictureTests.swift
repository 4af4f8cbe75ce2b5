import Glibc
import Heatmaps
import TestSupport
import Testing

/// `touchgrid picture` as root in a folder where another user can replace any file, and as another
/// user in root's folder.
@Suite(.enabled(if: geteuid() == 0, "only root can work for another user"))
struct ForeignPictureTests {
  private let place: ForeignFolder

  init() throws {
    place = try ForeignFolder()
    try place.addPictures()
  }

  @Test func `Root's files are safe from a link to a folder of root's`() throws {
    #expect(unsafe symlink(place.own.path("pictures"), place.theirs.path("checkout")) == 0)
    try place.give()
    for command in [
      "picture add checkout/menu O/shot --folder T", "picture remove checkout/menu --folder T",
      "picture show checkout/menu --folder T -o O/copy",
    ] {
      let result = try place.run(command)
      #expect(result.status == 1, "\(result)")
    }
    #expect(
      try TemporaryFolder.contents(place.own.path("pictures/menu.webp"))
        == (try SamplePicture.webp(2, 160, 96)))
    // The pictures of a folder that a link leads to are not listed.
    #expect(try !place.run("picture list --folder T").text.contains("checkout"))
  }

  @Test func `Pictures in another user's folder belong to that user, and in root's to root`() throws
  {
    let added = try place.run("picture add a/b O/shot --folder T")
    #expect(added.status == 0, "\(added)")
    for name in ["a", "a/b.webp"] {
      #expect(fileStatus(place.theirs.path(name)).st_uid == ForeignFolder.user)
    }
    #expect(unsafe chown(place.own.path("pictures"), 0, 12_346) == 0)
    #expect(unsafe chmod(place.own.path("pictures"), 0o750) == 0)
    // The other user may have replaced the file that root names, but not by one of root's.
    #expect(try place.run("picture add a/b T/menu.webp --folder O/pictures").status == 0)
    for (name, mode) in [("a", S_IFDIR | 0o750), ("a/b.webp", S_IFREG | 0o640)] {
      let status = fileStatus(place.own.path("pictures/\(name)"))
      #expect(status.st_uid == 0 && status.st_gid == 12_346 && status.st_mode == mode, "\(name)")
    }
  }

  @Test func `Root writes in no folder that several users can write in`() throws {
    let folder = place.own.path("pictures")
    #expect(unsafe chmod(folder, 0o1777) == 0)
    let shared = try place.run("picture add menu O/shot --folder O/pictures")
    #expect(
      shared.status == 1 && shared.error.contains("root does not use the folder"), "\(shared)")
    #expect(unsafe chmod(folder, 0o755) == 0)
    // A subfolder of another user.
    #expect(unsafe mkdir(folder + "/a", 0o755) == 0 && chown(folder + "/a", 12_345, 12_346) == 0)
    for verb in ["add a/b O/shot", "remove a/b"] {
      let result = try place.run("picture \(verb) --folder O/pictures")
      #expect(
        result.status == 1 && result.error.contains("the user 12345 can replace"), "\(result)")
    }
    #expect(try FolderListing.names(folder + "/a") == [])
  }

  @Test func `Root reads the store of another user, and writes in its own folder`() throws {
    try place.own.write(try SamplePicture.webp(1, 160, 90), to: "wide")
    let refused = try place.run("picture add menu O/wide --store S --folder O/pictures")
    #expect(
      refused.status == 1 && refused.error.contains("has the shape of 160 x 96"), "\(refused)")
    let added = try place.run("picture add menu O/shot --store S --folder O/pictures")
    #expect(added.status == 0 && added.error == "", "\(added)")
    let list = try place.run("picture list --store S --folder O/pictures")
    #expect(list.status == 0 && list.text.hasSuffix("  HDMI-A-1\n"), "\(list)")
    place.set(.link, at: "store.db")
    let linked = try place.run("picture add menu O/shot --store S --folder O/pictures")
    try place.expectSafe(linked)
    #expect(linked.status == 1, "\(linked)")
  }

  @Test func `Only the group of the folder may read it, and only root may change it`() throws {
    let folder = place.own.path("pictures")
    #expect(unsafe chmod(place.own.path, 0o755) == 0)
    #expect(unsafe chown(folder, 0, 12_347) == 0 && chmod(folder, 0o750) == 0)
    #expect(unsafe chown(folder + "/menu.webp", 0, 12_347) == 0)
    #expect(unsafe chmod(folder + "/menu.webp", 0o640) == 0)
    func run(_ words: [String], groups: String) throws -> Program.Result {
      try Program.run(
        ["--reuid", "12345", "--regid", "12346", groups, try Program.path] + words,
        program: "setpriv", environment: ["TOUCHGRID_PICTURES": folder], in: place.own)
    }
    let (member, stranger) = ("--groups=12347", "--clear-groups")
    #expect(
      try run(["picture", "show", "menu"], groups: member).output
        == (try SamplePicture.webp(2, 160, 96)))
    #expect(try run(["picture"], groups: member).text.contains("menu.webp"))
    for groups in [member, stranger] {
      for words in [["add", "menu", "/nowhere"], ["remove", "menu"]] {
        let result = try run(["picture"] + words, groups: groups)
        #expect(result.status == 1 && result.error.contains("run this with sudo"), "\(result)")
      }
    }
    for words in [["show", "menu"], ["list"]] {
      let result = try run(["picture"] + words, groups: stranger)
      #expect(result.status == 1 && result.error.contains("group touchgrid-read"), "\(result)")
    }
    // Maps are then drawn without pictures.
    let map = place.theirs.path("map.png")
    let drawn = try run(["heatmap", "menu", "--store", place.store, "-o", map], groups: stranger)
    #expect(drawn.status == 0 && drawn.error == "", "\(drawn)")
    #expect(try !PictureFile(map).pixels.values.contains(0xff00_0002))
    let seen = try run(["heatmap", "menu", "--store", place.store, "-o", map], groups: member)
    #expect(seen.status == 0, "\(seen)")
    #expect(try PictureFile(map).pixels.values.contains(0xff00_0002))
  }
}
