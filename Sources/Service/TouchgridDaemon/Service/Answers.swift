internal import LinuxIO
internal import Synchronization
internal import Varlink

/// A thread-safe queue of answers from the query thread to the thread that serves the clients.
final class Answers: Sendable {
  struct Answer: Sendable {
    var call: CallID
    /// The replies in order. The last one does not continue.
    var replies: [EncodedReply]
    /// Whether the call has changed the store. Such an answer must never be replaced by a "too
    /// busy" error.
    var reportsChange = false

    var byteCount: Int { replies.reduce(0) { $0 + $1.byteCount } }
  }

  private let waiting = Mutex<[Answer]>([])
  private let bell: WakeUp

  init() throws(SystemError) { bell = try WakeUp() }

  /// Becomes readable when answers are waiting.
  var descriptor: Int32 { bell.descriptor }

  /// Adds an answer. May be called on any thread.
  func add(_ answer: Answer) {
    waiting.withLock { $0.append(answer) }
    bell.ring()
  }

  /// Returns and removes the waiting answers.
  func takeAll() -> [Answer] {
    bell.drain()
    return waiting.withLock { answers in
      defer { answers.removeAll() }
      return answers
    }
  }
}
