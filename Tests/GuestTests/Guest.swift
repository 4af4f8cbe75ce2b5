import Foundation
import Synchronization
import TestSupport
import Testing

/// A virtual machine of `Tests/Guest`.
final class Guest: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Whether guest tests are wanted; they take minutes.
  static let isWanted = ProcessInfo.processInfo.environment["TOUCHGRID_GUEST"] == "1"

  /// Whether tests use fewer recordings and variants, as in `make test`.
  static let isShort = ProcessInfo.processInfo.environment["TOUCHGRID_SHORT"] == "1"

  /// The architecture of the guests, as Debian names it.
  static let architecture: String = {
    #if arch(arm64)
      let own = "arm64"
    #else
      let own = "amd64"
    #endif
    return ProcessInfo.processInfo.environment["TOUCHGRID_GUEST_ARCH"] ?? own
  }()

  /// The folder of recordings of real panels; nil if none is given.
  static let corpus = ProcessInfo.processInfo.environment["TOUCHGRID_CORPUS"]

  /// The Debian suites that can run the programs built here: this machine's suite and later
  /// ones. `TOUCHGRID_GUEST_SUITES` chooses: `own` is the first, `later` the others.
  static let suites: [String] = {
    let words = (try? script(["suites"]))?.output ?? ""
    let all = words.split(whereSeparator: \.isWhitespace).map(String.init)
    return switch ProcessInfo.processInfo.environment["TOUCHGRID_GUEST_SUITES"] {
    case "own": Array(all.prefix(1))
    case "later": Array(all.dropFirst())
    default: all
    }
  }()

  /// The configuration of the packaged daemon.
  static let configuration = "/etc/touchgrid/touchgridd.toml"

  /// The command that sets the package up, if that has not been done: with the example that shows
  /// every default, so that tests can change single settings.
  static let setUp =
    """
    { [ -e \(configuration) ] ||
    touchgrid setup --no-masks --from /usr/share/doc/touchgrid/examples/touchgridd.toml; }
    """

  private static let booted = Result {
    let guest = try Guest(suite: suites.first, clock: .instructions)
    try guest.takePrograms()
    return guest
  }

  /// The guest that most tests share, with the programs under test. It is booted at the first call.
  /// Its clock counts instructions: nothing in it is late, no matter how busy the host is.
  static func shared() throws -> Guest { try booted.get() }

  /// The source of a guest's time.
  enum Clock {
    /// The host's clock. On a busy host the guest's programs are late.
    case host
    /// The number of executed instructions: nothing in the guest is late, no matter how busy the
    /// host is. Idle time is skipped, even between two commands from the host.
    case instructions
    /// Instructions while the guest works, and the host's clock while it is idle.
    case instructionsAndIdle
  }

  /// A folder that the guest sees as `/host`.
  let share: URL

  /// The number of guests that this process has made: no two may have the same folder.
  private static let made = Atomic(0)

  private let suite: String?
  private let options: [String]

  /// Boots a fresh Debian that ends with this process.
  /// - Parameters:
  ///   - suite: The Debian suite; nil for that of this machine.
  ///   - kept: A name for the guest's disk, which is then kept for `reboot` and `bootAfterCut`.
  ///   - clock: The source of the guest's time.
  ///   - hasScreen: Whether it has a screen of 1024 by 768 pixels, and memory for a browser.
  init(
    suite: String?, kept: String? = nil, clock: Clock = .host, hasScreen: Bool = false
  ) throws {
    self.suite = suite
    options =
      (kept == nil ? [] : ["--keep-disk"]) + clock.options
      + (hasScreen ? ["--screen", "--memory", "2048"] : [])
    let number = Self.made.add(1, ordering: .relaxed).newValue
    let name = [suite, kept, "\(clock)", "\(getpid())", "\(number)"].compactMap(\.self)
    share = FileManager.default.temporaryDirectory
      .appending(path: "touchgrid-guest-\(name.joined(separator: "-"))")
    try? FileManager.default.removeItem(at: share)
    try FileManager.default.createDirectory(at: share, withIntermediateDirectories: true)
    try takeScripts()
    try start()
    try takeRuntime()
  }

  private func start() throws {
    let start = try Self.script(
      ["start", share.path, "--with-parent", String(getpid())] + options, suite: suite)
    guard start.status == 0 else { throw Failure(description: start.errors) }
  }

  /// Shuts the guest down and boots it again with its kept disk.
  func reboot() throws {
    try stop()
    try start()
  }

  /// Cuts the guest's power.
  func cut() throws {
    let cut = try Self.script(["cut", share.path])
    guard cut.status == 0 else { throw Failure(description: cut.errors) }
  }

  /// Boots the guest again after `cut`, with its kept disk.
  func bootAfterCut() throws { try start() }

  /// Powers the guest off.
  func stop() throws {
    let stop = try Self.script(["stop", share.path])
    guard stop.status == 0 else { throw Failure(description: stop.errors) }
  }

  /// Copies the Python programs of `Tests/Guest` to `/host`.
  private func takeScripts() throws {
    let tests = URL(filePath: Project.path("Tests"))
    let programs = try FileManager.default.contentsOfDirectory(atPath: tests.path + "/Guest")
      .filter { $0.hasSuffix(".py") }.map { "Guest/" + $0 }
    for file in programs {
      let source = tests.appending(path: file)
      try FileManager.default.copyItem(
        at: source, to: share.appending(path: source.lastPathComponent))
    }
  }

  /// Copies packages that `make deb` made to `/host/NAME.deb`. Replaces older copies.
  func takePackages(_ names: String...) throws {
    for name in names {
      // Without compression: xz takes most of the time of unpacking in emulation.
      let script = """
        set -e
        folder=$(mktemp -d)
        dpkg-deb -R "$0" $folder/tree
        dpkg-deb -Znone -b $folder/tree "$1"
        rm -r $folder
        """
      let copy = try Command(
        "/bin/sh",
        ["-c", script, try Self.package(name).path, share.appending(path: "\(name).deb").path])
      guard copy.status == 0 else { throw Failure(description: copy.errors) }
    }
  }

  /// Returns the file of a package that `make deb` made.
  private static func package(_ name: String) throws -> URL {
    let folder = URL(
      filePath: ProcessInfo.processInfo.environment["TOUCHGRID_PACKAGES"]
        ?? Project.path(".build/deb"))
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let packages = (files ?? []).filter {
      $0.pathExtension == "deb" && $0.lastPathComponent.hasPrefix("\(name)_")
    }
    guard packages.count == 1, let package = packages.first else {
      throw Failure(
        description: "\(packages.count) packages \(name) in \(folder.path): run make deb")
    }
    return package
  }

  private static let programs = ["touchgridd", "touchgrid"].map {
    URL(
      filePath: ProcessInfo.processInfo.environment["TOUCHGRID_BINARIES"]
        ?? Project.path(".build/release")
    ).appending(path: $0)
  }

  /// The libraries of the Swift toolchain that the programs load. Release builds link them
  /// statically.
  private static let runtime: Set<String> = {
    let words = (try? Command("/usr/bin/ldd", programs.map(\.path)))?.output ?? ""
    let paths = words.split(separator: "\n").compactMap {
      $0.split(separator: " ").dropFirst(2).first
    }
    return Set(paths.map(String.init).filter { $0.contains("/swift/") })
  }()

  /// Copies the toolchain's libraries to the same paths as on this machine.
  private func takeRuntime() throws {
    guard !Self.runtime.isEmpty else { return }
    let folder = share.appending(path: "runtime")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var commands: [String] = []
    for path in Self.runtime {
      let file = URL(filePath: path)
      try FileManager.default.copyItem(at: file, to: folder.appending(path: file.lastPathComponent))
      commands.append("install -D '/host/runtime/\(file.lastPathComponent)' '\(path)'")
    }
    try run(commands.joined(separator: " && ") + " && rm -r /host/runtime")
  }

  private func takePrograms() throws {
    for program in Self.programs {
      try FileManager.default.copyItem(
        at: program, to: share.appending(path: program.lastPathComponent))
    }
    try run("cp /host/touchgridd /host/touchgrid /usr/local/bin/ && chmod 755 /usr/local/bin/*")
  }

  /// Runs a line of sh in the guest, as root in `/host`, and returns its output.
  /// - Parameter timeout: The longest time that it may take, in seconds.
  /// - Throws: `Failure` if its status is not 0 or the guest returns none in time.
  @discardableResult
  func run(_ command: String, timeout: Int = 900) throws -> String {
    let result = try attempt(command, timeout: timeout)
    guard result.status == 0 else {
      throw Failure(
        description: "\(command)\nended with \(result.status)\n\(result.output)\n\(result.errors)")
    }
    return result.output
  }

  /// Runs a line of sh in the guest and returns its result, regardless of the exit status.
  /// - Throws: `Failure` if the guest returns no status in time.
  func attempt(_ command: String, timeout: Int = 900) throws -> Command {
    let result = try Self.script(["run", share.path, "--timeout", String(timeout), command])
    guard result.status != 125 else { throw Failure(description: result.errors) }
    return result
  }

  private static func script(_ arguments: [String], suite: String? = nil) throws -> Command {
    let path = Project.path("Tests/Guest/guest")
    guard let suite else { return try Command(path, arguments) }
    return try Command("/usr/bin/env", ["TOUCHGRID_GUEST_SUITE=\(suite)", path] + arguments)
  }
}

