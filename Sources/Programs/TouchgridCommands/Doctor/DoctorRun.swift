import Glibc
import LinuxIO
import Storage
import Text
import TouchModel
import TouchgridAPI

/// Collects the facts about this machine, and runs the checks on them.
struct DoctorRun {
  let socket: SocketOption

  func findings() -> [Finding] {
    let nodes = InputNode.all()
    var findings = TouchscreenCheck.findings(
      nodes, hasUdev: InputNode.hasUdev(), reader: .daemon)
    findings.append(ConfigurationCheck.finding(DaemonProgram.run(["--check"])))
    findings += [StoragePlace.configuration().finding].compactMap(\.self)
    let answer = answer
    findings.append(DaemonCheck.finding(answer, path: socket.path, unit: unit))
    guard answer == .connected else {
      let facts = StoreCheck.Facts(
        path: StoredDataOptions.standardStore,
        freeBytes: Self.freeBytes(StoredDataOptions.standardStore))
      if let free = facts.freeBytes, free < StoreCheck.lowBytes {
        findings.append(StoreCheck.finding(facts))
      }
      let place = StoragePlace.store(facts.path)
      return findings + [place.finding].compactMap(\.self) + upload
    }
    let user = User.current
    for role in [API.Role.app, .read, .watch, .signal] {
      guard let answer = self.answer(to: role) else { continue }
      findings.append(
        RoleCheck.finding(
          role, answer, user: user.name, membership: { user.membership(in: $0) }))
    }
    return findings + queryDaemon() + upload
  }

  private var upload: [Finding] {
    UploadCheck.finding(UploadStatus.read(), now: .now).map { [$0] } ?? []
  }

  // MARK: The daemon

  private var answer: DaemonCheck.Answer {
    do throws(TouchgridError) {
      _ = try DaemonConnection(path: socket.path)
      return .connected
    } catch {
      if case .system(ENOENT, _) = error { return .noSocket }
      if case .system(ECONNREFUSED, _) = error { return .refused }
      return .failed(Failure(error, path: socket.path).description)
    }
  }

  /// The state of the daemon's unit in systemd; nil if systemd does not run.
  private var unit: String? {
    guard Files.exists("/run/systemd/system"),
      let result = Command.run(["systemctl", "is-active", "touchgridd.service"])
    else { return nil }
    return String(result.text.prefix { $0 != "\n" })
  }

  /// Returns whether this user has a role, determined by calls that change nothing. nil if the
  /// daemon's reply does not show it.
  private func answer(to role: API.Role) -> RoleCheck.Answer? {
    do throws(TouchgridError) {
      var client = try TouchgridClient(path: socket.path)
      switch role {
      case .read: _ = try client.call(API.GetStatus())
      // `Resume` ends only the pauses of its own connection, and this connection has none.
      case .app: _ = try client.call(API.Resume())
      case .watch:
        try client.start(API.WatchTouches())
        _ = try client.receive(API.WatchTouches.self, within: .seconds(10))
      case .signal:
        try client.start(API.WatchActivity(idleAfterMs: API.WatchActivity.idleRange.upperBound))
        _ = try client.receive(API.WatchActivity.self, within: .seconds(10))
      // Services have the role operate, and only root and the daemon's user the role owner.
      case .operate, .owner: return nil
      }
      return .allowed
    } catch {
      guard let fault = error.as(API.NotPermitted.self) else { return nil }
      return .denied(group: fault.group.map { $0.printable() })
    }
  }

  /// Checks the daemon's reports about itself; empty if this user lacks the role `read`, or if the
  /// daemon does not answer.
  private func queryDaemon() -> [Finding] {
    guard let daemon = try? socket.connect(), let status = try? daemon.call(API.GetStatus()),
      let devices = try? daemon.call(API.GetDevices()),
      let displays = try? daemon.call(API.GetDisplays()).displays
    else { return [] }
    let holders = Holder.all(of: Set(devices.devices.compactMap(\.node)))
    let store = StoreCheck.Facts(
      path: status.store.path, error: status.store.error,
      freeBytes: Self.freeBytes(status.store.path))
    let masks = try? daemon.call(API.GetMasks())
    let others: [Finding?] = [
      ScreenCheck.finding(displays, followers: status.followers),
      masks.flatMap(MaskCheck.finding),
      ConfigurationCheck.neededRestart(status),
      RecordingCheck.finding(status),
      StoreCheck.finding(store),
      StoragePlace.store(store.path).finding,
      status.store.movedAside.map(StoreCheck.movedAside),
    ]
    let panels = PanelCheck.findings { try PanelGathering(past: .daemon(daemon)).states() }
    return DeviceCheck.findings(devices, displays, holders: holders) + panels
      + others.compactMap(\.self)
  }

  // MARK: The disk

  /// Returns the free space of a file's file system, in bytes. If the path cannot be examined, uses
  /// the nearest parent folder that can; nil if there is none.
  static func freeBytes(_ path: String) -> Int64? {
    var path = path[...]
    var status = statvfs()
    while unsafe statvfs(String(path), &status) != 0 {
      guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
      path = path[..<slash]
    }
    let (bytes, overflows) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflows ? .max : Int64(clamping: bytes)
  }
}

extension Reader {
  /// The user `touchgrid`, which the package creates for the daemon; the current user if the
  /// package is not installed.
  static var daemon: Reader {
    let groupName = { (id: UInt32) in
      unsafe getgrgid(id).map { unsafe String(cString: $0.pointee.gr_name) } ?? String(id)
    }
    if let user = User(named: "touchgrid"), let entry = unsafe getpwnam("touchgrid") {
      // The daemon's systemd unit adds the group `input`, which may read the device nodes.
      let input = unsafe getgrnam("input").map { unsafe $0.pointee.gr_gid }
      return Reader(
        name: user.name, id: unsafe entry.pointee.pw_uid,
        groups: user.databaseGroups.union(input.map { [$0] } ?? []), groupName: groupName)
    }
    let user = User.current
    return Reader(
      name: user.name, id: geteuid(), groups: user.loginGroups, groupName: groupName)
  }
}
