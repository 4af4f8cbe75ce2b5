import FoundationEssentials
import Glibc
import LinuxIO
import Synchronization
import TestSupport
import Testing
import TouchgridAPI

@testable import TouchgridCommands

/// `--save` of `touchgrid mask` and `touchgrid control`, with a real `touchgridd --check`.
@Suite final class SaveTests: FolderSuite {
  /// How long to wait for a lock, in ms: a program that another test starts may hold it until it runs.
  private static let patience: Int32 = 10_000
  private static let start = "# ours\r\n[session]\r\nidle_timeout = \"30s\" # short\r\n"

  private var path: String { folder.path("touchgridd.toml") }

  private func set(_ text: String) throws { _ = try folder.write(text, to: "touchgridd.toml") }

  private func text(_ name: String = "touchgridd.toml") throws -> String {
    try folder.text(name)
  }

  private func run(_ words: String...) throws -> Program.Result {
    try Program.run(words + ["--save", "--config", path], in: folder)
  }

  private func expect(
    failure reason: String, keeping kept: String, _ words: String...,
    at place: SourceLocation = #_sourceLocation
  ) throws {
    let result = try Program.run(words + ["--save", "--config", path], in: folder)
    #expect(result.status == 1 && result.text == "", "\(result)", sourceLocation: place)
    #expect(result.error.contains(reason), "\(result.error)", sourceLocation: place)
    #expect(try text() == kept, sourceLocation: place)
  }

  private static var masks: [String: StubDaemon.Answer] {
    [
      "GetMasks": .reply(SampleReplies.masks()),
      "AddMask": .reply(API.NoReply()),
    ]
  }

  // MARK: Masks

