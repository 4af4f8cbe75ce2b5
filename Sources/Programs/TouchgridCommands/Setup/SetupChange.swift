import Glibc
import LinuxIO
import Text
import TouchgridAPI

/// Puts a configuration into force: checks it, writes it, adds users to groups, and reloads the
/// daemon.
struct SetupChange {
  /// The file that the packaged daemon reads.
  static let standardPath = "/etc/touchgrid/touchgridd.toml"
  static let unit = "touchgridd.service"

  /// The configuration file.
  let path: String
  let text: String

  /// The configuration that is in the file now; nil if there is no file.
  var current: String? {
    get throws(Failure) {
      guard Files.exists(path) else { return nil }
      return String(decoding: try readFile(path, limit: 1 << 20), as: UTF8.self)
    }
  }

  /// Calls `body` while no other process of this kind changes the file, whose folder is made if there
  /// is none.
  /// - Parameter path: the configuration file.
  static func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    let folder = Folder.of(path)
    if !Files.exists(folder) {
      let mask = umask(0o022)
      defer { umask(mask) }
      guard unsafe mkdir(folder, 0o755) == 0 else {
        throw Failure(
          "the folder \(folder.printable(limit: 4096)) cannot be made: \(errorText(errno))")
      }
    }
    let lock: FolderLock
    do throws(SystemError) { lock = try FolderLock(folder, within: 20_000) } catch {
      throw Failure("nothing was changed: \(error)")
    }
    let result = try body()
    _ = consume lock
    return result
  }

  /// Lets `touchgridd --check` check the configuration, before it is written to `path`.
  func check() throws(Failure) -> CheckedConfiguration {
    // The file has no name, so nothing of it remains.
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
        "touchgridd is another version than this program, which cannot read its check: \(error.reason)"
      )
    }
  }

  /// Writes the configuration, readable for the daemon, which has a user of its own. The former file
  /// is kept beside it.
  /// - Parameter place: where the former file is kept; nil for a place that is free.
  /// - Returns: the path of the former file; nil if there was none.
  func write(keepingAs place: String? = nil) throws(Failure) -> String? {
    let mask = umask(0o022)
    defer { umask(mask) }
    var kept: String?
    if let former = try current {
      let place = place ?? freePath
      try writeFile(Array(former.utf8), to: place)
      kept = place
    }
    try writeFile(Array(text.utf8), to: path)
    if path == Self.standardPath { _ = unsafe chmod(path, 0o644) }
    return kept
  }

  /// The path for the former file: `path` with the ending `.old`, or `.old2` and so on.
  private var freePath: String {
    var number = 1
    while true {
      let place = path + ".old" + (number == 1 ? "" : String(number))
      if !Files.exists(place) { return place }
      number += 1
    }
  }

  // MARK: Users

  /// The commands that give users their groups.
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
    guard let result = Command.run(command) else { throw Failure("'\(words)' cannot be started") }
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
    /// There is no systemd, as while an image is made, or the file is not the daemon's.
    case notNeeded
  }

  /// Lets the running service load the configuration, and waits until it has.
  func reload(socket: SocketOption) throws -> Reload {
    guard path == Self.standardPath, Files.exists("/run/systemd/system"), !Self.isInChroot else {
      return .notNeeded
    }
    guard Command.run(["systemctl", "is-active", "--quiet", Self.unit])?.status == 0 else {
      return .notRunning
    }
    try Self.run(["systemctl", "reload", Self.unit])
    // systemd returns when the daemon was told, which is a moment before it has loaded the file.
    for _ in 0..<100 {
      let status = try socket.connect().call(API.GetStatus())
      if !status.masksEverything {
        if !status.restartNeededFor.isEmpty {
          try Self.run(["systemctl", "restart", Self.unit])
        }
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
