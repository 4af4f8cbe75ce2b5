internal import Glibc

/// An open file descriptor with one owner. It is closed when the value is destroyed.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for system calls that borrow it.
  public let number: Int32

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32) { self.number = number }

  /// Takes ownership of the result of a system call, which is negative if the call has failed.
  /// - Parameter action: the operation, for the error, such as "creating a timer".
  public init(_ number: Int32, _ action: @autoclosure () -> String) throws(SystemError) {
    guard number >= 0 else { throw SystemError(context: action()) }
    self.init(owning: number)
  }

  /// Opens a file by `open`. The descriptor is closed on exec.
  /// - Throws: `SystemError` with the path.
  public init(opening path: String, _ flags: Int32) throws(SystemError) {
    let number = retrying { unsafe Glibc.open(path, flags | O_CLOEXEC) }
    try self.init(number, "opening \(path)")
  }

  deinit { _ = Glibc.close(number) }

  /// Reads into a buffer.
  /// - Returns: the number of bytes read; 0 at end of file; nil if no data is available yet.
  /// - Throws: errors of the kernel other than `EAGAIN`, such as `ENODEV` if the device has been
  ///   removed.
  public func read(into buffer: inout [UInt8]) throws(SystemError) -> Int? {
    let count = retrying { unsafe Glibc.read(number, &buffer, buffer.count) }
    if count >= 0 { return count }
    if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
    throw SystemError(context: "reading")
  }
}
