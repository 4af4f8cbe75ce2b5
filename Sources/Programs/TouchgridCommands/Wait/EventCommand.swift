import Glibc
import Text

/// The command that `touchgrid wait` runs. It gets the event's name as `TOUCHGRID_EVENT`.
struct EventCommand {
  static let variable = "TOUCHGRID_EVENT"

  /// The program and its arguments. A program without a slash is looked up in PATH.
  let words: [String]

  /// Replaces this process by the command, so that its exit status becomes that of the process.
  func replaceProcess(_ event: AwaitedEvent) throws(Failure) -> Never {
    setVariable(event)
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    unsafe execvp(words.first ?? "", &arguments)
    throw failure(errno)
  }

  /// Runs the command and waits until it ends.
  /// - Returns: its exit status. If a signal has ended it: 128 plus the signal's number, as shells
  ///   report it.
  func run(_ event: AwaitedEvent) throws(Failure) -> Int32 {
    setVariable(event)
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let code = unsafe posix_spawnp(&process, words.first ?? "", nil, nil, &arguments, environ)
    guard code == 0 else { throw failure(code) }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f)
  }

  private func setVariable(_ event: AwaitedEvent) {
    unsafe setenv(Self.variable, event.event.rawValue, 1)
  }

  /// With the exit status of shells: 127 if there is no such program, otherwise 126.
  private func failure(_ code: Int32) -> Failure {
    let name = (words.first ?? "").printable(limit: 4096)
    var failure = Failure("\(name) cannot be run: \(errorText(code))")
    failure.exitStatus = code == ENOENT ? 127 : 126
    return failure
  }
}
