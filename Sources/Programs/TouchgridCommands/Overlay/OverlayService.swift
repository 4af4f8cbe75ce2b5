import Glibc
import LinuxIO
import Text
import TouchModel

/// The user service that runs `touchgrid-overlay`. While a process turns the service on or off, it
/// holds a lock on the user's runtime folder. Therefore, if a user presses the hotkey twice, the
/// second process sees the result of the first.
struct OverlayService: ~Copyable {
  static let unit = "touchgrid-overlay.service"
  /// The variables that identify the desktop. They are copied from the caller's environment,
  /// because the user manager may not have them.
  static let variables = ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY"]
  static let optionsVariable = "TOUCHGRID_OVERLAY_OPTIONS"

  private let manager: UserManager
  private let lock: FileLock

  /// Locks the user's runtime directory. If another process is turning the overlay on or off, waits
  /// for up to 40 s, which is longer than the unit may take to stop and to start.
  init(for wish: UserManager.Purpose) throws(Failure) {
    let manager = try UserManager(for: wish)
    lock = try Self.hold(manager.runtimeFolder)
    self.manager = manager
  }

  private static func hold(_ folder: String) throws(Failure) -> FileLock {
    do throws(SystemError) {
      return try FileLock(folder: folder, within: 40_000)
    } catch {
      throw Failure(
        error.code == EWOULDBLOCK
          ? "another touchgrid has been switching the overlay for 40 s; end that process "
            + "('pgrep -a touchgrid' shows its number)"
          : "\(error)")
    }
  }

  /// The unit's RuntimeDirectory, which systemd removes when the unit ends.
  private var folder: String { "\(manager.runtimeFolder)/touchgrid-overlay" }
  private var file: String { "\(folder)/environment" }

  func state() throws(Failure) -> OverlayState { try OverlayState(manager) }

  /// Turns the overlay on, and returns when it draws. An overlay with other options or on another
  /// desktop is restarted.
  /// - Throws: an error that says why it cannot draw.
  func turnOn(_ words: [String]) throws(Failure) -> OverlayState {
    let environment = try Self.environment(words) { Terminal.variable($0) }
    let before = try reset()
    guard before.isInstalled else {
      throw Failure(
        "\(Self.unit) is not installed: install the package touchgrid-overlay, or run "
          + "touchgrid-overlay directly")
    }
    if before.activity == .on {
      let current = try? readFile(file, limit: 1 << 16)
      if current == Array(environment.text.utf8) { return before }
    }
    // End a start or stop that is in progress. Otherwise systemd would merge this start with the
    // other one, which has the old options, or remove the new folder when the unit ends.
    if before.activity != .off { try turnOff() }
    guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw Failure("\(folder.printable(limit: 4096)) cannot be created: \(errorText(errno))")
    }
    try writeFile(Array(environment.text.utf8), to: file)
    let start = try manager.call(["start", Self.unit])
    let after = try state()
    if start.status == 0 {
      guard after.activity == .on else {
        throw Failure(
          "the overlay started and ended at once: "
            + (after.failure
              ?? "'journalctl --user -e -u \(Self.unit)' may show the reason"))
      }
      return after
    }
    // Remove the folder here, because systemd removes it only for a unit that has run.
    unsafe unlink(file)
    unsafe rmdir(folder)
    throw Failure("the overlay is off: \(after.failure ?? start.line)")
  }

  /// Turns the overlay off, and returns when it has ended.
  func turnOff() throws(Failure) {
    let stop = try manager.call(["stop", Self.unit])
    // Status 5: there is no such unit, so no overlay is on.
    guard stop.status == 0 || stop.status == 5 else { throw Failure("systemctl: \(stop.line)") }
    _ = try reset()
  }

  /// Makes systemd forget a failure, and its start limit, which pressing a key many times may
  /// exceed. A newer systemd (257, not 252) then removes the folder of a failed unit. It does so
  /// before it answers the next call, so a folder that is made after this stays.
  private func reset() throws(Failure) -> OverlayState {
    _ = try manager.call(["reset-failed", Self.unit])
    return try state()
  }

  /// - Parameter variable: returns a variable of the caller's environment.
  static func environment(
    _ words: [String], _ variable: (String) -> String?
  ) throws(Failure) -> EnvironmentFile {
    var environment = EnvironmentFile()
    // If one of these variables is set, the caller's environment describes its session completely.
    // Then set the others, too, even to empty values: the user manager's own values may be from
    // another session.
    if variables.contains(where: { !(variable($0) ?? "").isEmpty }) {
      for name in variables { try environment.set(name, to: variable(name) ?? "") }
    }
    try environment.set(optionsVariable, toWords: words)
    return environment
  }
}
