import Glibc
import LinuxIO
import Text

/// The desktop of a user, according to the variables of the user's processes. The user controls
/// these values, so they are used only for a process that runs as the same user.
struct DesktopSession: Equatable {
  var owner: PathControl.Owner
  /// The variables that a program needs to connect to the desktop.
  var environment: [String: String]

  var user: String { User.name(of: owner.user) }

  private static let variables: Set = [
    "HOME", "XDG_RUNTIME_DIR", "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "LANG",
  ]
  /// The maximum size of the data that is read of one user, in bytes.
  private static let sizeLimit = 1 << 20

  /// The reply of the process that reads the variables.
  private struct Answer: Codable { var environment: [String: String] }

  /// Returns one desktop for each user who has one; prefers Wayland. Reading the variables of a
  /// process may block. Therefore a process of the same user reads them, and is killed when the
  /// time is over.
  /// - Parameters:
  ///   - user: the only user to consider; nil for all except root.
  ///   - milliseconds: the time limit for all users together.
  static func all(
    of user: String?, within milliseconds: Int64 = 45_000
  ) throws(Failure) -> [DesktopSession] {
    let end = Clocks.monotonic + milliseconds * 1000
    var found: [DesktopSession] = []
    for (owner, folders) in processes() {
      let name = User.name(of: owner.user)
      guard user == nil || name == user else { continue }
      do throws(SystemError) {
        let bytes = try UserProcess(as: owner) {
          environment(of: folders, owner).flatMap {
            JSON.encodedObject(Answer(environment: $0))
          } ?? []
        }.read(limit: sizeLimit, within: (end - Clocks.monotonic) / 1000)
        guard let answer = try? JSON.decode(Answer.self, from: bytes[...]) else { continue }
        found.append(DesktopSession(owner: owner, environment: answer.environment))
      } catch {
        throw Failure(
          "the desktop of the user \(name.printable()) cannot be found: \(error); choose another one with "
            + "--user, or add --in-terminal")
      }
    }
    return found
  }

  /// Returns the folders of all processes by their users, without root's, the newest first.
  /// - Parameter root: the folder that contains `proc`.
  static func processes(root: String = "") -> [(owner: PathControl.Owner, folders: [String])] {
    var found: [UInt32: (owner: PathControl.Owner, folders: [String])] = [:]
    let numbers = Files.names(in: "\(root)/proc").compactMap { Int32($0) }
    for number in numbers.sorted(by: >) {
      let folder = "\(root)/proc/\(number)"
      guard let owner = (try? OpenFolder(folder))?.owner, owner.user != 0 else { continue }
      found[owner.user, default: (owner, [])].folders.append(folder)
    }
    return found.values.sorted { $0.owner.user < $1.owner.user }
  }

  /// Returns the variables of the first process that has a Wayland display, or else an X display.
  /// Considers only displays of this machine whose compositor or server still runs.
  /// - Parameters:
  ///   - folders: folders of processes, such as `/proc/123`.
  ///   - isSocket: whether a path is that of a socket.
  static func environment(
    of folders: [String], _ owner: PathControl.Owner,
    isSocket: (String) -> Bool = Self.isSocket
  ) -> [String: String]? {
    var found: [String: String]?
    for folder in folders {
      // The process may have ended, and another process may have its number.
      guard let open = try? OpenFolder(folder), open.owner?.user == owner.user else { continue }
      let environment = open.variables(variables)
      guard open.owner?.user == owner.user else { continue }
      if waylandSocket(environment).map(isSocket) ?? false { return environment }
      guard found == nil, xSocket(environment).map(isSocket) ?? false else { continue }
      found = environment
      found?["WAYLAND_DISPLAY"] = nil
    }
    return found
  }

  private static func waylandSocket(_ environment: [String: String]) -> String? {
    guard let name = environment["WAYLAND_DISPLAY"], !name.isEmpty else { return nil }
    return name.hasPrefix("/") ? name : environment["XDG_RUNTIME_DIR"].map { $0 + "/" + name }
  }

  /// - Returns: nil for a display of another machine, for example over `ssh -X`.
  private static func xSocket(_ environment: [String: String]) -> String? {
    guard let display = environment["DISPLAY"], display.hasPrefix(":") else { return nil }
    let number = display.dropFirst().prefix { $0 != "." }
    return UInt32(number).map { "/tmp/.X11-unix/X\($0)" }
  }

  private static func isSocket(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }
}
