import Glibc
import LinuxIO
import Text
import TouchModel

/// A running touchgrid-follow. Its user decides all that is read here, and could name any program
/// like this. So it is used only for a process that runs as the same user.
struct RunningFollower: Hashable {
  var owner: PathControl.Owner
  /// The path of its configuration, if its arguments name one.
  var config: String?
  /// The socket that its arguments name.
  var socket: String?
  /// Those of its variables that lead it to its configuration and its socket.
  var environment: [String: String]

  init(owner: PathControl.Owner, environment: [String: String]) {
    self.owner = owner
    self.environment = environment
  }

  var user: String { User.name(of: owner.user) }

  /// The first 15 bytes of the program's name, as the kernel keeps it.
  private static let name = "touchgrid-follo"
  private static let variables: Set = ["HOME", "XDG_CONFIG_HOME", SocketOption.variable]

  /// Returns the followers that run, each configuration of each user once.
  /// - Parameter root: the folder that contains `proc`.
  static func all(root: String = "") -> [RunningFollower] {
    var found: [RunningFollower] = []
    for name in Files.names(in: "\(root)/proc") {
      guard let process = Int32(name), process != getpid(),
        let follower = RunningFollower("\(root)/proc/\(name)"), !found.contains(follower)
      else { continue }
      found.append(follower)
    }
    return found
  }

  /// - Parameter folder: the folder of a process, such as `/proc/123`.
  /// - Returns: nil if it is no follower that connects to browsers itself.
  private init?(_ folder: String) {
    guard Files.text("\(folder)/comm") == Self.name + "\n",
      let user = Self.identity("Uid:", in: folder), let group = Self.identity("Gid:", in: folder)
    else { return nil }
    owner = PathControl.Owner(user: user, group: group)
    let words = Self.words("\(folder)/cmdline").dropFirst()
    guard words.allSatisfy({ !Self.isOther($0) }) else { return nil }
    config = Self.value(of: "--config", in: Array(words)).map {
      $0.hasPrefix("/") ? $0 : (Files.destination("\(folder)/cwd") ?? "") + "/" + $0
    }
    socket = Self.value(of: "--socket", in: Array(words))
    environment = [:]
    for word in Self.words("\(folder)/environ") {
      guard let sign = word.firstIndex(of: "=") else { continue }
      let name = String(word[..<sign])
      if Self.variables.contains(name) {
        environment[name] = String(word[word.index(after: sign)...])
      }
    }
  }

  /// Whether an argument means that the process follows no browser by its configuration.
  private static func isOther(_ word: String) -> Bool {
    ["--native-messaging", "--check", "--take-picture", "--help", "--version"].contains(word)
  }

  private static func value(of option: String, in words: [String]) -> String? {
    for (index, word) in words.enumerated() {
      if word == option, index + 1 < words.count { return words[index + 1] }
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
    }
    return nil
  }

  private static func words(_ path: String) -> [String] {
    (Files.text(path) ?? "").split(separator: "\0").map { String($0) }
  }

  /// Returns the real ID in a line of the process's status.
  private static func identity(_ name: String, in folder: String) -> UInt32? {
    let lines = (Files.text("\(folder)/status") ?? "").split(separator: "\n")
    return lines.first { $0.hasPrefix(name) }?.split(separator: "\t").dropFirst().first
      .flatMap { UInt32($0) }
  }
}
