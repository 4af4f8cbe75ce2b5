import Glibc
import Text
import TouchModel

/// Returns the contents of a file.
/// - Parameter limit: the maximum size in bytes; larger files are rejected.
func readFile(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
  let name = path.printable(limit: 4096)
  // Standard input was opened by the user who started this program, so it needs no check.
  let trust = path == "/dev/stdin" ? .all : try ProcessIdentity.trust(path)
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | trust.flags)
  guard descriptor >= 0 else { throw Failure("\(name) cannot be opened: \(errorText(errno))") }
  defer { close(descriptor) }
  guard trust.allows(descriptor) else {
    throw Failure(
      "\(name) is not a regular file, or does not belong to the owner of its folder; so root does "
        + "not read it")
  }
  var bytes: [UInt8] = []
  var buffer = Array(repeating: UInt8(0), count: 1 << 18)
  while true {
    let count = unsafe read(descriptor, &buffer, buffer.count)
    if count < 0 && errno == EINTR { continue }
    guard count >= 0 else { throw Failure("\(name) cannot be read: \(errorText(errno))") }
    guard count > 0 else { return bytes }
    guard bytes.count + count <= limit else {
      throw Failure("\(name) is larger than \(limit >> 20) MiB (the limit)")
    }
    bytes += buffer[..<count]
  }
}
