internal import Glibc
internal import Text

/// Reads the text of a configuration file.
public enum ConfigurationText {
  /// The maximum size of a file, in bytes: far above that of any real configuration file.
  static let byteLimit = 1 << 20

  /// Reads a regular file of at most 1 MiB.
  public static func bytes(_ path: String) throws(ConfigurationError) -> [UInt8] {
    func failure(_ action: String) -> ConfigurationError {
      ConfigurationError(file: path, "cannot be \(action): \(errorText(errno))")
    }
    // C functions end a path at a NUL, so `open` would open another file.
    guard !path.utf8.contains(0) else {
      throw ConfigurationError(file: path, "a path cannot contain a NUL character")
    }
    // Without `O_NONBLOCK`, opening a named pipe would block until it has a writer.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure("opened") }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure("examined") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ConfigurationError(file: path, "not a regular file")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    // A file may grow while it is read, so its size is checked here and not beforehand.
    while bytes.count <= byteLimit {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure("read")
      }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
    throw ConfigurationError(file: path, "the file is larger than 1 MiB")
  }

  /// Decodes UTF-8.
  /// - Throws: an error with the first line that is not valid UTF-8.
  public static func text(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      // No byte of a multi-byte character equals a line end, so each line can be checked alone.
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let index = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
      throw ConfigurationError(
        file: file, line: index.map { $0 + 1 }, "not valid UTF-8; save the file as UTF-8 text")
    }
    return text
  }
}
