import Glibc
import Heatmaps
import LinuxIO
import TestSupport
import Testing
import Text

@testable import TouchgridCommands

/// What the command line accepts from the process that takes a picture, which another user could
/// replace. `Tests/Apps/test_pictures.py` takes real pictures.
@Suite struct TakenPictureTests {
  private static let follower = RunningFollower(
    owner: PathControl.Owner(user: 12_345, group: 12_346), start: RunningFollower.Start())

  private func failure(_ text: String, of screen: String? = nil) -> String? {
    do throws(Failure) {
      _ = try TakenPicture(Array(text.utf8), of: screen, by: Self.follower)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `A picture of the wanted screen is accepted, without its metadata`() throws {
    let png = try SamplePicture.png(1, 32, 20)
    let text = #"{"screen":"a/b","display":"A","type":"image/png","data":"\#(base64(png))"}"#
    for screen in ["a/b", nil] {
      let taken = try TakenPicture(Array(text.utf8), of: screen, by: Self.follower)
      #expect(taken.screen == "a/b" && taken.picture.bytes == png)
    }
    #expect(failure(text, of: "a")?.hasSuffix("it sent a picture of the screen a/b") == true)
  }

  @Test(arguments: [
    ("", "it ended without an answer"), ("x", "it sent no valid answer"),
    ("{}", "it sent no valid answer"), (#"{"screen":"a"}"#, "it sent no valid answer"),
    (#"{"screen":"a","data":"x"}"#, "it sent no valid answer"),
    (#"{"screen":"a","data":"!!!!"}"#, "it sent no valid answer"),
    (#"{"screen":"","data":""}"#, "it sent no valid answer"),
    (#"{"screen":"a\u001bb","data":"AAAA"}"#, "it sent no valid answer"),
    (#"{"screen":1,"data":"AAAA"}"#, "it sent no valid answer"),
    (#"{"screen":"a","data":""}"#, "its picture is empty"),
    (#"{"screen":"a","data":"R0lGODlh"}"#, "its picture is a GIF; save it as PNG, JPEG or WebP"),
    (#"{"screen":"a","data":"iVBORw0KGgo="}"#, "its picture is broken; save it again"),
    (#"{"error":"no\u001b[2Jpage"}"#, "no\\u{1b}[2Jpage"),
  ])
  func `Any other answer is an error`(text: String, reason: String) {
    #expect(
      failure(text) == "no picture from touchgrid-follow of the user 12345: \(reason)")
  }

  // MARK: Processes

  /// Makes what `/proc` has of a process.
  private func add(
    _ process: Int, _ words: [String], _ variables: [String] = [], name: String = "touchgrid-follo",
    user: Int = 12_345, group: Int = 12_346, in folder: TemporaryFolder
  ) throws {
    for path in ["proc", "proc/\(process)"] { unsafe mkdir(folder.path(path), 0o755) }
    func write(_ text: String, _ name: String) throws {
      try folder.write(text, to: "proc/\(process)/\(name)")
    }
    try write(name + "\n", "comm")
    try write("Name:\tx\nUid:\t\(user)\t0\t0\t0\nGid:\t\(group)\t0\t0\t0\n", "status")
    try write((["touchgrid-follow"] + words).map { $0 + "\0" }.joined(), "cmdline")
    try write(variables.map { $0 + "\0" }.joined(), "environ")
    unsafe symlink("/home/kiosk", folder.path("proc/\(process)/cwd"))
  }

  private static let other = PathControl.Owner(user: 12_347, group: 12_346)

  @Test func `Running followers are found with their users, configurations and sockets`() throws {
    let folder = try TemporaryFolder()
    try add(10, [], in: folder)
    // The same again, and programs that follow no browser by a configuration.
    try add(11, [], in: folder)
    try add(12, ["--native-messaging"], in: folder)
    try add(13, ["--take-picture"], in: folder)
    try add(14, [], name: "touchgrid-overl", in: folder)
    try add(20, ["--config", "own.toml", "--socket=/s"], user: 12_347, in: folder)
    try add(
      21, ["--config=/etc/x.toml"],
      ["HOME=/home/a", "LD_PRELOAD=/tmp/x.so", "TOUCHGRID_SOCKET=/run/t", "broken", "PATH=/tmp"],
      in: folder)
    try folder.write("", to: "proc/uptime")
    let processes = FollowerProcess.all(root: folder.path)
    #expect(
      processes.count == 6 && Set(processes.map(\.owner)) == [Self.follower.owner, Self.other])
    func starts(_ owner: PathControl.Owner) -> [RunningFollower.Start] {
      // The folder of another user's process is that of a process which got the number later.
      RunningFollower.starts(of: processes.map(\.folder), owner)
    }
    let found = starts(Self.follower.owner)
    #expect(found.count == 2 && found.first == RunningFollower.Start())
    #expect(found.last?.config == "/etc/x.toml")
    #expect(
      found.last?.environment == ["HOME": "/home/a", "TOUCHGRID_SOCKET": "/run/t"])
    let others = starts(Self.other)
    #expect(others.map(\.config) == ["/home/kiosk/own.toml"] && others.map(\.socket) == ["/s"])
  }

  @Test func `Only root and the members of a group count`() throws {
    func process(_ user: UInt32, _ group: UInt32) throws -> FollowerProcess {
      let folder = try TemporaryFolder()
      try add(10, [], user: Int(user), group: Int(group), in: folder)
      return try #require(FollowerProcess.all(root: folder.path).first)
    }
    #expect(try process(0, 0).isRootOrHas(group: nil))
    #expect(try !process(12_345, 12_346).isRootOrHas(group: nil))
    #expect(try !process(12_345, 12_346).isRootOrHas(group: 60))
    #expect(try process(12_345, 60).isRootOrHas(group: 60))
    // Debian's user "games", whose group is 60. The process for pictures gets the user's groups.
    #expect(try process(5, 12_346).isRootOrHas(group: 60))
    #expect(try !process(5, 12_346).isRootOrHas(group: 12_346))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can start a process as another user"))
  func `Reading how followers were started has a time limit`() throws {
    let folder = try TemporaryFolder()
    try add(10, ["--config=/x"], in: folder)
    let processes = FollowerProcess.all(root: folder.path)
    #expect(throws: Failure.self) { _ = try RunningFollower.all(processes, within: 0) }
  }

  @Test func `take needs root and one screen`() throws {
    let folder = try TemporaryFolder()
    for words in [[], ["menu", "--current"]] {
      let result = try Program.run(["picture", "take"] + words, in: folder)
      #expect(result.status == 64 && result.error.contains("a screen, or --current"), "\(result)")
    }
    let result = try Program.run(
      ["picture", "take", "../x", "--folder", folder.path], in: folder)
    #expect(result.status == 1 && result.error.contains("not a valid file name"), "\(result)")
  }

  @Test func `touchgrid-follow prints why it takes no picture`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.write("[[source]]\nkind = \"pipe\"\npath = \"-\"\n", to: "follow.toml")
    let broken = try folder.write("[[source]]\nkind = \"x\"\n", to: "broken.toml")
    let devTools = try folder.write("[[source]]\nkind = \"devtools\"\nport = 9\n", to: "d.toml")
    for (config, reason) in [
      (config, "follows no browser through DevTools"), (broken, "broken.toml:2"),
      (devTools, "no daemon answers"), (folder.path("none.toml"), "none.toml"),
    ] {
      let result = try Program.run(
        ["--take-picture", "--config", config, "--socket", folder.path("none")],
        program: Program.path + "-follow", in: folder)
      #expect(result.status != 0, "\(config)")
      let text = try #require(failure(result.text), "\(config)")
      #expect(text.contains(reason), "\(text)")
    }
    let both = try Program.run(
      ["--take-picture", "--dry-run"], program: Program.path + "-follow", in: folder)
    #expect(both.status == 64 && both.error.contains("can only be combined"))
  }
}
