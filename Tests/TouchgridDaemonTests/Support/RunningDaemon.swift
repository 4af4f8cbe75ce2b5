import Foundation
import LinuxIO
import Recordings
import TestSupport
import Testing
import TouchgridAPI

/// Runs the built `touchgridd` with a socket, a store and a configuration in a folder of its own.
/// The process is stopped when this object is released.
final class RunningDaemon {
  let folder: URL
  private(set) var process = Process()
  private let recordings: [String]
  /// The environment of daemons that are started from now on; nil for the environment of the tests.
  var environment: [String: String]?

  var socket: String { folder.appending(path: "socket").path }
  var store: String { folder.appending(path: "touchgrid.db").path }
  var configuration: URL { folder.appending(path: "touchgridd.toml") }
  var log: String {
    (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
  }

  /// - Parameters:
  ///   - recording: Played at its recorded pace; nil to read real devices.
  ///   - environment: The daemon's environment; nil for the environment of the tests.
  init(
    _ configuration: String = "", playing recording: Recording? = nil,
    environment: [String: String]? = nil
  ) throws {
    self.environment = environment
    folder = FileManager.default.temporaryDirectory.appending(path: "touchgrid-daemon-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "recording.evemu")
    try recording?.evemuText.write(to: file, atomically: true, encoding: .utf8)
    recordings = recording == nil ? [] : ["--replay", file.path, "--pace", "recorded"]
    try write(configuration)
    try start()
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  func write(_ text: String) throws {
    try text.write(to: configuration, atomically: true, encoding: .utf8)
  }

  /// Starts the daemon, or restarts it after it has ended. Throws if the daemon ends at once.
  func start() throws {
    try launch()
    try #require(process.isRunning, "the daemon ended: \(log)")
  }

  /// Starts the daemon and waits until it answers or has ended.
  func launch() throws {
    process = Process()
    process.executableURL = try program("touchgridd", preferring: "TOUCHGRID_BINARIES")
    process.environment = environment ?? ProcessInfo.processInfo.environment
    process.arguments =
      ["--config", configuration.path, "--store", store, "--socket", socket] + recordings
    let log = folder.appending(path: "log")
    try Data().write(to: log)
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    try #require(
      within(seconds: 60) { (try? TouchgridClient(path: socket)) != nil || !process.isRunning })
  }

  func client() throws(TouchgridError) -> TouchgridClient { try TouchgridClient(path: socket) }

  /// The numbers of context switches of each thread, which rise when the thread wakes.
  var contextSwitches: String {
    get throws {
      let path = "/proc/\(process.processIdentifier)/task"
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { task in
        try String(contentsOfFile: "\(path)/\(task)/status", encoding: .utf8)
          .split(separator: "\n").filter { $0.contains("ctxt_switches") }.joined()
      }
      .joined(separator: "\n")
    }
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Ends the daemon with a signal, and waits until it has ended.
  func stop(_ number: Int32 = SIGTERM) throws {
    signal(number)
    try #require(within(seconds: 30) { !process.isRunning })
  }

  /// Waits until the log contains the text.
  func waitForLog(_ text: String) throws {
    try #require(within(seconds: 30) { log.contains(text) }, "no \"\(text)\" in: \(log)")
  }
}

/// Waits for a condition, for at most ten times `seconds`, because a busy machine may be that much
/// slower, and longer with a sanitizer (`slowness`).
/// - Returns: Whether the condition became true.
func within(seconds: Int64, _ condition: () throws -> Bool) rethrows -> Bool {
  try waits(for: .seconds(10 * seconds * slowness), until: condition)
}

/// Checks a condition repeatedly for `seconds`, and longer with a sanitizer (`slowness`).
/// - Returns: Whether the condition was always true.
func stays(seconds: Int64, _ condition: () throws -> Bool) rethrows -> Bool {
  try !waits(for: .seconds(seconds * slowness)) { try !condition() }
}

private func waits(for time: Duration, until condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + time
  while try !condition() {
    guard ContinuousClock.now < end else { return false }
    usleep(20_000)
  }
  return true
}

/// Returns the path of a built program, in the folder of the test executable.
/// - Parameter variable: An environment variable that may name another folder to use instead.
func program(_ name: String, preferring variable: String? = nil) throws -> URL {
  let folder = variable.flatMap { ProcessInfo.processInfo.environment[$0] }
  if let folder { return URL(filePath: folder).appending(path: name) }
  let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  let program = URL(filePath: own).deletingLastPathComponent().appending(path: name)
  try #require(FileManager.default.isExecutableFile(atPath: program.path), "no \(program.path)")
  return program
}

/// Returns a recording of `count` taps at different places.
func taps(_ count: Int, every microseconds: Int64 = 200_000) -> Recording {
  var gestures = Gestures(on: .panel(width: 1024, height: 768))
  for number in 0..<Int32(count) {
    gestures.tap(at: (16 * (number % 60) + 8, 16 * (number / 60 % 45) + 8))
    gestures.wait(microseconds)
  }
  return gestures.recording
}
