import Glibc
import LinuxIO
import TestSupport
import Testing
import Text
import TouchgridAPI

@testable import TouchgridCommands

/// What the verbs say about a root whose changes are lost at the next restart, with real mounts.
@Suite(.enabled(if: geteuid() == 0, "only root can mount"))
final class RestartTests: FolderSuite {
  private var root: String { folder.path("root") }
  private var configuration: String { root + "/touchgridd.toml" }

  /// Mounts an overlay as the package overlayroot does: changes go to a tmpfs.
  override init() throws {
    try super.init()
    let path = folder.path
    let mounted = try run([
      "sh", "-ec",
      """
      cd "$0" && mkdir root lower rw && echo '[session]' >lower/touchgridd.toml
      mount -t tmpfs tmpfs-root rw && mkdir rw/overlay rw/work
      mount -t overlay -o "lowerdir=$0/lower,upperdir=$0/rw/overlay,workdir=$0/rw/work" overlayroot root
      """, path,
    ])
    try #require(mounted.status == 0, "\(mounted.output)")
  }

  deinit { _ = try? run(["umount", "-l", folder.path("root"), folder.path("rw")]) }

  private func touchgrid(_ words: String...) throws -> Program.Result {
    try Program.run(words, in: folder)
  }

  /// Runs a verb in one line, whatever the width of the terminal.
  private func sentence(_ text: String) -> String {
    text.split(whereSeparator: { $0 == "\n" || $0 == " " }).joined(separator: " ")
  }

  private var lost: String {
    "changes of \(configuration) are lost when this machine restarts: its folder is in memory "
      + "(an overlay on tmpfs); "
  }

  @Test func `mask and control warn when they save, and the setup does`() throws {
    for words in [
      ["mask", "add", "pin", "--save"], ["mask", "add", "pin", "--save"],
      ["control", "add", "menu", "ok", "0,0,9,9", "--save"], ["mask", "remove", "pin", "--save"],
      ["setup", "--no-questions", "--no-masks", "--replace"],
    ] {
      let result = try Program.run(words + ["--config", configuration], in: folder)
      #expect(result.status == 0 && result.error.contains(lost), "\(result)")
      #expect(result.error.contains("docs/raspberry-pi.md"), "\(result)")
    }
    let dry = try touchgrid(
      "setup", "--no-questions", "--no-masks", "--dry-run", "--config", configuration)
    #expect(dry.status == 0 && !dry.error.contains("restarts"), "\(dry)")
  }

  @Test func `An overlay whose upper folder is hidden leaves doubt, and the warning says so`()
    throws
  {
    try #require(run(["umount", "-l", folder.path("rw")]).status == 0)
    let result = try touchgrid("mask", "add", "pin", "--save", "--config", configuration)
    #expect(result.status == 0)
    #expect(
      result.error.contains(
        "changes of \(configuration) are perhaps lost when this machine restarts: its folder is on an "
          + "overlay, whose upper folder \(folder.path("rw/overlay")) cannot be found; "),
      "\(result)")
  }

  @Test func `A read-only root takes no mask, and the error says why`() throws {
    let saved = ["mask", "add", "pin", "--save", "--config", configuration]
    #expect(try Program.run(saved, in: folder).status == 0)
    try #require(run(["mount", "-o", "remount,ro", root]).status == 0)
    let result = try touchgrid("mask", "add", "pay", "--save", "--config", configuration)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.error.contains(
        "nothing was changed: \(configuration) is on a read-only file system; "), "\(result)")
    // The mask is there already, so there is nothing to write.
    #expect(try Program.run(saved, in: folder).status == 0)
    // Nor does the setup give users groups before.
    let usermod = try folder.write("#!/bin/sh\ntouch '\(folder.path("called"))'\n", to: "usermod")
    try #require(unsafe chmod(usermod, 0o755) == 0)
    let setup = try Program.run(
      [
        "setup", "--no-questions", "--no-masks", "--replace", "--reader", "nobody", "--read-group",
        "root", "--config", configuration,
      ], environment: ["PATH": folder.path + ":/usr/bin:/bin"], in: folder)
    #expect(try !folder.names.contains("called"))
    let reason = "nothing was changed: \(configuration) is on a read-only file system; "
    #expect(setup.status == 1 && setup.error.contains(reason), "\(setup)")
    // A configuration that is the same stays as it is.
    let same = try touchgrid("setup", "--from", configuration, "--config", configuration)
    #expect(same.status == 0 && same.text.contains("is unchanged"), "\(same)")
  }

  @Test func `Without a daemon, doctor examines the places of the package`() throws {
    // In mounts of its own, the changes of the whole machine would be lost.
    let script = """
      cd "$0/rw" && mkdir etc other && mount -t tmpfs tmpfs /var/lib
      mount -t overlay -o "lowerdir=/etc,upperdir=$0/rw/etc,workdir=$0/rw/other" overlay /etc
      exec "$1" doctor --socket "$0/none"
      """
    let found = try run(["unshare", "--mount", "sh", "-ec", script, folder.path, Program.path])
    let text = sentence(found.output)
    let lost = "lost when this machine restarts: its folder is in memory"
    let store = "/var/lib/touchgrid/touchgrid.db"
    #expect(text.contains("warning the store \(store) is \(lost)"), "\(text)")
    #expect(
      text.contains("warning changes of /etc/touchgrid/touchgridd.toml are \(lost)"), "\(text)")
  }

  @Test func `status and doctor say that the store is lost`() throws {
    var status = SampleReplies.status()
    let store = root + "/touchgrid.db"
    status.store.path = store
    let daemon = try StubDaemon(in: folder, SampleReplies.past([], status: status))
    let text =
      "the store \(store) is lost when this machine restarts: its folder is in memory "
      + "(an overlay on tmpfs)"
    let words = try touchgrid("status", "--socket", daemon.path)
    #expect(words.status == 0 && sentence(words.text).contains("storage \(text);"), "\(words)")
    let json = try touchgrid("status", "--json", "--socket", daemon.path).json
    #expect(json["storage"]?["store"] == "volatile", "\(json)")
    #expect(json["storage"]?["configuration"] != nil && json["store"]?["path"] == .string(store))
    let doctor = try touchgrid("doctor", "--socket", daemon.path)
    #expect(sentence(doctor.text).contains("warning \(text) mount a file system"), "\(doctor)")
  }
}
