import Foundation
import Testing

/// The virtual machine of `Tests/Guest`, booted once for all tests, with the programs under test in it.
final class Guest: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Whether the machine was asked for: it takes minutes.
  static let isWanted = ProcessInfo.processInfo.environment["TOUCHGRID_GUEST"] == "1"

  /// The folder of recordings of real panels.
  static let corpus = ProcessInfo.processInfo.environment["TOUCHGRID_CORPUS"]

  private static let booted = Result { try Guest() }

  /// The one guest; boots it where it does not run yet.
  static func shared() throws -> Guest { try booted.get() }

  /// A folder that the guest sees as `/host`.
  let share: URL

  private init() throws {
    share = FileManager.default.temporaryDirectory
      .appending(path: "touchgrid-guest-\(getpid())")
    try? FileManager.default.removeItem(at: share)
    try FileManager.default.createDirectory(at: share, withIntermediateDirectories: true)
    let binaries =
      ProcessInfo.processInfo.environment["TOUCHGRID_BINARIES"]
      ?? Self.repository.appending(path: ".build/release").path
    for name in ["touchgridd", "touchgrid"] {
      try FileManager.default.copyItem(
        at: URL(filePath: binaries).appending(path: name), to: share.appending(path: name))
    }
    let helpers = Self.repository.appending(path: "Tests/Guest")
    try FileManager.default.copyItem(
      at: helpers.appending(path: "uhid-play.py"), to: share.appending(path: "uhid-play.py"))
    let start = try Self.script(["start", share.path, "--with-parent", String(getpid())])
    guard start.status == 0 else { throw Failure(description: start.errors) }
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

  private static var repository: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  private static func script(_ arguments: [String]) throws -> Command {
    try Command(repository.appending(path: "Tests/Guest/guest").path, arguments)
  }
}

/// All tests that need the guest: they share it, one at a time.
@Suite(
  .serialized, .enabled(if: Guest.isWanted, "set TOUCHGRID_GUEST=1 to run tests on real devices"))
struct GuestTests {}
