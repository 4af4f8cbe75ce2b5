import Glibc
import LinuxIO
import Text
import TouchModel

/// A process with the name touchgrid-follow. Any user can start one.
struct FollowerProcess {
  var owner: PathControl.Owner
  /// Its folder in `/proc`, such as `/proc/123`.
  var folder: String

  var user: String { User.name(of: owner.user) }

  /// The first 15 bytes of the program's name, which is all that the kernel stores.
  private static let name = "touchgrid-follo"

  /// Returns the running processes. Does not read their arguments or variables, because a process
  /// could thereby block root.
  /// - Parameter root: the folder that contains `proc`.
  static func all(root: String = "") -> [FollowerProcess] {
    Files.names(in: "\(root)/proc").compactMap { name in
      guard let process = Int32(name), process != getpid() else { return nil }
      return FollowerProcess("\(root)/proc/\(name)")
    }
  }

  private init?(_ folder: String) {
    // An open folder belongs to one process, even if another process later gets the same number.
    guard let open = try? OpenFolder(folder), open.text("comm") == Self.name + "\n",
      let owner = open.owner
    else { return nil }
    self.owner = owner
    self.folder = folder
  }

  /// Returns whether the user is root or has a group.
  func isRootOrHas(group: UInt32?) -> Bool {
    guard owner.user != 0 else { return true }
    guard let group else { return false }
    return User(named: user)?.databaseGroups.contains(group) ?? (owner.group == group)
  }
}

/// The way in which a touchgrid-follow was started. Its user controls these values, so they are
/// used only for a process that runs as the same user.
struct RunningFollower: Hashable {
  var owner: PathControl.Owner
  var start: Start
  var user: String { User.name(of: owner.user) }

  /// The arguments and variables that determine its configuration and its socket.
  struct Start: Hashable, Codable {
    /// The path of its configuration; nil if its arguments name none.
    var config: String?
    /// The socket in its arguments; nil if there is none.
    var socket: String?
    var environment: [String: String] = [:]
  }

  /// The reply of the process that reads them.
  private struct Answer: Codable { var starts: [Start] }

  fileprivate static let variables: Set = ["HOME", "XDG_CONFIG_HOME", SocketOption.variable]
  /// The maximum number of processes that are examined, and of those that are asked for a picture.
  private static let (processLimit, limit) = (64, 8)
  /// The maximum size of the data that is read of them, in bytes.
  private static let sizeLimit = 1 << 20

  /// Reads in which ways the followers of one user were started, in a process of that user, which
  /// is killed when the time is over.
  /// - Parameter milliseconds: the time limit for all.
  /// - Returns: the distinct ways, without those of followers that connect to no browser
  ///   themselves.
  static func all(
    _ processes: [FollowerProcess], within milliseconds: Int64
  ) throws(Failure) -> [RunningFollower] {
    guard let owner = processes.first?.owner else { return [] }
    do throws(SystemError) {
      let bytes = try UserProcess(as: owner) {
        let folders = processes.prefix(processLimit).map(\.folder)
        return JSON.encodedObject(Answer(starts: starts(of: folders, owner))) ?? []
      }.read(limit: sizeLimit, within: milliseconds)
      let answer = try? JSON.decode(Answer.self, from: bytes[...])
      return (answer?.starts ?? []).prefix(limit).map { RunningFollower(owner: owner, start: $0) }
    } catch {
      throw Failure(
        "the arguments of touchgrid-follow of the user \(User.name(of: owner.user).printable()) "
          + "cannot be read: \(error)")
    }
  }

  static func starts(of folders: [String], _ owner: PathControl.Owner) -> [Start] {
    var found: [Start] = []
    for folder in folders {
      // The process may have ended, and another process may have its number.
      guard let open = try? OpenFolder(folder), open.owner?.user == owner.user,
        let start = Start(open), open.owner?.user == owner.user, !found.contains(start)
      else { continue }
      found.append(start)
    }
    return found
  }
}

extension RunningFollower.Start {
  /// - Parameter folder: the folder of a process.
  /// - Returns: nil if it is not a follower that connects to browsers itself.
  fileprivate init?(_ folder: OpenFolder) {
    let words = Array(folder.words("cmdline").dropFirst())
    guard !words.contains(where: Self.isOther) else { return nil }
    config = Self.value(of: "--config", in: words).map {
      $0.hasPrefix("/") ? $0 : (folder.destination(of: "cwd") ?? "") + "/" + $0
    }
    socket = Self.value(of: "--socket", in: words)
    environment = folder.variables(RunningFollower.variables)
  }

  /// Whether an argument makes the process ignore the browsers of its configuration.
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
}
