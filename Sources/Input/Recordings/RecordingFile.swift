import Glibc
import TouchModel

/// Reads recording files, and finds the description for a file without one.
enum RecordingFile {
  /// The default size limit, in bytes. 1 GiB holds several hours of continuous motion of a finger.
  static let sizeLimit = 1 << 30

  /// Reads a regular file of at most `limit` bytes.
  static func contents(
    of path: String, limit: Int = sizeLimit
  ) throws(RecordingError) -> [UInt8] {
    // Without `O_NONBLOCK`, opening a named pipe would block until it has a writer.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw RecordingError(path: path, problem: .cannotOpen(errno: errno))
    }
    defer { close(descriptor) }

    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw RecordingError(path: path, problem: .cannotRead(errno: errno))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RecordingError(path: path, problem: .notAFile)
    }
    guard status.st_size <= limit else {
      throw RecordingError(path: path, problem: .tooLarge(limit: limit))
    }
    return try contents(of: descriptor, size: Int(status.st_size), path: path)
  }

  /// Reads at most `size` bytes. Bytes that are appended meanwhile are ignored.
  private static func contents(
    of descriptor: Int32, size: Int, path: String
  ) throws(RecordingError) -> [UInt8] {
    var failure: Int32?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[count...])
        let got = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        count += got
      }
    }
    if let failure { throw RecordingError(path: path, problem: .cannotRead(errno: failure)) }
    return bytes
  }

  /// Reads the description for a file that has none, from a file beside it. The name of that file
  /// is the name of the first, cut off before one of its dots, with the ending `.prop`, `.desc` or
  /// `.device`. The longest names are tried first.
  /// - Throws: `.noDescription` if none of these files exists; the error of the first that exists
  ///   but cannot be read.
  static func companionDescription(of path: String) throws(RecordingError) -> DeviceDescription {
    let candidates = companions(of: path)
    for candidate in candidates {
      guard unsafe access(candidate, F_OK) == 0 else { continue }
      let bytes = try contents(of: candidate)
      let recordings = try Recording.parseAll(bytes, path: candidate) {
        () throws(RecordingError) in
        throw RecordingError(path: candidate, problem: .missing("the 'N:', 'I:' and 'B:' lines"))
      }
      if let first = recordings.first { return first.description }
    }
    throw RecordingError(path: path, problem: .noDescription(lookedFor: candidates))
  }

  static func companions(of path: String) -> [String] {
    let nameStart = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    var stem = path[...]
    var candidates: [String] = []
    while let dot = stem.lastIndex(of: "."), dot > nameStart {
      stem = stem[..<dot]
      candidates += ["prop", "desc", "device"].map { "\(stem).\($0)" }
    }
    return candidates.filter { $0 != path }
  }
}
