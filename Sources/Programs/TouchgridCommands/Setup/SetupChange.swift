import Glibc
import LinuxIO
import Text
import TouchgridAPI

/// Applies a configuration: checks it, writes it, adds users to groups, and reloads the daemon.
struct SetupChange {
  /// The file that the packaged daemon reads.
  static let standardPath = "/etc/touchgrid/touchgridd.toml"
  static let unit = "touchgridd.service"

  /// The lock that protects the packaged daemon's file. Only root can open it, and only root can
  /// create names in this folder. The configuration's folder could be locked by any user.
  private static let lockPath = "/run/touchgrid-setup.lock"
  /// The timeout, in ms, for another process that changes the file.
  private static let lockTimeout: Int32 = 20_000

  /// The configuration file.
  let path: String
  let text: String
  /// The contents that the text replaces; nil if there was no file.
  let former: [UInt8]?

  /// Returns the current configuration in a file; nil if there is no file.
  static func current(_ path: String) throws(Failure) -> [UInt8]? {
    guard Files.exists(path) else { return nil }
    try requireFile(path)
    return try readFile(path, limit: 1 << 20)
  }

  /// Throws an error if the path is not a regular file: text for a device would be lost, and a pipe
  /// would block.
  private static func requireFile(_ path: String) throws(Failure) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw Failure(
      "\(path.printable(limit: 4096)) is not a regular file, and nothing was changed; remove it, or "
        + "name another file with --config")
  }

  /// Calls `body` while other processes of this kind are locked out. Creates the folder of the file
  /// if it is missing. Locks nothing in another user's folder, because root follows no path there.
  static func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    let folder = Folder.of(path)
    if !Files.exists(folder) { try make(folder) }
    let isStandard = path == standardPath && Privileges.isRoot
    guard isStandard || PathControl.fault(of: path) == nil else { return try body() }
    let lock: FileLock
    do throws(SystemError) {
      if isStandard {
        lock = try FileLock(lockPath, followsLink: false, within: lockTimeout)
      } else {
        lock = try FileLock(folder: folder, within: lockTimeout)
      }
    } catch {
      throw Failure(
        error.code == EWOULDBLOCK
          ? "nothing was changed: another process has been changing the configuration for "
            + "\(lockTimeout / 1000) s" : "nothing was changed: \(error)")
    }
    let result = try body()
    _ = consume lock
    return result
  }

  private static func make(_ folder: String) throws(Failure) {
    let name = folder.printable(limit: 4096)
    if let fault = PathControl.fault(of: folder, isStrict: true) {
      throw Failure("root makes no folder \(name): \(fault)")
    }
    let mask = umask(0o022)
    defer { umask(mask) }
    guard unsafe mkdir(folder, 0o755) == 0 || errno == EEXIST else {
      throw Failure("the folder \(name) cannot be made: \(errorText(errno))")
    }
  }

  /// Lets `touchgridd --check` check the configuration, before it is written to `path`.
  func check() throws(Failure) -> CheckedConfiguration {
    // Use an unnamed file, so that nothing of it remains.
    let file: FileReplacement
    do throws(SystemError) { file = try FileReplacement(of: "/tmp/touchgridd.toml") } catch {
      throw Failure("no temporary file can be made in /tmp: \(error)")
    }
    try TouchgridCommands.write(
      Array(text.utf8), to: file.descriptor, name: "a temporary file")
    let shown = "/proc/\(getpid())/fd/\(file.descriptor)"
    guard let result = DaemonProgram.run(["--check", "--json", "--config", shown]) else {
      throw Failure(
        "touchgridd was not found, so the configuration cannot be checked; add its folder to PATH")
    }
    guard result.status == 0 else {
      let lines = result.text.replacing(shown, with: path).split(separator: "\n").map { line in
        let prefix = "touchgridd: "
        return "  " + (line.hasPrefix(prefix) ? line.dropFirst(prefix.count) : line)
      }
      throw Failure(
        "the configuration is invalid, and nothing was changed:\n" + lines.joined(separator: "\n"))
    }
    do throws(JSON.Problem) {
      return try JSON.decode(CheckedConfiguration.self, from: Array(result.text.utf8)[...])
    } catch {
      throw Failure(
        "the output of 'touchgridd --check' cannot be read (\(error.reason)): install touchgrid and "
          + "touchgridd of one version")
    }
  }

  /// Throws an error if the file has changed since it was read, or if it cannot be replaced because
  /// its file system is read-only.
  func requireFormer() throws(Failure) {
    guard try Self.current(path) == former else {
      throw Failure(
        "\(path.printable(limit: 4096)) was changed meanwhile, and nothing was changed here: try again"
      )
    }
    let storage = StoragePlace.configuration(path)
    if storage.persistence == .readOnly, former != Array(text.utf8), let note = storage.note {
      throw Failure("nothing was changed: \(note)")
    }
  }

  /// Writes the configuration, readable for the daemon's user. Keeps the previous file beside it,
  /// with the same readers.
  /// - Parameter place: the path for the previous file; nil for a free one.
  /// - Returns: the path of the previous file; nil if there was none.
  /// - Throws: an error if the file is no longer the one that the text replaces.
  func write(keepingAs place: String? = nil) throws(Failure) -> String? {
    try requireFormer()
    let isForeign = PathControl.fault(of: path) != nil
    var kept: String?
    if let former {
      let place = place ?? freePath
      try Self.requireFile(place)
      var status = stat()
      let isKnown = unsafe isForeign ? false : stat(path, &status) == 0
      // The previous file must not be readable by other users than this one.
      let mask = umask(0o077)
      defer { umask(mask) }
      try writeFile(former, to: place)
      if isKnown { _ = unsafe chmod(place, status.st_mode & 0o777) }
      kept = place
    }
    let mask = umask(0o022)
    defer { umask(mask) }
    try writeFile(Array(text.utf8), to: path)
    // A mask that was reported as saved must survive a power cut.
    if !isForeign { try? Folder.flush(Folder.of(path)) }
    return kept
  }

  /// A free path for the previous file: `path` with the ending `.old`, or `.old2` and so on.
  private var freePath: String {
    var number = 1
    while true {
      let place = path + ".old" + (number == 1 ? "" : String(number))
      if !Files.exists(place) { return place }
      number += 1
    }
  }

  // MARK: Users

  /// The commands that add users to their groups.
  /// - Throws: an error if a user or a group does not exist.
  static func memberships(_ answers: SetupAnswers) throws(Failure) -> [[String]] {
    for (role, group) in answers.groups
    where !group.isEmpty && User.current.membership(in: group) == .noSuchGroup {
      throw Failure("there is no group \(group.quoted) for the role \"\(role.rawValue)\"")
    }
    var commands: [[String]] = []
    for role in SetupAnswers.roles {
      for name in answers.users[role] ?? [] {
        guard let user = User(named: name) else {
          throw Failure("there is no user \(name.quoted)")
        }
        guard let group = answers.group(role) else {
          throw Failure(
            "\(name.printable()) cannot get the role \"\(role.rawValue)\": no group has it")
        }
        switch user.membership(in: group) {
        case .inLogin, .inDatabaseOnly: continue
        case .none: commands.append(["usermod", "-aG", group, name])
        case .noSuchGroup:
          throw Failure(
            "there is no group \(group.quoted); 'sudo groupadd --system \(group.printable())' "
              + "creates it")
        }
      }
    }
    return commands
  }

  static func run(_ command: [String]) throws(Failure) {
    let words = command.joined(separator: " ").printable(limit: 1000)
    guard let result = Command.run(command) else {
      throw Failure(
        "'\(words)' cannot be started; add the folder of \(command[0].printable()) to PATH")
    }
    guard result.status == 0 else {
      let reason = result.text.split(separator: "\n").first.map { ": \($0)" } ?? ""
      throw Failure("'\(words)' failed\(reason)")
    }
  }

  // MARK: The daemon

  enum Reload: Equatable {
    case done
    /// The service does not run.
    case notRunning
    /// There is no systemd, for example while an image is made, or the file is not the daemon's.
    case notNeeded
  }

  /// Lets the running service load the configuration, and waits until it has.
  /// - Parameter restarts: whether to restart the service for changes that need it. This ends the
  ///   masks and pauses of clients.
  static func reload(_ path: String, socket: SocketOption, restarts: Bool) throws -> Reload {
    guard path == standardPath, Files.exists("/run/systemd/system"), !isInChroot else {
      return .notNeeded
    }
    guard Command.run(["systemctl", "is-active", "--quiet", unit])?.status == 0 else {
      return .notRunning
    }
    try run(["systemctl", "reload", unit])
    // systemd returns when the daemon was notified, a moment before it has loaded the file.
    for _ in 0..<100 {
      let status = try socket.connect().call(API.GetStatus())
      if !status.masksEverything {
        if restarts, !status.restartNeededFor.isEmpty { try run(["systemctl", "restart", unit]) }
        return .done
      }
      TouchgridCommands.pause(0.1)
    }
    throw Failure(
      "the service was reloaded, but still masks everything; 'journalctl -u touchgridd' says why")
  }

  /// Whether this process sees another root folder than the first process of the system.
  private static var isInChroot: Bool {
    var (first, own) = (stat(), stat())
    guard unsafe stat("/proc/1/root", &first) == 0, unsafe stat("/", &own) == 0 else {
      return false
    }
    return first.st_dev != own.st_dev || first.st_ino != own.st_ino
  }
}
