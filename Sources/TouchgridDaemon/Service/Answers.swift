internal import LinuxIO
internal import Synchronization
internal import Varlink

/// Answers on their way from the thread that answers to the thread that has the clients.
final class Answers: Sendable {
  struct Answer: Sendable {
    var call: CallID
    /// In order; the last does not continue.
    var replies: [EncodedReply]
    /// What was asked for is done: no refusal may take its place.
    var tellsOfChange = false

    var byteCount: Int { replies.reduce(0) { $0 + $1.byteCount } }
  }

  private let waiting = Mutex<[Answer]>([])
  private let bell: WakeUp

  init() throws(SystemError) { bell = try WakeUp() }

  /// Readable when there are answers.
  var descriptor: Int32 { bell.descriptor }

  /// To be called on any thread.
  func add(_ answer: Answer) {
    waiting.withLock { $0.append(answer) }
    bell.ring()
  }

  /// Hands over what has come.
  func take() -> [Answer] {
    bell.drain()
    return waiting.withLock { answers in
      defer { answers.removeAll() }
      return answers
    }
  }
}
