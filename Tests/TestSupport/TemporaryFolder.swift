import Foundation
public import Glibc

/// The status of a file or of a link; zeros if there is none.
public func fileStatus(_ path: String) -> stat {
  var status = stat()
  unsafe lstat(path, &status)
  return status
}

/// A folder in /tmp for one test, deleted with this object and readable by the user of the test
/// alone.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    var template = Array("/tmp/touchgrid-test.XXXXXX".utf8CString)
    guard let made = unsafe mkdtemp(&template) else { throw Self.error() }
    path = unsafe String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public func path(_ name: String) -> String { path + "/" + name }

  /// The bytes of a file anywhere.
  public static func contents(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  /// The names of the files in the folder, sorted.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Writes a file that only its owner may read.
  /// - Returns: The path of the file.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    let descriptor = unsafe open(path(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw Self.error() }
    defer { close(descriptor) }
    guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw Self.error()
    }
    return path(name)
  }

  private static func error() -> any Error { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
