import Foundation

/// Runs a program to its end. (Foundation's `Process` also waits for processes that the program
/// left running, such as a started guest.)
struct Command {
  let status: Int32
  let output: String
  let errors: String

  init(_ path: String, _ arguments: [String]) throws {
    let folder = FileManager.default.temporaryDirectory
    let files = ["out", "err"].map { folder.appending(path: "touchgrid-\(UUID()).\($0)").path }
    defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (descriptor, file) in files.enumerated() {
      unsafe posix_spawn_file_actions_addopen(
        &actions, Int32(descriptor) + 1, file, O_WRONLY | O_CREAT, 0o600)
    }
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawn(&process, path, &actions, nil, &words, environ)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    var state: Int32 = 0
    while unsafe waitpid(process, &state, 0) < 0, errno == EINTR {}

    status = state & 0x7f == 0 ? state >> 8 & 0xff : 128 + state & 0x7f
    output = String(decoding: try Data(contentsOf: URL(filePath: files[0])), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: URL(filePath: files[1])), as: UTF8.self)
  }
}
