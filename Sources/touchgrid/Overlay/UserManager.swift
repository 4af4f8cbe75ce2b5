import Glibc
import LinuxIO
import TouchModel

/// The systemd that runs the services of one user, asked with `systemctl --user`.
struct UserManager {
  /// Where files of this user's sessions live, gone when the last session is.
  let runtimeFolder: String

  /// What a user wants of it, who is told how to have that without it.
  enum Wish { case on, offOrStatus }

  /// - Throws: where none runs for this user.
  init(for wish: Wish) throws(Failure) {
    let folder = Terminal.variable("XDG_RUNTIME_DIR") ?? ""
    guard folder.hasPrefix("/") else {
      throw Self.isMissing(wish, " (XDG_RUNTIME_DIR is not set)")
    }
    // What systemctl connects to; it does without a D-Bus of the session.
    guard unsafe access("\(folder)/systemd/private", F_OK) == 0 else {
      throw Self.isMissing(wish, "")
    }
    if let refusal = RuntimeFolder.refusal { throw Failure(refusal) }
    runtimeFolder = folder
  }

  private static func isMissing(_ wish: Wish, _ hint: String) -> Failure {
    let advice =
      switch wish {
      case .on:
        "run touchgrid-overlay itself in the session whose screen it is; Ctrl-C ends it"
      case .offOrStatus:
        "an overlay that was started by hand is not known here; Ctrl-C ends it where it runs"
      }
    let other = geteuid() == 0 ? ". If the screen is another user's, do this as that user" : ""
    return Failure("no systemd runs services of this user here\(hint): \(advice)\(other)")
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
