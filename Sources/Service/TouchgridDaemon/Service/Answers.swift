internal import LinuxIO
internal import Synchronization
internal import Varlink

/// A thread-safe queue of answers from the query thread to the thread that serves the clients.
final class Answers: Sendable {
  struct Answer: Sendable {
    var call: CallID
    /// The replies to the call, in order. All except the last have `continues`.
    var replies: [EncodedReply]
    /// Whether the call has changed the store. Such an answer must reach the client, so an error
    /// never replaces it, even if too many bytes wait to be sent.
    var reportsChange = false

    var byteCount: Int { replies.reduce(0) { $0 + $1.byteCount } }
  }

  private let waiting = Mutex<[Answer]>([])
  private let bell: WakeUp

  init() throws(SystemError) { bell = try WakeUp() }

  /// A descriptor that is readable while answers are waiting.
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
