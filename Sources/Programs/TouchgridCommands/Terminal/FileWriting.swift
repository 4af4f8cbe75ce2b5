import Glibc
import LinuxIO
import Text
import TouchModel

/// Writes a file atomically: whenever the program ends, the file is complete or unchanged. A
/// replaced file keeps its mode. For a symbolic link, its target is replaced. A pipe or a device
/// such as `/dev/stdout` is written to directly.
///
/// If root calls this and another user can change the path, a process of that user writes the file.
func writeFile(_ bytes: [UInt8], to path: String) throws(Failure) {
  if let process = try ProcessIdentity.outputProcess(for: path) {
    return try process.write(bytes, to: path)
  }
  try replaceFile(path) { descriptor throws(Failure) in
    try write(bytes, to: descriptor, name: path.printable(limit: 4096))
  }
}

/// Does the same as `writeFile`, but always in this process.
/// - Parameter body: writes the bytes to a descriptor.
func replaceFile(
  _ path: String, _ body: (_ descriptor: Int32) throws(Failure) -> Void
) throws(Failure) {
  let name = path.printable(limit: 4096)
  var old = stat()
  // If other users can write in the folder, they can replace the file at any moment, so root
  // follows no link and does not open the old file.
  let isShared = ProcessIdentity.isShared(path)
  let isThere = unsafe (isShared ? lstat(path, &old) : stat(path, &old)) == 0
  if isShared, isThere, ![S_IFREG, S_IFDIR].contains(old.st_mode & S_IFMT) {
    throw Failure(
      "\(name) is not a regular file, and other users can write in its folder, so root does not write "
        + "it; name another file")
  }
  if isThere, old.st_mode & S_IFMT != S_IFREG {
    // The file may be a pipe without a reader, and opening it would block.
    if let user = ProcessIdentity.user, old.st_mode & S_IFMT != S_IFDIR {
      throw Failure(
        "\(name) is a pipe or a device in a folder of the user \(user), so root does not write to it"
      )
    }
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure("\(name) cannot be opened: \(errorText(errno))") }
    defer { close(descriptor) }
    return try body(descriptor)
  }
  // A write-protected file is not replaced, although its folder would allow it.
  if isThere, unsafe access(path, W_OK) != 0 {
    throw Failure("\(name) cannot be replaced: \(errorText(errno))")
  }
  let target = isThere && !isShared ? try pathWithoutLinks(path, old) : path
  var link = stat()
  if !isThere, unsafe lstat(path, &link) == 0 {
    throw Failure(
      "\(name) is a broken symbolic link; create its target, or remove the link")
  }

  var file = try beside(name) { () throws(SystemError) in try FileReplacement(of: target) }
  try body(file.descriptor)
  if isThere, !isShared { file.takeOver(mode: old.st_mode, user: old.st_uid, group: old.st_gid) }
  do throws(SystemError) {
    try file.finish()
  } catch {
    throw Failure("\(name) cannot be written: \(errorText(error.code))")
  }
}

/// Calls `body`, and replaces its error by one that says that the folder of the file is not
/// writable.
func beside<Result: ~Copyable>(
  _ name: String, _ body: () throws(SystemError) -> Result
) throws(Failure) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw Failure(
      "\(name) cannot be written: no file can be created in its folder: \(errorText(error.code))")
  }
}

/// Returns the path of a file without symbolic links. `realpath` ignores the kernel's rules for
/// links in folders that all users may write in (`protected_symlinks`). So the result must lead to
/// the same file as `file`, which the kernel found by these rules.
private func pathWithoutLinks(_ path: String, _ file: stat) throws(Failure) -> String {
  var found = stat()
  guard let text = unsafe realpath(path, nil) else {
    throw Failure("\(path.printable(limit: 4096)) cannot be found: \(errorText(errno))")
  }
  defer { unsafe free(text) }
  let real = unsafe String(cString: text)
  guard unsafe stat(real, &found) == 0, found.st_dev == file.st_dev, found.st_ino == file.st_ino
  else {
    throw Failure(
      "\(path.printable(limit: 4096)) was replaced while it was being written; try again")
  }
  return real
}
