import Glibc
import LinuxIO
import Text
import TouchModel

/// A file that grows line by line. Each line is passed to the kernel immediately, so that the file
/// is a valid track whenever the program ends.
struct TrackFile: ~Copyable {
  private let descriptor: Int32
  private let name: String
  private let isOurs: Bool

  /// Creates the file.
  /// - Parameter path: the path; `-` is standard output. An existing file is never overwritten,
  ///   because a track cannot be recorded again.
  init(path: String) throws(Failure) {
    if path == "-" {
      (descriptor, name, isOurs) = (STDOUT_FILENO, "standard output", false)
      return
    }
    let name = path.printable(limit: 4096)
    try ProcessIdentity.becomeOwner(ofOutput: path)
    var old = stat()
    let isThere = unsafe stat(path, &old) == 0
    // The user of the folder may have put a pipe without a reader there, and opening it would
    // block.
    if isThere, let user = ProcessIdentity.user {
      throw Failure("\(name) exists, in a folder of the user \(user); give another name")
    }
    if isThere, old.st_mode & S_IFMT == S_IFREG {
      throw Failure("\(name) exists; give another name, or remove it")
    }
    // Only the user who records a track may read it, because others may lack the role watch.
    let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (isThere ? 0 : O_CREAT | O_EXCL)
    let opened = unsafe open(path, flags, 0o600)
    guard opened >= 0 else { throw Failure("\(name) cannot be opened: \(errorText(errno))") }
    (descriptor, self.name, isOurs) = (opened, name, true)
  }

  deinit { if isOurs { Glibc.close(descriptor) } }

  func write(_ line: String) throws(Failure) {
    try TouchgridCommands.write(Array((line + "\n").utf8), to: descriptor, name: name)
  }

  /// Flushes the file to the disk.
  func finish() throws(Failure) {
    // Pipes and terminals cannot be flushed.
    guard fsync(descriptor) != 0, errno != EINVAL, errno != EROFS, errno != ENOTSUP else { return }
    throw Failure("\(name) cannot be written: \(errorText(errno))")
  }
}
