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

  /// What there is at `path` now; nil if there is no file.
  var current: String? {
    get throws(Failure) {
      guard Files.exists(path) else { return nil }
      return String(decoding: try readFile(path, limit: 1 << 20), as: UTF8.self)
    }
  }

  /// Lets `touchgridd --check` check the configuration, before it is written anywhere that counts.
  /// - Returns: the configuration in sentences.
  func check() throws(Failure) -> String {
    // The file has no name, so nothing of it remains.
    let file: FileReplacement
    do throws(SystemError) { file = try FileReplacement(of: "/tmp/touchgridd.toml") } catch {
      throw Failure("no temporary file can be made in /tmp: \(error)")
    }
    try TouchgridCommands.write(
      Array(text.utf8), to: file.descriptor, name: "a temporary file")
    let shown = "/proc/\(getpid())/fd/\(file.descriptor)"
    guard let result = DaemonProgram.run(["--check", "--config", shown]) else {
      throw Failure(
        "touchgridd was not found, so the configuration cannot be checked; add its folder to PATH")
    }
    let words = result.text.replacing(shown, with: path)
    guard result.status == 0 else {
      let lines = words.split(separator: "\n").map { line in
        let prefix = "touchgridd: "
        return "  " + (line.hasPrefix(prefix) ? line.dropFirst(prefix.count) : line)
      }
      throw Failure(
        "the configuration is invalid, and nothing was changed:\n" + lines.joined(separator: "\n"))
    }
    return words
  }

  /// Writes the configuration. The former file is kept beside it, with the ending `.old`.
  func write() throws(Failure) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    if !folder.isEmpty, !Files.exists(folder) {
      guard unsafe mkdir(folder, 0o755) == 0 else {
        throw Failure(
          "the folder \(folder.printable(limit: 4096)) cannot be made: \(errorText(errno))")
      }
    }
    if let former = try current { try writeFile(Array(former.utf8), to: path + ".old") }
    // The daemon reads the file as a user of its own.
    let mask = umask(0o022)
    defer { umask(mask) }
    try writeFile(Array(text.utf8), to: path)
  }

  // MARK: Users

  /// The commands that give users their groups.
  /// - Throws: an error if a user or a group does not exist.
  static func memberships(_ answers: SetupAnswers) throws(Failure) -> [[String]] {
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
    guard path == Self.standardPath, Files.exists("/run/systemd/system") else { return .notNeeded }
    guard Command.run(["systemctl", "is-active", "--quiet", Self.unit])?.status == 0 else {
      return .notRunning
    }
    try Self.run(["systemctl", "reload", Self.unit])
    // systemd returns when the daemon was told, which is a moment before it has loaded the file.
    for _ in 0..<100 {
      let status = try socket.connect().call(API.GetStatus())
      if !status.masksEverything { return .done }
      TouchgridCommands.pause(0.1)
    }
    throw Failure(
      "the service was reloaded, but still masks everything; 'journalctl -u touchgridd' says why")
  }
}
