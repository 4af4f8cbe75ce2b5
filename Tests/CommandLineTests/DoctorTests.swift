import FoundationEssentials
import Glibc
import LinuxIO
import TestSupport
import Testing
import Text
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

/// The checks of `touchgrid doctor`, with simulated states of the machine and the daemon.
@Suite struct DoctorTests {
  // MARK: Touchscreens

  private let reader = Reader(
    name: "touchgrid", id: 990, groups: [990, 104],
    groupName: { $0 == 104 ? "input" : "group \($0)" })

  private func node(
    _ name: String = "Panel", isTouchscreen: Bool = true, looksLike: Bool = true,
    mode: UInt32? = 0o660, group: UInt32 = 104
  ) throws -> InputNode {
    let folder = try TemporaryFolder(["sys/class/input/event3/device/name": name + "\n"])
    var node = try #require(InputNode.all(root: folder.path).first)
    node.isTouchscreen = isTouchscreen
    node.looksLikeTouchscreen = looksLike
    node.access = mode.map { FileAccess(mode: $0, owner: 0, group: group) }
    return node
  }

  private func finding(_ nodes: [InputNode], hasUdev: Bool = true) throws -> Finding {
    let findings = TouchscreenCheck.findings(nodes, hasUdev: hasUdev, reader: reader)
    try #require(findings.count == 1)
    return findings[0]
  }

