internal import Glibc
internal import LinuxIO

/// The standard input of a program that a browser started, on which the browser sends messages.
struct NativeInput: ~Copyable {
  private let input: FileDescriptor
  private var messages: NativeMessages
  private var buffer: [UInt8]
  /// Whether standard input has ended, or the browser has sent something that is not a message.
  private(set) var isOver = false

  init() throws(FollowFailure) {
    let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .system("\(SystemError(context: "reading standard input"))") }
    input = FileDescriptor(owning: copy)
    messages = NativeMessages()
    buffer = [UInt8](repeating: 0, count: 65_536)
  }

  func watch(_ loop: Loop, _ body: @escaping () -> Void) throws(FollowFailure) -> Loop.Watch {
    do throws(SystemError) {
      return try loop.watch(input.number, body)
    } catch {
      guard error.code == EPERM else { throw .system("\(error)") }
      throw .nothingToFollow(
        "standard input is a file, not a browser: only browsers use --native-messaging"
      )
    }
  }

  /// Returns the messages that have arrived.
  mutating func read() -> [[UInt8]] {
    let count: Int?
    do throws(SystemError) { count = try input.read(into: &buffer) } catch { count = 0 }
    guard let count else { return [] }
    let complete = messages.append(buffer[..<count])
    isOver = count == 0 || messages.isBroken
    return complete
  }
}
