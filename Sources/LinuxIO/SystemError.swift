internal import CLinux
internal import Glibc
internal import TouchModel

/// A system call that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number (`errno.h`).
  public let code: Int32
  /// What was being done, such as "opening /dev/input/event3".
  public let context: String

  public init(code: Int32, context: String) {
    self.code = code
    self.context = context
  }

  /// Takes the error number of the call that has just failed.
  public init(context: String) {
    self.init(code: errno, context: context)
  }

  /// For a terminal or a log: `context` may hold a path, which may hold anything.
  public var description: String {
    unsafe "\(context.printable(limit: 5000)): \(String(cString: touchgrid_error_text(code)))"
  }
}

/// Calls `body` again for as long as a signal interrupts it.
/// - Returns: its result, -1 with `errno` set where it failed.
func retrying<Result: SignedInteger>(_ body: () -> Result) -> Result {
  while true {
    let result = body()
    if result != -1 || errno != EINTR { return result }
  }
}
