internal import Glibc
internal import Text

/// The error of a failed system call.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number (`errno.h`).
  public let code: Int32
  /// The operation that failed, such as "opening /dev/input/event3".
  public let context: String

  public init(code: Int32, context: String) {
    self.code = code
    self.context = context
  }

  /// Creates an error with the current `errno`, right after a failed call.
  public init(context: String) {
    self.init(code: errno, context: context)
  }

  /// The error as text for a terminal or a log. `context` is escaped, because paths may contain any
  /// bytes.
  public var description: String {
    "\(context.printable(limit: 5000)): \(errorText(code))"
  }
}

/// Repeats a system call while signals interrupt it (`EINTR`).
/// - Parameter body: the system call. It returns -1 and sets `errno` if it fails.
/// - Returns: the result of the last call.
func retrying<Result: SignedInteger>(_ body: () -> Result) -> Result {
  while true {
    let result = body()
    if result != -1 || errno != EINTR { return result }
  }
}