  @Test func `A readable touchscreen is ok`() throws {
    #expect(
      try finding([node()])
        == .ok("touchscreen Panel (/dev/input/event3), which touchgrid may read"))
  }

  @Test func `A missing touchscreen is a problem`() throws {
    let finding = try finding([node(isTouchscreen: false, looksLike: false)])
    #expect(finding.level == .problem)
    #expect(finding.text == "there is no touchscreen among 1 input device")
  }

  @Test func `A panel that udev does not recognise is named with a remedy`() throws {
    let finding = try finding([node("Odd\u{1b}", isTouchscreen: false)])
    #expect(finding.level == .problem)
    #expect(finding.text.hasPrefix("Odd\\u{1b} (/dev/input/event3) has touch positions"))
    #expect(finding.hint?.contains("ID_INPUT_TOUCHSCREEN=1") == true)
  }

  @Test func `Without udev, a missing touchscreen is only a warning`() throws {
    #expect(try finding([], hasUdev: false).level == .warning)
  }

  @Test func `The hint about an unreadable node names the group that may read it`() throws {
    let finding = try finding([node(group: 12)])
    #expect(finding.level == .problem)
    #expect(finding.hint?.contains("'sudo usermod -aG group 12 touchgrid'") == true)
    #expect(try self.finding([node(mode: 0o600)]).hint?.contains("udev rule") == true)
    #expect(try self.finding([node(mode: nil)]).text.hasSuffix("is missing"))
    #expect(try self.finding([node(mode: 0o604, group: 12)]).level == .ok)
  }

  @Test func `Nodes are read from sysfs and udev's database`() throws {
    let folder = try TemporaryFolder([
      "sys/class/input/event10/device/name": "Second\n",
      "sys/class/input/event10/dev": "13:74\n",
      "sys/class/input/event2/device/name": "First\n",
      "sys/class/input/event2/dev": "13:66\n",
      // The bits of ABS_X, ABS_Y, ABS_MT_SLOT, ABS_MT_POSITION_X and _Y, and ABS_MT_TRACKING_ID.
      "sys/class/input/event2/device/capabilities/abs": "260800000000003\n",
      "sys/class/input/event2/device/properties": "2\n",
      "sys/class/input/mouse0/device/name": "no event node\n",
      "run/udev/data/c13:74": "S:x\nE:ID_INPUT=1\nE:ID_INPUT_TOUCHSCREEN=1\n",
      "run/udev/data/c13:66": "E:ID_INPUT_TOUCHSCREEN=0\n",
    ])
    let nodes = InputNode.all(root: folder.path)
    #expect(nodes.map(\.node) == ["/dev/input/event2", "/dev/input/event10"])
    #expect(nodes.map(\.name) == ["First", "Second"])
    #expect(nodes.map(\.isTouchscreen) == [false, true])
    #expect(nodes.map(\.looksLikeTouchscreen) == [true, false])
    #expect(InputNode.hasUdev(root: folder.path))
    #expect(InputNode.all(root: folder.path + "/none") == [])
  }

  @Test func `Bit 0 is in the last word of a bit mask`() {
    #expect(InputNode.bits("1 0 8000000000000001") == [0, 63, 128])
    #expect(InputNode.bits("nonsense") == [] && InputNode.bits("") == [])
  }

  // MARK: Daemon, user, roles

  @Test func `The hint about a silent daemon depends on the state of its unit`() {
    func hint(_ answer: DaemonCheck.Answer, _ unit: String?) -> String {
      DaemonCheck.finding(answer, path: "/run/x", unit: unit).hint ?? ""
    }
    #expect(DaemonCheck.finding(.connected, path: "/run/x", unit: nil).level == .ok)
    #expect(DaemonCheck.finding(.noSocket, path: "/run/x", unit: nil).level == .problem)
    #expect(
      DaemonCheck.finding(.refused, path: "/run/x", unit: nil).text.contains("nothing listens on"))
    #expect(hint(.noSocket, nil).contains("run 'touchgridd'"))
    #expect(hint(.refused, "failed").contains("journalctl"))
    #expect(hint(.noSocket, "inactive").contains("systemctl enable --now"))
    #expect(hint(.noSocket, "active").contains("--socket"))
    #expect(DaemonCheck.finding(.failed("why"), path: "/run/x", unit: nil).text == "why")
  }

  @Test func `The hint about a missing role depends on the user's groups`() {
    func finding(_ role: API.Role, _ membership: User.Membership, group: String? = "g") -> Finding {
      RoleCheck.finding(role, .denied(group: group), user: "ann") { _ in membership }
    }
    #expect(RoleCheck.finding(.read, .allowed, user: "ann") { _ in .none }.level == .ok)
    #expect(finding(.read, .none).hint == "run 'sudo usermod -aG g ann', then log in again")
    #expect(finding(.read, .none).level == .problem && finding(.watch, .none).level == .warning)
    #expect(finding(.app, .none).hint?.hasPrefix("if ann should: run 'sudo usermod") == true)
    #expect(finding(.app, .inDatabaseOnly).level == .problem)
    #expect(finding(.app, .inDatabaseOnly).hint?.contains("log out and in again") == true)
    #expect(finding(.app, .noSuchGroup).hint?.contains("groupadd") == true)
    #expect(finding(.app, .none, group: nil).hint?.contains("[roles]") == true)
  }

  @Test func `A group that was added after the login is only in the database`() {
    let user = User(name: "ann", databaseGroups: [1, 2], loginGroups: [1])
    #expect(user.membership(ofID: 1) == .inLogin)
    #expect(user.membership(ofID: 2) == .inDatabaseOnly)
    #expect(user.membership(ofID: 3) == .none)
    #expect(user.membership(ofID: nil) == .noSuchGroup)
    #expect(User(named: "root")?.databaseGroups.contains(0) == true)
    #expect(User(named: "no such user") == nil)
    #expect(User.current.loginGroups.contains(getegid()))
  }

  // MARK: Devices

  private func findings(
    _ device: API.Device, _ display: API.Display? = nil, holders: [Holder] = []
  ) -> [Finding] {
    DeviceCheck.findings(
      API.GetDevices.Reply(devices: [device], refused: []), [display].compactMap(\.self),
      holders: ["/dev/input/event3": holders])
  }

  @Test func `A grabbed device is a problem, and the program that holds it is named`() throws {
    let device = try SampleReplies.device(unheardContacts: 1)
    let daemon = Holder(process: 1, program: "touchgridd")
    let keyd = Holder(process: 2, program: "keyd")
    let sway = Holder(process: 3, program: "sway")
    let finding = findings(device, holders: [daemon, keyd, sway])[0]
    #expect(finding.level == .problem)
    #expect(finding.hint?.hasPrefix("the device is open in keyd (process 2):") == true)
    #expect(findings(device, holders: [daemon, sway])[0].hint?.contains("sway") == true)
    #expect(findings(device, holders: [daemon])[0].hint?.contains("sudo touchgrid doctor") == true)
    #expect(findings(try SampleReplies.device(touchesDown: 1, unheardContacts: 1))[0].level == .ok)
    #expect(findings(try SampleReplies.device(unheardContacts: nil))[0].level == .ok)
  }

  @Test func `A program that usually grabs devices is a warning before any touch`() throws {
    let device = try SampleReplies.device()
    #expect(findings(device, holders: [Holder(process: 2, program: "evtest")])[0].level == .warning)
    #expect(findings(device, holders: [Holder(process: 2, program: "Xorg")])[0].level == .ok)
  }

  @Test func `A guessed display or geometry is a warning`() throws {
    let device = try SampleReplies.device(displaySource: .guess)
    #expect(findings(device).map(\.level) == [.ok, .warning])
    let path = "usually /etc/touchgrid/touchgridd.toml"
    #expect(findings(device)[1].hint?.contains(path) == true)
    let known = try SampleReplies.device()
    #expect(
      findings(known, try SampleReplies.display(source: .guess)).map(\.level) == [.ok, .warning])
    #expect(findings(known, try SampleReplies.display()).map(\.level) == [.ok])
  }

  @Test func `An axis that sends values beyond its range is a problem, and what to write is named`()
    throws
  {
    var device = try SampleReplies.device()
    device.sentX = API.Range(minimum: 0, maximum: 4100)
    #expect(findings(device).map(\.level) == [.ok])
    device.sentY = API.Range(minimum: 0, maximum: 8000)
    let found = findings(device)
    #expect(found.map(\.level) == [.ok, .problem])
    #expect(found[1].text.hasPrefix("Panel: its y axis sends values up to 8000, but its driver"))
    #expect(found[1].hint?.contains("y = [0, 8000]") == true)
  }

  @Test func `Refused devices are listed with the reason`() {
    let reply = API.GetDevices.Reply(
      devices: [],
      refused: [API.RefusedDevice(node: "/dev/input/event1", name: "Pen", reason: "it is a pen")])
    let findings = DeviceCheck.findings(reply, [], holders: [:])
    #expect(findings.map(\.level) == [.problem, .warning])
    #expect(findings[1].hint == "it is a pen")
  }

  @Test func `Programs that have a node open are found in procfs`() throws {
    let folder = try TemporaryFolder(["proc/12/comm": "keyd\n", "proc/77/comm": "sway\n"])
    try folder.link("proc/12/fd/4", to: "/dev/input/event3")
    try folder.link("proc/77/fd/4", to: "/dev/input/event9")
    #expect(
      Holder.all(of: ["/dev/input/event3"], root: folder.path)
        == ["/dev/input/event3": [Holder(process: 12, program: "keyd")]])
    #expect(Holder.all(of: [], root: folder.path).isEmpty)
  }

  @Test func `The trial touch shows whether touches reach the daemon`() throws {
    let silent = try SampleReplies.device()
    var trial = TouchTrialState([silent])
    #expect(!trial.isOver && trial.findings[0].level == .warning)
    trial.update([try SampleReplies.device(unheardContacts: 1)])
    // The first report of the contact is no problem yet: the touch may have just begun.
    #expect(trial.findings[0].level == .warning)
    trial.update([try SampleReplies.device(unheardContacts: 1)])
    #expect(!trial.isOver && trial.findings[0].level == .problem)
    trial.update([try SampleReplies.device(touches: 1)])
    #expect(trial.isOver && trial.findings[0].level == .ok)
  }

  // MARK: Store, configuration, recording

  @Test func `Low disk space is reported before the store fails`() {
    func finding(_ free: Int64?, _ error: String? = nil) -> Finding {
      StoreCheck.finding(.init(path: "/x", error: error, freeBytes: free))
    }
    #expect(finding(1 << 40).level == .ok && finding(nil).level == .ok)
    #expect(finding(100 << 20).level == .warning)
    #expect(finding(100 << 20).hint?.contains("usually /etc/touchgrid/touchgridd.toml") == true)
    #expect(finding(1 << 20).level == .problem)
    #expect(finding(1 << 40, "no permission").text.contains("no permission"))
    #expect(finding(0, "disk I/O error").hint?.contains("full") == true)
    #expect(DoctorRun.freeBytes("/tmp/none/at/all") ?? 0 > 0)
    let aside = StoreCheck.movedAside("/x.damaged-1")
    #expect(aside.level == .warning && aside.text.contains("/x.damaged-1"))
  }

  @Test func `Days that wait for the upload are reported`() throws {
    let now = WallTime(milliseconds: 1_795_266_192_345)
    func finding(_ text: String, age: Int64 = 0) throws -> Finding {
      let status = try #require(
        UploadStatus(
          Array(text.utf8)[...], written: WallTime(milliseconds: now.milliseconds - age)))
      return try #require(UploadCheck.finding(.known(status), now: now))
    }
    let sent = #""sentAtMs":1795266192000,"nextAttemptAtMs":null}"#
    #expect(
      try finding(#"{"target":"s3","waiting":0,"oldestDay":null,"error":null,"# + sent + "\n")
        == .ok("upload: every day was sent"))
    let waits = #""waiting":2,"oldestDay":"2026-11-19","#
    #expect(
      try finding(#"{"target":"s3","# + waits + #""error":null,"# + sent)
        == .ok("upload: 2 days wait, the oldest is 2026-11-19"))
    let failed = #"{"target":"s3","# + waits + #""error":"timed out\u001b","#
    let outage = try finding(failed + sent)
    #expect(outage.level == .warning)
    #expect(
      outage.text == #"the upload failed: timed out\u{1b}; 2 days wait, the oldest is 2026-11-19"#)
    #expect(try finding(failed + #""sentAtMs":null,"nextAttemptAtMs":5}"#).level == .problem)
    #expect(try finding(#"{"target":null,"# + waits + #""error":null,"# + sent).level == .warning)
    let stale = try finding(
      #"{"target":"s3","# + waits + #""error":null,"# + sent, age: 3 * 86_400_000)
    #expect(stale.text == "touchgrid-upload has not run for 3 days")
  }

  @Test func `A status of the upload that cannot be trusted is reported`() throws {
    let folder = try TemporaryFolder()
    #expect(UploadStatus.read(folder.path("none")) == .none)
    #expect(UploadCheck.finding(.none, now: WallTime(milliseconds: 0)) == nil)
    let file = try folder.write(#"{"target":null,"waiting":0}"#, to: "status.json")
    guard case .known = UploadStatus.read(file) else {
      Issue.record("a valid status is not read")
      return
    }
    for text in [
      "", "{}", "[]", #"{"waiting":-1}"#,
      #"{"waiting":0,"sentAtMs":-9223372036854775808}"#, #"{"waiting":1,"oldestDay":"2026-02-30"}"#,
    ] {
      #expect(UploadStatus.read(try folder.write(text, to: "status.json")) == .unreadable)
    }
    #expect(unsafe symlink("/etc/passwd", folder.path("link")) == 0)
    #expect(UploadStatus.read(folder.path("link")) == .unreadable)
    #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(UploadStatus.read(folder.path("pipe")) == .unreadable)
    #expect(UploadStatus.read(folder.path("")) == .unreadable)
    #expect(
      UploadCheck.finding(.unreadable, now: WallTime(milliseconds: 0))?.level == .warning)
  }

  @Test func `Errors in the configuration are reported`() {
    #expect(ConfigurationCheck.finding(.init(status: 0, text: "")).level == .ok)
    #expect(ConfigurationCheck.finding(nil).level == .warning)
    let wrong = ConfigurationCheck.finding(
      .init(status: 78, text: "touchgridd: /etc/x.toml:3: no such key\u{1b}\n"))
    #expect(wrong.level == .problem)
    #expect(wrong.text == "the configuration is invalid: /etc/x.toml:3: no such key\\u{1b}")
    #expect(ConfigurationCheck.finding(.init(status: 1, text: "no")).level == .warning)
  }

  @Test func `A pause, the manual mode and full grids are warnings`() {
    #expect(RecordingCheck.finding(SampleReplies.status()).level == .ok)
    #expect(RecordingCheck.finding(SampleReplies.status(pauses: 1)).level == .warning)
    #expect(RecordingCheck.finding(SampleReplies.status(mode: .manual)).level == .warning)
    #expect(RecordingCheck.finding(SampleReplies.status(gridsAreFull: true)).level == .warning)
  }

  @Test func `A display whose screen is never named is a warning`() throws {
    #expect(ScreenCheck.finding([], followers: 0) == nil)
    let unnamed = try SampleReplies.display(screen: "default")
    let unnamedFinding = try #require(ScreenCheck.finding([unnamed], followers: 0))
    #expect(
      unnamedFinding.level == .warning && unnamedFinding.hint?.contains("docs/follow.md") == true)
    let nothing = try #require(ScreenCheck.finding([unnamed], followers: 1))
    #expect(nothing.level == .warning && nothing.hint?.contains("--dry-run") == true)
    let named = try SampleReplies.display(screen: "pay\u{1b}")
    #expect(ScreenCheck.finding([named], followers: 0) == .ok("screens shown now: pay\\u{1b}"))
    let other = try SampleReplies.display("DP-1", screen: "default")
    #expect(
      ScreenCheck.finding([named, other], followers: 1)
        == .ok("screens shown now: pay\\u{1b} on HDMI-A-1, default on DP-1"))
  }

  @Test func `Masks that cover whole screens because a display is guessed are a warning`() throws {
    #expect(MaskCheck.finding(SampleReplies.masks()) == nil)
    let mask = API.Mask(screen: "pin\u{1b}")
    #expect(MaskCheck.finding(SampleReplies.masks(configured: [mask]))?.level == .ok)
    let whole = API.Mask(screen: "pin\u{1b}", display: "panel a")
    let finding = try #require(
      MaskCheck.finding(SampleReplies.masks(configured: [mask], widened: [whole])))
    #expect(finding.level == .warning)
    #expect(finding.text.hasSuffix("pin\\u{1b} on panel a"))
    #expect(finding.hint?.contains("[[display]]") == true)
  }

  @Test func `Other programs are run and their output is read`() {
    #expect(
      Command.run(["sh", "-c", "echo a; echo b >&2; exit 3"]) == .init(status: 3, text: "a\nb\n"))
    #expect(Command.run(["sh", "-c", "kill -9 $$"])?.status == 137)
    #expect(Command.run(["/no/such/program"]).map { $0.status == 127 } ?? true)
  }

  // MARK: All findings

  @Test func `Findings are aligned, with their hints below`() {
    let finding = Finding.warning("a text that is longer than its line", "a hint")
    #expect(
      finding.lines(width: 40, colours: false) == [
        "warning  a text that is longer than its", "         line", "           a hint",
      ])
    #expect(finding.lines(width: 40, colours: true)[0].hasPrefix("\u{1b}[33mwarning"))
  }

  @Test func `A daemon that is not running is a problem and gives exit status 1`() throws {
    let folder = try TemporaryFolder()
    let result = try Program.run(["doctor", "--socket", folder.path("none")], in: folder)
    #expect(result.status == 1)
    #expect(result.text.contains("problem  no daemon answers: the socket"))
    #expect(result.text.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 })
    let json = try Program.run(["doctor", "--json", "--socket", folder.path("none")], in: folder)
    let checks = try #require(json.json["checks"]?.elements)
    #expect(checks.contains { $0["level"] == "problem" && $0["hint"]?.string != nil })
  }

  @Test func `All checks ask a running daemon`() throws {
    let folder = try TemporaryFolder()
    var answers = SampleReplies.past(
      [try SampleReplies.device(unheardContacts: 1)],
      status: SampleReplies.status(storeError: "the disk is full"),
      displays: [try SampleReplies.display()])
    answers["WatchTouches"] = .fault(API.NotPermitted(.watch, group: "none-such"))
    answers["WatchActivity"] = .stream([API.WatchActivity.Reply()])
    let daemon = try StubDaemon(in: folder, answers)
    let result = try Program.run(["doctor", "--socket", daemon.path], in: folder)
    #expect(result.status == 1)
    #expect(result.text.contains("ok       the daemon answers at"))
    #expect(result.text.contains("problem  Panel: the kernel sees touches"))
    #expect(result.text.contains("may not watch live touches"))
    #expect(result.text.contains("may learn whether somebody touches"))
    #expect(result.text.contains("ok       screens shown now: menu"))
    #expect(result.text.contains("the disk is full"))
  }
}

extension TemporaryFolder {
  /// Makes a folder with these files. A file's name is its path in the folder; missing subfolders
  /// are created.
  convenience init(_ files: [String: String]) throws {
    try self.init()
    for (name, text) in files {
      try makeFolders(name)
      try write(text, to: name)
    }
  }

  fileprivate func link(_ name: String, to destination: String) throws {
    try makeFolders(name)
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(name)", withDestinationPath: destination)
  }

  private func makeFolders(_ name: String) throws {
    let folder = name.lastIndex(of: "/").map { name[..<$0] } ?? ""
    try FileManager.default.createDirectory(
      atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
  }
}