  @Test func `A mask is added to the configuration and removed from it`() throws {
    try set(Self.start)
    #expect(unsafe chmod(path, 0o640) == 0)
    let added = try run(
      "mask", "add", "pin \"1\"", "--display", "DSI-1", "--rectangle", "0,10.5,20,30")
    #expect(added.status == 0 && added.text.contains("added to \(path): the mask"), "\(added)")
    #expect(
      try text() == Self.start
        + "\r\n[[mask]]\r\nscreen = \"pin \\\"1\\\"\"\r\ndisplay = \"DSI-1\"\r\nx = 0\r\n"
        + "y = 10.5\r\nwidth = 20\r\nheight = 30\r\n")
    #expect(try text("touchgridd.toml.old-save") == Self.start)
    #expect(fileStatus(path).st_mode & 0o777 == 0o640)
    let removed = try run(
      "mask", "remove", "pin \"1\"", "--display", "DSI-1", "--rectangle", "0,10.5,20,30")
    #expect(removed.status == 0 && removed.text.contains("removed from"), "\(removed)")
    #expect(try text() == Self.start)
  }

  @Test func `The same mask is not added again`() throws {
    let start = "[[mask]]\nscreen = \"cafe\\u0301\"\n"
    try set(start)
    let result = try run("mask", "add", "café")
    #expect(result.status == 0 && result.text.contains("has the mask already"), "\(result)")
    #expect(try text() == start)
  }

  @Test func `A mask that is removed must match in every member`() throws {
    let start = "[[mask]]\nscreen = \"pin\"\nx=0\ny=0\nwidth=9\nheight=9\n[[mask]]\nscreen=\"b\"\n"
    try set(start)
    let list = "it has: \"pin\" at 0,0,9,9; \"b\""
    try expect(failure: list, keeping: start, "mask", "remove", "pin")
    try expect(
      failure: list, keeping: start, "mask", "remove", "pin", "--rectangle", "0,0,9,8")
    try expect(failure: list, keeping: start, "mask", "remove", "b", "--display", "DSI-1")
    #expect(try run("mask", "remove", "b").status == 0)
    #expect(try !text().contains("\"b\"") && text().contains("\"pin\""))
  }

  @Test func `Without a configuration nothing is written`() throws {
    let result = try run("mask", "add", "pin")
    #expect(result.status == 1 && result.error.contains("touchgrid setup"), "\(result)")
    #expect(unsafe access(path, F_OK) != 0)
  }

  @Test func `A wrong result changes nothing`() throws {
    try set(Self.start)
    try expect(failure: "invalid", keeping: Self.start, "mask", "add", "a\nb")
    try expect(
      failure: "invalid", keeping: Self.start, "control", "add", "pay", "", "0,0,9,9")
    let inline = "mask = [{screen = \"a\"}]\n"
    try set(inline)
    try expect(failure: "by hand", keeping: inline, "mask", "add", "b")
    try expect(failure: "by hand", keeping: inline, "mask", "remove", "a")
    let wrong = "[sesion]\n"
    try set(wrong)
    try expect(failure: "sesion", keeping: wrong, "mask", "add", "b")
    #expect(unsafe access(folder.path("touchgridd.toml.old-save"), F_OK) != 0)
  }

  @Test func `--config needs --save`() throws {
    let result = try Program.run(["mask", "add", "pin", "--config", path], in: folder)
    #expect(result.status == 64 && result.error.contains("--save"), "\(result)")
    #expect(try run("mask", "add", "pin", "--json").status == 64)
  }

  @Test func `Several processes lose no mask of each other`() throws {
    try set(Self.start)
    let others = try (0..<8).map { number in
      let own = try TemporaryFolder()
      let running = try Program.start(
        ["mask", "add", "screen \(number)", "--save", "--config", path], in: own)
      return (own, running)
    }
    for (_, running) in others { #expect(try running.finish().status == 0) }
    let written = try text()
    #expect((0..<8).allSatisfy { written.contains("\"screen \($0)\"") }, "\(written)")
  }

  /// Whether a setup has read the file and ignores Ctrl-C, which it does before it locks the folder,
  /// and has the folder open.
  private func isLocking(_ setup: pid_t) throws -> Bool {
    let place = "/proc/\(setup)"
    let status = String(decoding: try TemporaryFolder.contents("\(place)/status"), as: UTF8.self)
    let ignored = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }
      .flatMap { $0.split(separator: "\t").last }.flatMap { UInt64($0, radix: 16) }
    guard try #require(ignored) >> UInt64(SIGINT - 1) & 1 == 1 else { return false }
    return try FolderListing.names("\(place)/fd").contains {
      let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(place)/fd/\($0)")
      return file == folder.path
    }
  }

  @Test func `A setup waits for a process that saves, and replaces nothing that it has not seen`()
    throws
  {
    try set(Self.start)
    let former = try text()
    let other = try TemporaryFolder()
    let setup: Program.Running
    do {
      let lock = try FileLock(folder: folder.path, within: Self.patience)
      setup = try Program.start(
        ["setup", "--no-questions", "--no-masks", "--replace", "--config", path], in: other)
      // It has read the file, and tries to lock the folder again and again.
      try waitUntil { try isLocking(setup.process) }
      #expect(try text() == former)
      try set(Self.start + "[[mask]]\nscreen = \"pin\"\n")
      _ = consume lock
    }
    let result = try setup.finish()
    #expect(result.status == 1 && result.error.contains("was changed meanwhile"), "\(result)")
    #expect(try text().contains("pin"))
  }

  @Test func `The daemon masks at once`() throws {
    try set(Self.start)
    let wished = Mutex<[String]>([])
    let daemon = try StubDaemon(
      in: folder,
      [
        "GetMasks": .reply(SampleReplies.masks()),
        "AddMask": .asked { [path] _ in
          // The file comes later.
          let bytes = (try? TemporaryFolder.contents(path)) ?? []
          wished.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
          return .reply(API.NoReply())
        },
      ])
    let result = try run("mask", "add", "pin", "--socket", daemon.path)
    #expect(result.status == 0, "\(result)")
    #expect(wished.withLock { $0 } == [Self.start])
    // Without systemd nothing is reloaded, so the client's mask stays.
    #expect(daemon.called == ["GetMasks", "AddMask"])
    #expect(try text().contains("screen = \"pin\""))
    // Also if the file has the mask already, but the daemon may not have loaded it.
    #expect(try run("mask", "add", "pin", "--socket", daemon.path).status == 0)
    #expect(daemon.called == ["GetMasks", "AddMask", "GetMasks", "AddMask"])
  }

  @Test func `The daemon masks while another process holds the file`() throws {
    try set(Self.start)
    let daemon = try StubDaemon(in: folder, Self.masks)
    let other = try TemporaryFolder()
    let lock = try FileLock(folder: folder.path, within: Self.patience)
    let adding = try Program.start(
      ["mask", "add", "pin", "--save", "--config", path, "--socket", daemon.path], in: other)
    try waitUntil { daemon.called == ["GetMasks", "AddMask"] }
    #expect(try text() == Self.start)
    _ = consume lock
    #expect(try adding.finish().status == 0)
    #expect(try text().contains("pin"))
  }

  @Test func `A mask that cannot be saved holds until the daemon stops, and that is said`() throws {
    let start = "[session]\nidle_timeout = 5\n"
    try set(start)
    let daemon = try StubDaemon(in: folder, Self.masks)
    let result = try run("mask", "add", "pin", "--socket", daemon.path)
    #expect(result.status == 1 && result.error.contains("nothing was changed"), "\(result)")
    #expect(result.error.contains("the daemon masks it until it stops: \"pin\""), "\(result)")
    #expect(daemon.called == ["GetMasks", "AddMask"])
  }

  @Test func `A change is not written over one that came meanwhile`() throws {
    try set(Self.start)
    let former = try #require(try SetupChange.current(path))
    let change = SetupChange(path: path, text: "# new\n", former: former)
    try set(Self.start + "# by hand\n")
    #expect(throws: Failure.self) { try change.write() }
    #expect(try text() == Self.start + "# by hand\n")
    unsafe unlink(path)
    #expect(throws: Failure.self) { try change.write() }
    #expect(unsafe access(path, F_OK) != 0)
  }

  @Test func `The former file keeps its bytes, and who may read it`() throws {
    let former: [UInt8] = Array("# Gr".utf8) + [0xf6, 0xdf] + Array("e\n".utf8)
    try set("")
    #expect(unsafe chmod(path, 0o600) == 0)
    let file = unsafe try #require(fopen(path, "w"))
    unsafe fwrite(former, 1, former.count, file)
    unsafe fclose(file)
    let change = SetupChange(path: path, text: "# new\n", former: former)
    let kept = try #require(try change.write())
    #expect(try TemporaryFolder.contents(kept) == former)
    #expect(fileStatus(kept).st_mode & 0o777 == 0o600)
    #expect(fileStatus(path).st_mode & 0o777 == 0o600)
  }

  /// Nothing may wait for the other end of a pipe, so each program must end.
  @Test(arguments: ["device", "pipe"]) func `Nothing is saved in what is no file`(kind: String)
    throws
  {
    let isDevice = kind == "device"
    func make(_ path: String) {
      #expect(unsafe (isDevice ? symlink("/dev/null", path) : mkfifo(path, 0o600)) == 0)
    }
    make(path)
    for words in [
      ["mask", "add", "pin", "--save"], ["control", "add", "a", "b", "0,0,9,9", "--save"],
      ["setup", "--no-questions", "--mask", "pin"],
      ["setup", "--no-questions", "--mask", "pin", "--replace"],
    ] {
      let result = try Program.run(words + ["--config", path], in: folder)
      #expect(result.status == 1 && !result.text.contains("wrote"), "\(words): \(result)")
      #expect(result.error.contains("is not a regular file"), "\(words): \(result)")
    }
    #expect(unsafe access(path + ".old", F_OK) != 0)
    // The place of the former file.
    unsafe unlink(path)
    try set(Self.start)
    make(path + ".old-save")
    try expect(failure: "is not a regular file", keeping: Self.start, "mask", "add", "pin")
  }

  // MARK: Controls

  @Test func `A control is added, replaced at its place, and removed`() throws {
    let start =
      "[session]\n# one\n\n[[control]]\nscreen=\"a\"\nname=\"x\"\nx=0\ny=0\nwidth=9\nheight=9\n"
    try set(start)
    #expect(try run("control", "add", "a", "pay", "1,2,3,4", "--no-rage").status == 0)
    let pay = "\n[[control]]\nscreen = \"a\"\nname = \"pay\"\nx = 1\ny = 2\nwidth = 3\nheight = 4\n"
    #expect(try text() == start + pay + "rage = false\n")
    let replaced = try run("control", "add", "a", "x", "5,6,7,8")
    #expect(replaced.status == 0 && replaced.text.contains("now at 5,6,7,8"), "\(replaced)")
    #expect(
      try text().hasPrefix(
        "[session]\n# one\n\n[[control]]\nscreen = \"a\"\nname = \"x\"\nx = 5\n"))
    #expect(try run("control", "remove", "a", "x").status == 0)
    #expect(try text() == "[session]\n# one\n" + pay + "rage = false\n")
    try expect(
      failure: "it has: \"pay\" of \"a\"", keeping: try text(), "control", "remove", "a", "x")
    try expect(
      failure: "it has:", keeping: try text(), "control", "remove", "a", "pay", "--display", "b")
  }

  // MARK: Setup

  @Test func `The setup takes masked rectangles`() throws {
    let result = try Program.run(
      [
        "setup", "--config", path, "--no-questions", "--mask-rectangle", "0,300,480,500.5,a=1,@b",
        "--mask-rectangle", "0,0,1,1@DSI-1,default",
      ], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(
      try text().contains(
        "[[mask]]\nscreen = \"a=1,@b\"\nx = 0\ny = 300\nwidth = 480\nheight = 500.5\n\n"
          + "[[mask]]\nscreen = \"default\"\ndisplay = \"DSI-1\"\nx = 0\n"))
  }

  @Test(arguments: ["", "0,0,1,1", "0,0,1,1,", "0,0,0,1,a", "0,0,1,1@,a", "0,0,x,1,a", "a,0,0,1,1"])
  func `Other forms of a masked rectangle are refused`(text: String) {
    #expect(MaskArgument(argument: text) == nil)
  }
}
