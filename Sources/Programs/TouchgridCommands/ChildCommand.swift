import Glibc
import Text

/// A command that the user names, such as that of `touchgrid wait`.
struct ChildCommand {
  /// The program and its arguments. A program without a slash is looked up in PATH.
  let words: [String]
  /// Variables that are added to its environment, by name.
  var variables: [String: String] = [:]

  /// Replaces this process by the command, so that its exit status becomes that of the process.
  func replaceProcess() throws(Failure) -> Never {
    setVariables()
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    unsafe execvp(words.first ?? "", &arguments)
    throw failure(errno)
  }

  /// Runs the command and waits until it ends.
  /// - Returns: as `status(of:)`.
  func run() throws(Failure) -> Int32 { Self.status(of: try start()) }

  /// - Parameter output: the file that gets its output and errors; nil: those of this process.
  /// - Returns: the number of its process.
  func start(output: String? = nil) throws(Failure) -> pid_t {
    setVariables()
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    if let output {
      let flags = O_WRONLY | O_CREAT | O_APPEND
      unsafe posix_spawn_file_actions_addopen(&files, 1, output, flags, 0o600)
      unsafe posix_spawn_file_actions_adddup2(&files, 1, 2)
    }
    var process = pid_t()
    let code = unsafe posix_spawnp(&process, words.first ?? "", &files, nil, &arguments, environ)
    guard code == 0 else { throw failure(code) }
    return process
  }

  /// Waits until a process ends.
  /// - Returns: its exit status. If a signal has ended it: 128 plus the signal's number, as shells
  ///   report it.
  static func status(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f)
  }

  private func setVariables() {
    for (name, value) in variables { unsafe setenv(name, value, 1) }
  }

  /// With the exit status of shells: 127 if there is no such program, otherwise 126.
  private func failure(_ code: Int32) -> Failure {
    let name = (words.first ?? "").printable(limit: 4096)
    var failure = Failure("\(name) cannot be run: \(errorText(code))")
    failure.exitStatus = code == ENOENT ? 127 : 126
    return failure
  }
}
