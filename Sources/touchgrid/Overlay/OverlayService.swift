import Glibc
import LinuxIO
import TouchModel

/// The user service that runs `touchgrid-overlay`. Whoever switches it holds the user's runtime folder meanwhile: of two
/// presses of a key the second finds what the first has done.
struct OverlayService: ~Copyable {
  static let unit = "touchgrid-overlay.service"
  /// What says where to draw, taken along from whoever switches the overlay on: the user manager need not know.
  static let variables = ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY"]
  static let optionsVariable = "TOUCHGRID_OVERLAY_OPTIONS"

  private let manager: UserManager
  private let lock: FolderLock

  /// Waits while another switches it; that takes no longer than the unit may, to start and to stop.
  init(for wish: UserManager.Wish) throws(Failure) {
    let manager = try UserManager(for: wish)
    lock = try Self.hold(manager.runtimeFolder)
    self.manager = manager
  }

  private static func hold(_ folder: String) throws(Failure) -> FolderLock {
    do throws(SystemError) {
      return try FolderLock(folder, within: 40_000)
    } catch {
      throw Failure(
        error.code == EWOULDBLOCK
          ? "another touchgrid is switching the overlay, and does not come to an end" : "\(error)")
    }
  }

  /// The unit's RuntimeDirectory, which goes when it ends.
  private var folder: String { "\(manager.runtimeFolder)/touchgrid-overlay" }
  private var file: String { "\(folder)/environment" }

  func state() throws(Failure) -> OverlayState { try OverlayState(manager) }

  /// Returns when the overlay draws. One that draws with other options, or elsewhere, is started anew.
  /// - Throws: why it cannot.
  func turnOn(_ words: [String]) throws(Failure) -> OverlayState {
    let environment = try Self.environment(words) { Terminal.variable($0) }
    let before = try state()
    guard before.isInstalled else {
      throw Failure(
        "there is no \(Self.unit): install the package touchgrid-overlay, or run touchgrid-overlay "
          + "itself")
    }
    if before.activity == .on {
      let current = try? readFile(file, limit: 1 << 16)
      if current == Array(environment.text.utf8) { return before }
    }
    // What is under way would join this start with options of its own, or take the folder along as it ends.
    if before.activity != .off { try turnOff() }
    guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw Failure("\(folder.printable(limit: 4096)) cannot be made: \(errorText(errno))")
    }
    try writeFile(Array(environment.text.utf8), to: file)
    // Many presses of a key are no reason to refuse one.
    _ = try manager.call(["reset-failed", Self.unit])
    let start = try manager.call(["start", Self.unit])
    let after = try state()
    if start.status == 0 {
      guard after.activity == .on else {
        throw Failure("the overlay was on, and ended at once: \(after.failure ?? "it was told to")")
      }
      return after
    }
    // What never ran leaves its folder to us.
    unsafe unlink(file)
    unsafe rmdir(folder)
    throw Failure("the overlay is off: \(after.failure ?? start.line)")
  }

  /// Returns when it has ended.
  func turnOff() throws(Failure) {
    let stop = try manager.call(["stop", Self.unit])
    // 5: there is no such unit, and so nothing is on.
    guard stop.status == 0 || stop.status == 5 else { throw Failure("systemctl: \(stop.line)") }
    _ = try manager.call(["reset-failed", Self.unit])
  }

  /// - Parameter variable: the caller's environment.
  static func environment(
    _ words: [String], _ variable: (String) -> String?
  ) throws(Failure) -> EnvironmentFile {
    var environment = EnvironmentFile()
    // Whoever has one of them has all there are: what else the user manager knows is of another session.
    if variables.contains(where: { !(variable($0) ?? "").isEmpty }) {
      for name in variables { try environment.set(name, to: variable(name) ?? "") }
    }
    try environment.set(optionsVariable, toWords: words)
    return environment
  }
}
