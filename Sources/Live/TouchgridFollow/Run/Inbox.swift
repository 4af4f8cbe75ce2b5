internal import LinuxIO
internal import Synchronization

/// A thread-safe queue into the event loop.
final class Inbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let bell: WakeUp

  init() throws(SystemError) { bell = try WakeUp() }

  /// Readable while there are messages.
  var descriptor: Int32 { bell.descriptor }

  func put(_ message: Message) {
    messages.withLock { $0.append(message) }
    bell.ring()
  }

  func take() -> [Message] {
    bell.drain()
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
