import Glibc

/// Runs another program and waits until it ends.
enum Command {
  struct Result: Equatable {
    /// As `ChildCommand.status(of:)`.
    var status: Int32
    /// Standard output and standard error together, about the first 64 KiB.
    var text: String
  }

  /// Runs a program.
  /// - Parameter words: the program and its arguments. A program without a slash is looked up in
  ///   PATH.
  /// - Returns: nil if the program cannot be started.
  static func run(_ words: [String]) -> Result? {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
    unsafe posix_spawn_file_actions_addclose(&actions, ends[0])
    unsafe posix_spawn_file_actions_addclose(&actions, ends[1])

    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let code = unsafe posix_spawnp(&process, words.first ?? "", &actions, nil, &arguments, environ)
    close(ends[1])
    guard code == 0 else { return nil }

    var bytes: [UInt8] = []
    var buffer = Array(repeating: UInt8(0), count: 4096)
    while true {
      let count = unsafe read(ends[0], &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      if bytes.count < 1 << 16 { bytes += buffer[..<count] }
    }
    return Result(
      status: ChildCommand.status(of: process), text: String(decoding: bytes, as: UTF8.self))
  }
}
