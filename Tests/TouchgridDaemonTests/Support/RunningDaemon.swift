import Foundation
import LinuxIO
import Recordings
import TestSupport
import Testing
import TouchgridAPI

/// Runs the built `touchgridd` with a socket, a store and a configuration in a folder of its own.
/// Its clocks stand still until `pass`, unless it is to keep real time. The process is stopped when
/// this object is released.
final class RunningDaemon {
  let folder: TemporaryFolder
  private(set) var process = Process()
  /// The time on the daemon's `CLOCK_MONOTONIC`, in µs.
  private(set) var now: Int64 = 0
  /// The environment of daemons that are started from now on; nil for the environment of the tests.
  var environment: [String: String]?
  private let arguments: [String]
  private let keepsRealTime: Bool
  /// How the test moves the clocks.
  private var control = (input: Pipe(), output: Pipe())

  var socket: String { folder.path("socket") }
  var store: String { folder.path("touchgrid.db") }
  var configuration: String { folder.path("touchgridd.toml") }
  var log: String { (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? "" }

  /// - Parameters:
  ///   - recording: Played as time passes; nil to read real devices.
  ///   - next: Played after it.
  ///   - wall: The wall clock at each start, in ms since 1970; 0 for the current time.
  init(
    _ configuration: String = "", playing recording: Recording? = nil, then next: Recording? = nil,
    wall: Int64 = 0, keepsRealTime: Bool = false
  ) throws {
    self.keepsRealTime = keepsRealTime
    let folder = try TemporaryFolder()
    self.folder = folder
    let files = try [recording, next].compactMap(\.self).enumerated().map { number, recording in
      try folder.write(recording.evemuText, to: "\(number).evemu")
    }
    arguments =
      (files.isEmpty ? [] : files.flatMap { ["--replay", $0] } + ["--pace", "recorded"])
      + (keepsRealTime ? [] : ["--test-clock", "\(wall)"])
    try write(configuration)
    try start()
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func write(_ text: String) throws { try folder.write(text, to: "touchgridd.toml") }

  /// Starts the daemon, or restarts it after it has ended. Throws if the daemon ends at once.
  func start() throws {
    try launch()
    try #require(process.isRunning, "the daemon ended: \(log)")
  }

  /// Starts the daemon and waits until it answers or has ended.
  func launch() throws {
    process = Process()
    process.executableURL = try program(
      "touchgridd", preferring: keepsRealTime ? "TOUCHGRID_BINARIES" : nil)
    process.environment = environment ?? ProcessInfo.processInfo.environment
    process.arguments =
      ["--config", configuration, "--store", store, "--socket", socket] + arguments
    process.standardError = FileHandle(forWritingAtPath: try folder.write("", to: "log"))
    control = (Pipe(), Pipe())
    if !keepsRealTime {
      (process.standardInput, process.standardOutput) = (control.input, control.output)
    }
    try process.run()
    if keepsRealTime {
      try #require(
        within(seconds: 60) { (try? TouchgridClient(path: socket)) != nil || !process.isRunning })
    } else if try readAnswer() == nil {
      process.waitUntilExit()
    }
  }

  /// Lets time pass for the daemon, and returns when it has done all that became due, or has ended.
  /// - Returns: How often the daemon woke.
  @discardableResult
  func pass(seconds: Double) throws -> Int {
    let microseconds = Int64((seconds * 1_000_000).rounded())
    control.input.fileHandleForWriting.write(Data("\(microseconds)\n".utf8))
    return try readAnswer() ?? 0
  }

  /// Lets time pass in steps of 0.1 s until a condition is true.
  func pass(
    atMost seconds: Int, until condition: () throws -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for _ in 0..<10 * seconds {
      if try condition() { return }
      try pass(seconds: 0.1)
    }
    try #require(try condition(), "not within \(seconds) s", sourceLocation: sourceLocation)
  }

  /// Reads the line that the daemon writes when it has nothing left to do.
  /// - Returns: How often it woke; nil if it has ended.
  private func readAnswer() throws -> Int? {
    let output = control.output.fileHandleForReading
    var line = ""
    while !line.hasSuffix("\n") {
      var wait = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let limit = 120_000 * Int32(slowness)
      try #require(unsafe poll(&wait, 1, limit) == 1, "the daemon does not answer: \(log)")
      let data = output.availableData
      if data.isEmpty { return nil }
      line += String(decoding: data, as: UTF8.self)
    }
    let numbers = line.split { $0.isWhitespace }.compactMap { Int64($0) }
    try #require(numbers.count == 2, "the daemon wrote \"\(line)\"")
    now = numbers[0]
    return Int(numbers[1])
  }

  func client() throws(TouchgridError) -> TouchgridClient { try TouchgridClient(path: socket) }

  /// Calls a method on a connection of its own.
  func call<M: TouchgridAPI.Method>(_ method: M) throws(TouchgridError) -> M.Reply {
    var client = try client()
    return try client.call(method)
  }

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
  let end = ContinuousClock.now + .seconds(10 * seconds * slowness)
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
