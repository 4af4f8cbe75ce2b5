import Foundation
import Testing

/// A virtual machine of `Tests/Guest`.
final class Guest: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Whether the machine was asked for: it takes minutes.
  static let isWanted = ProcessInfo.processInfo.environment["TOUCHGRID_GUEST"] == "1"

  /// The folder of recordings of real panels.
  static let corpus = ProcessInfo.processInfo.environment["TOUCHGRID_CORPUS"]

  /// The suites of Debian in whose guests the programs built here run: that of this machine, and later ones.
  static let suites: [String] = {
    let words = (try? script(["suites"]))?.output ?? ""
    return words.split(whereSeparator: \.isWhitespace).map(String.init)
  }()

  private static let booted = Result {
    let guest = try Guest(suite: nil)
    try guest.takePrograms()
    return guest
  }

  /// The guest that most tests share, with the programs under test in it; boots it where it does not run yet.
  static func shared() throws -> Guest { try booted.get() }

  private static let bootedCounting = Result {
    let guest = try Guest(suite: nil, counts: true)
    try guest.takePrograms()
    return guest
  }

  /// A guest whose clock counts instructions, with the same programs: however busy the host is, nobody in it is late.
  static func counting() throws -> Guest { try bootedCounting.get() }

  /// A folder that the guest sees as `/host`.
  let share: URL

  private let suite: String?
  private let options: [String]
  private let niceness: Int

  /// Boots a fresh Debian, which ends with this process.
  /// - Parameters:
  ///   - suite: nil: that of this machine.
  ///   - kept: a name for its disk, which is then kept for `reboot`, and to boot after a cut.
  ///   - counts: its clock counts instructions. It stays behind the others, which may be late.
  ///   - hasScreen: a screen of 1024 by 768 pixels, and memory for a browser.
  init(
    suite: String?, kept: String? = nil, counts: Bool = false, hasScreen: Bool = false
  ) throws {
    self.suite = counts ? Self.suites.first : suite
    options =
      (kept == nil ? [] : ["--keep-disk"]) + (counts ? ["--icount"] : [])
      + (hasScreen ? ["--screen", "--memory", "2048"] : [])
    // Whoever is never late can wait longest.
    niceness = counts ? 10 : 5
    let name = [suite, kept, counts ? "counting" : nil, String(getpid())].compactMap(\.self)
    share = FileManager.default.temporaryDirectory
      .appending(path: "touchgrid-guest-\(name.joined(separator: "-"))")
    try? FileManager.default.removeItem(at: share)
    try FileManager.default.createDirectory(at: share, withIntermediateDirectories: true)
    try start()
  }

  private func start() throws {
    let start = try Self.script(
      ["start", share.path, "--with-parent", String(getpid())] + options, suite: suite,
      niceness: niceness)
    guard start.status == 0 else { throw Failure(description: start.errors) }
  }

  /// Shuts it down and boots it again, with the disk that it kept.
  func reboot() throws {
    try stop()
    try start()
  }

  /// The power fails.
  func cut() throws {
    let cut = try Self.script(["cut", share.path])
    guard cut.status == 0 else { throw Failure(description: cut.errors) }
  }

  /// Boots it again, with the disk that it kept.
  func bootAfterCut() throws { try start() }

  /// Powers it off.
  func stop() throws {
    let stop = try Self.script(["stop", share.path])
    guard stop.status == 0 else { throw Failure(description: stop.errors) }
  }

  /// Hands it programs of `Tests/Guest`, as `/host/NAME`.
  func take(_ names: String...) throws {
    for name in names {
      try FileManager.default.copyItem(
        at: Self.repository.appending(path: "Tests/Guest/\(name)"),
        to: share.appending(path: name))
    }
  }

  /// Hands it packages that `make deb` made, as `/host/NAME.deb`.
  func takePackages(_ names: String...) throws {
    for name in names {
      try FileManager.default.copyItem(
        at: try Self.package(name), to: share.appending(path: "\(name).deb"))
    }
  }

  /// The file of a package that `make deb` made.
  static func package(_ name: String) throws -> URL {
    let folder = URL(
      filePath: ProcessInfo.processInfo.environment["TOUCHGRID_PACKAGES"]
        ?? repository.appending(path: ".build/deb").path)
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

  private func takePrograms() throws {
    let binaries =
      ProcessInfo.processInfo.environment["TOUCHGRID_BINARIES"]
      ?? Self.repository.appending(path: ".build/release").path
    for name in ["touchgridd", "touchgrid"] {
      try FileManager.default.copyItem(
        at: URL(filePath: binaries).appending(path: name), to: share.appending(path: name))
    }
    try take(
      "uhid-play.py", "mirror.py", "fingers.py", "books.py", "lives.py", "waits.py", "memory.py")
    try run("cp /host/touchgridd /host/touchgrid /usr/local/bin/ && chmod 755 /usr/local/bin/*")
  }

  /// Runs a line of sh in the guest, as root in `/host`.
  /// - Throws: where its status is not 0.
  @discardableResult
  func run(_ command: String, timeout: Int = 120) throws -> String {
    let result = try attempt(command, timeout: timeout)
    guard result.status == 0 else {
      throw Failure(
        description: "\(command)\nended with \(result.status)\n\(result.output)\n\(result.errors)")
    }
    return result.output
  }

  /// Runs a line of sh in the guest, whatever comes of it.
  func attempt(_ command: String, timeout: Int = 120) throws -> Command {
    let result = try Self.script(["run", share.path, "--timeout", String(timeout), command])
    guard result.status != 125 else { throw Failure(description: result.errors) }
    return result
  }

  static var repository: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  private static func script(
    _ arguments: [String], suite: String? = nil, niceness: Int = 5
  ) throws -> Command {
    let path = repository.appending(path: "Tests/Guest/guest").path
    guard let suite else { return try Command(path, arguments) }
    // Behind the guest that tests share, in which fingers must be punctual.
    return try Command(
      "/usr/bin/env",
      ["TOUCHGRID_GUEST_SUITE=\(suite)", "nice", "-n", "\(niceness)", path] + arguments)
  }
}

/// All tests of real devices, in a guest that they share, and of the overlay, in another; one at a time.
@Suite(
  .serialized, .enabled(if: Guest.isWanted, "set TOUCHGRID_GUEST=1 to run tests on real devices"))
struct GuestTests {}

/// All tests for which fingers must be punctual to the frame, one at a time. They share a guest whose clock counts
/// instructions, and run beside the others.
@Suite(
  .serialized, .enabled(if: Guest.isWanted, "set TOUCHGRID_GUEST=1 to run tests on real devices"))
struct CountingGuestTests {}

/// All tests of the package, one at a time: they have guests of their own, and run beside the others.
@Suite(
  .serialized, .enabled(if: Guest.isWanted, "set TOUCHGRID_GUEST=1 to run tests on real devices"))
struct PackagedGuestTests {}

/// The recipes for kiosks, one at a time, each on a machine of its own with a screen. Browsers want the processors for
/// themselves.
@Suite(
  .serialized, .enabled(if: Guest.isWanted, "set TOUCHGRID_GUEST=1 to run tests on real devices"))
struct KioskGuestTests {}
