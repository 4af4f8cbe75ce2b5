import ArgumentParser
import CTestZone
import Glibc
import TestSupport
import Testing
import Text

@testable import TouchgridCommands

/// Runs the built `touchgrid` as users do.
struct Program {
  struct Result {
    var status: Int32
    var output: [UInt8]
    var error: String
    var text: String { String(decoding: output, as: UTF8.self) }
    var json: JSONValue { get throws { try JSONValue(parsing: text) } }
  }

  struct CannotRun: Error, CustomStringConvertible { var description: String }

  /// The path of `touchgrid`, which is next to the test executable.
  static var path: String {
    get throws {
      var buffer = Array(repeating: CChar(0), count: 4096)
      let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
      let own = String(
        decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
      let folder = own.lastIndex(of: "/").map { own[..<$0] } ?? "."
      let path = "\(folder)/touchgrid"
      guard unsafe access(path, X_OK) == 0 else {
        throw CannotRun(description: "there is no \(path)")
      }
      return path
    }
  }

  /// Returns what the parser says of arguments, without a process. Its status is 0 if the verb would
  /// run.
  static func parse(_ words: [String]) -> Result {
    do {
      if let fault = VerbSuggestion.fault(words) { throw fault }
      _ = try Touchgrid.parseAsRoot(words)
      return Result(status: 0, output: [], error: "")
    } catch {
      return Result(
        status: Touchgrid.exitCode(for: error).rawValue, output: [],
        error: Touchgrid.fullMessage(for: error))
    }
  }

  /// Runs a program to its end.
  /// - Parameters:
  ///   - program: The program; nil for `touchgrid`.
  ///   - environment: Variables for the program. Of the tests' own environment it gets only `PATH`
  ///     and the options of the sanitizers. `TZ` is Berlin's unless given here.
  ///   - folder: Gets the program's output, in the files `stdout` and `stderr`.
  static func run(
    _ arguments: [String], program: String? = nil, environment: [String: String] = [:],
    in folder: TemporaryFolder
  ) throws -> Result {
    try start(arguments, program: program, environment: environment, in: folder).finish()
  }

  /// A running program.
  struct Running {
    let process: pid_t
    private let outputFile: String
    private let errorFile: String

    fileprivate init(process: pid_t, outputFile: String, errorFile: String) {
      self.process = process
      self.outputFile = outputFile
      self.errorFile = errorFile
    }

    /// The output so far.
    var output: String {
      get throws { String(decoding: try TemporaryFolder.contents(outputFile), as: UTF8.self) }
    }

    /// Waits until the program ends.
    func finish() throws -> Result {
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) == -1 && errno == EINTR {}
      return Result(
        status: status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f),
        output: try TemporaryFolder.contents(outputFile),
        error: String(decoding: try TemporaryFolder.contents(errorFile), as: UTF8.self))
    }
  }

  /// Starts a program like `run`, but does not wait for its end.
  static func start(
    _ arguments: [String], program: String? = nil, environment: [String: String] = [:],
    in folder: TemporaryFolder
  ) throws -> Running {
    let path = try program ?? path
    let (outputFile, errorFile) = (folder.path("stdout"), folder.path("stderr"))
    var variables = [
      "TZ": TEST_ZONE, "PATH": unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "",
    ]
    for name in ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"] {
      variables[name] = unsafe getenv(name).map { unsafe String(cString: $0) }
    }
    variables.merge(environment) { $1 }

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    // The threads of tests block signals, but the program must receive them.
    var attributes = posix_spawnattr_t()
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    // The tests' parent may ignore some signals, as nohup does, and a program would inherit that.
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, outputFile, flags, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, errorFile, flags, 0o600)

    var process = pid_t()
    let code = try unsafe withCStrings([path] + arguments) { arguments in
      try unsafe withCStrings(variables.map { "\($0.key)=\($0.value)" }) { environment in
        unsafe posix_spawnp(&process, path, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw CannotRun(description: "\(path): error \(code)") }
    return Running(process: process, outputFile: outputFile, errorFile: errorFile)
  }

  private static func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> Result
  ) throws -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return try unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { throw CannotRun(description: "no memory") }
      return try unsafe body(base)
    }
  }
}

extension JSONValue {
  /// The value of a whole number; nil for any other value.
  var int: Int? { digits.flatMap { Int($0) } }
}

extension TemporaryFolder {
  /// Runs `touchgrid`, whose output goes to this folder.
  func run(
    _ words: [String], environment: [String: String] = [:]
  ) throws -> Program.Result {
    try Program.run(words, environment: environment, in: self)
  }

  /// The text of a file in this folder.
  func text(_ name: String) throws -> String {
    String(decoding: try Self.contents(path(name)), as: UTF8.self)
  }
}