extension Guest.Clock {
  fileprivate var options: [String] {
    switch self {
    case .host: []
    case .instructions: ["--icount"]
    case .instructionsAndIdle: ["--icount-idle"]
    }
  }
}

/// The tests of touchscreens. They run one at a time in a shared guest that counts instructions as
/// time.
@Suite(
  .serialized, .enabled(if: Guest.isWanted, "set TOUCHGRID_GUEST=1 to run tests on real devices"))
struct DeviceGuestTests {}

/// The tests of the overlay and the follower on a desktop. They run one at a time in a shared
/// guest.
@Suite(
  .serialized, .enabled(if: Guest.isWanted, "set TOUCHGRID_GUEST=1 to run tests on real devices"))
struct DesktopGuestTests {}

/// The tests of the package. They run one at a time in guests of their own, beside the other tests.
@Suite(
  .serialized, .enabled(if: Guest.isWanted, "set TOUCHGRID_GUEST=1 to run tests on real devices"))
struct PackagedGuestTests {}

/// The tests of the recipes for kiosks. They run one at a time, each on a machine of its own with a
/// screen, because browsers need the processors to themselves.
@Suite(
  .serialized, .enabled(if: Guest.isWanted, "set TOUCHGRID_GUEST=1 to run tests on real devices"))
struct KioskGuestTests {}
