internal import Glibc
internal import LinuxIO

/// A child process, which is terminated at the latest when its owner releases it.
final class ChildProcess {
  private let process: pid_t
  private var hasEnded = false

  /// Starts a program with an empty standard input and the standard error of this process.
  /// - Parameters:
  ///   - words: The program and its arguments. The program is looked up in PATH, unless it contains
  ///     a slash.
  ///   - output: Set to the read end of a pipe from the program's standard output. It is
  ///     non-blocking.
  init(_ words: [String], output: inout FileDescriptor) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw SystemError(context: "creating a pipe") }
    let reading = FileDescriptor(owning: ends[0])
    let writing = FileDescriptor(owning: ends[1])
    _ = fcntl(reading.number, F_SETFD, FD_CLOEXEC)
    _ = fcntl(reading.number, F_SETFL, O_NONBLOCK)
    _ = fcntl(writing.number, F_SETFD, FD_CLOEXEC)

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, writing.number, STDOUT_FILENO)
    // This process blocks signals. The program must not inherit that, because signals must end it.
    // It gets its own process group, so that programs that it starts end with it.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let code = unsafe posix_spawnp(
      &process, words.first ?? "", &actions, &attributes, &arguments, environ)
    guard code == 0 else {
      throw SystemError(code: code, context: "running \(words.first ?? "")")
    }
    self.process = process
    output = reading
  }

  deinit { _ = end() }

  /// Terminates the program's process group unless the program has already ended: with SIGTERM, and
  /// after 100 ms with SIGKILL.
  /// - Returns: The exit status or signal of the program, as text for users; empty if `end` was
  ///   called before.
  func end() -> String {
    guard !hasEnded else { return "" }
    hasEnded = true
    var status: Int32 = 0
    if unsafe waitpid(process, &status, WNOHANG) == 0 {
      kill(-process, SIGTERM)
      var isOver = false
      for _ in 0..<10 where !isOver {
        usleep(10_000)
        isOver = unsafe waitpid(process, &status, WNOHANG) != 0
      }
      if !isOver {
        kill(-process, SIGKILL)
        while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
      }
    }
    let signal = status & 0x7f
    return signal == 0 ? "status \(status >> 8 & 0xff)" : "killed by signal \(signal)"
  }
}
