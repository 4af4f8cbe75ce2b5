import Glibc
import TouchModel

/// Writes a file that is there whole or not at all: to a temporary beside it, which then takes its name.
/// What is no regular file (a pipe, `/dev/stdout`) is written to as it is.
func writeFile(_ bytes: [UInt8], to path: String) throws(Failure) {
  let name = path.printable(limit: 4096)
  var status = stat()
  if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure("\(name) cannot be opened: \(errorText(errno))") }
    defer { close(descriptor) }
    return try write(bytes, to: descriptor, name: name)
  }
  var template = Array((path + ".XXXXXX").utf8CString)
  let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
    unsafe buffer.baseAddress.map { unsafe mkstemp($0) } ?? -1
  }
  guard descriptor >= 0 else {
    throw Failure("nothing can be written beside \(name): \(errorText(errno))")
  }
  let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  do throws(Failure) {
    // mkstemp gives 0600, whatever the user's mask.
    let mask = umask(0)
    umask(mask)
    defer { close(descriptor) }
    try write(bytes, to: descriptor, name: name)
    guard fchmod(descriptor, 0o666 & ~mask) == 0, fsync(descriptor) == 0 else {
      throw Failure("\(name) cannot be written: \(errorText(errno))")
    }
    guard unsafe rename(temporary, path) == 0 else {
      throw Failure("\(name) cannot be replaced: \(errorText(errno))")
    }
  } catch {
    unsafe unlink(temporary)
    throw error
  }
}
