internal import LinuxIO
internal import Synchronization

/// A thread-safe queue into the event loop.
final class Inbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let wakeUp: WakeUp

  init() throws(SystemError) { wakeUp = try WakeUp() }

  /// A descriptor that is readable while there are messages.
  var descriptor: Int32 { wakeUp.descriptor }

  /// - Returns: the number of waiting messages.
  @discardableResult func append(_ message: Message) -> Int {
    defer { wakeUp.ring() }
    return messages.withLock { messages in
      messages.append(message)
      return messages.count
    }
  }

  func takeAll() -> [Message] {
    wakeUp.drain()
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
