import Glibc

extension Configuration {
  /// Reads a configuration file.
  /// - Parameter path: of a regular file of at most 1 MiB of UTF-8.
  /// - Throws: everything that is wrong with it, where its syntax lets one see.
  public init(path: String) throws(ConfigurationError) {
    try self.init(bytes: Self.contents(path), file: path)
  }

  init(bytes: [UInt8], file: String) throws(ConfigurationError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      // No byte of a longer character looks like a line end, so lines can be judged one by one.
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let index = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
      throw ConfigurationError(
        file: file, line: index.map { $0 + 1 }, "not valid UTF-8; save the file as UTF-8 text")
    }
    try self.init(text: text, file: file)
  }

  private static func contents(_ path: String) throws(ConfigurationError) -> [UInt8] {
    func failure(_ action: String) -> ConfigurationError {
      let reason = unsafe String(cString: strerror(errno))
      return ConfigurationError(file: path, "cannot be \(action): \(reason)")
    }
    // C would cut the path off there and open another file.
    guard !path.utf8.contains(0) else {
      throw ConfigurationError(file: path, "a path cannot contain a NUL character")
    }
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
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
    // The size of a file may change while it is read: one byte too many is enough to know.
    while bytes.count <= ConfigurationDocument.byteLimit {
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
}
