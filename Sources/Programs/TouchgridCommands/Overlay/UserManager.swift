import Glibc
import LinuxIO
import Text
import TouchModel

/// The systemd instance that runs the services of one user, called through `systemctl --user`.
struct UserManager {
  /// The user's runtime directory (`XDG_RUNTIME_DIR`). The system removes it when the user's last
  /// login session ends.
  let runtimeFolder: String

  /// The purpose of the call, on which the advice in errors depends.
  enum Purpose { case on, offOrStatus }

  /// - Throws: an error if no user manager runs for this user.
  init(for wish: Purpose) throws(Failure) {
    let folder = Terminal.variable("XDG_RUNTIME_DIR") ?? ""
    guard folder.hasPrefix("/") else {
      throw Self.isMissing(wish, " (XDG_RUNTIME_DIR is not set)")
    }
    // systemctl connects to this socket, so no D-Bus session bus is needed.
    guard unsafe access("\(folder)/systemd/private", F_OK) == 0 else {
      throw Self.isMissing(wish, "")
    }
    if let refusal = RuntimeFolder.refusal { throw Failure(refusal) }
    runtimeFolder = folder
  }

  private static func isMissing(_ wish: Purpose, _ hint: String) -> Failure {
    let advice =
      switch wish {
      case .on:
        "run touchgrid-overlay in a terminal on the desktop; Ctrl-C ends it"
      case .offOrStatus:
        "touchgrid cannot control an overlay that was started by hand; end it with Ctrl-C"
      }
    let other = geteuid() == 0 ? ". If the desktop is another user's, run this as that user" : ""
    return Failure("there is no systemd user manager for this user\(hint): \(advice)\(other)")
  }

  /// Runs systemctl.
  /// - Returns: its exit status and its output.
  func call(_ words: [String]) throws(Failure) -> Command.Result {
    guard let result = Command.run(["systemctl", "--user", "--no-pager"] + words) else {
      throw Failure("cannot run systemctl: is systemd installed?")
    }
    return result
  }

  /// Returns properties of a unit by name, from `systemctl show`.
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
  /// The output, joined into one line.
  var line: String {
    text.split(separator: "\n").joined(separator: " ").printable(limit: 1000)
  }
}
