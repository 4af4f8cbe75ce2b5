import Glibc
import LinuxIO
import TouchModel

/// The systemd that runs the services of one user, asked with `systemctl --user`.
struct UserManager {
  /// Where files of this user's sessions live, gone when the last session is.
  let runtimeFolder: String

  /// - Throws: where none runs for this user.
  init() throws(Failure) {
    let folder = Terminal.variable("XDG_RUNTIME_DIR") ?? ""
    guard folder.hasPrefix("/") else { throw Self.isMissing("XDG_RUNTIME_DIR is not set") }
    // What systemctl connects to; it does without a D-Bus of the session.
    let socket = "\(folder)/systemd/private"
    guard unsafe access(socket, F_OK) == 0 else {
      throw Self.isMissing("\(socket.printable(limit: 4096)): \(errorText(errno))")
    }
    runtimeFolder = folder
  }

  private static func isMissing(_ reason: String) -> Failure {
    let isRoot = geteuid() == 0
    return Failure(
      "no systemd runs services for this user here (\(reason)). "
        + (isRoot ? "Use this as the user whose screen it is, or run" : "Run")
        + " touchgrid-overlay itself in that session; Ctrl-C ends it")
  }

  /// Asks systemctl.
  /// - Returns: its exit status, and all that it said.
  func call(_ words: [String]) throws(Failure) -> Command.Result {
    guard let result = Command.run(["systemctl", "--user", "--no-pager"] + words) else {
      throw Failure("systemctl cannot be run: is systemd installed?")
    }
    return result
  }

  /// Properties of a unit by their names, as `systemctl show` tells them.
  func properties(_ names: [String], of unit: String) throws(Failure) -> [Substring: String] {
    let result = try call(["show", "--property=" + names.joined(separator: ","), unit])
    guard result.status == 0 else { throw Failure("systemctl: \(result.line)") }
    var properties: [Substring: String] = [:]
    for line in result.text.split(separator: "\n") {
      guard let sign = line.firstIndex(of: "=") else { continue }
      properties[line[..<sign]] = String(line[line.index(after: sign)...])
    }
    return properties
  }
}

extension Command.Result {
  /// What was said, in one line.
  var line: String {
    text.split(separator: "\n").joined(separator: " ").printable(limit: 1000)
  }
}
