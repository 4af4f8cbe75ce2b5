internal import LinuxIO

/// The received bytes that `next` has not returned as messages yet. A NUL ends each message.
struct InputBuffer {
  enum Next {
    /// The buffer contains no whole message.
    case nothing
    /// A message, without its NUL.
    case message(ArraySlice<UInt8>)
    /// The message is longer than the limit.
    case tooLong
  }

  /// The maximum length of one message, in bytes, without its NUL.
  var limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  /// No byte before this index is a NUL.
  private var searched = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }
  /// The number of bytes that may be added. The buffer has room for one message of the maximum
  /// length and its NUL, so a client that sends more has to wait.
  var room: Int { limit + 1 - count }

  mutating func append(_ more: ArraySlice<UInt8>) {
    if start > 0 {
      bytes.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// Whether `next` would return `.message` or `.tooLong`.
  mutating func hasNext() -> Bool {
    searched = bytes[searched...].firstIndex(of: 0) ?? bytes.count
    return searched < bytes.count || count > limit
  }

  mutating func next() -> Next {
    guard hasNext() else { return .nothing }
    guard searched < bytes.count else { return .tooLong }
    let end = searched
    let message = bytes[start..<end]
    start = end + 1
    searched = start
    if start == bytes.count { removeAll() }
    return message.count > limit ? .tooLong : .message(message)
  }

  mutating func removeAll() {
    bytes = []
    start = 0
    searched = 0
  }
}

/// The replies that have not been completely written to a client's socket. A reply that is sent to
/// several clients is in memory only once.
struct OutputQueue {
  enum Progress {
    /// All replies have been written.
    case done
    /// The socket's buffer is full.
    case wouldBlock
    /// The budget is spent. Other connections are served first.
    case paused
    /// The client has disconnected.
    case ended
  }

  private var replies: [EncodedReply] = []
  private var first = 0
  /// The number of bytes of the first reply that have been written.
  private var written = 0
  /// The number of bytes that have not been written yet.
  private(set) var byteCount = 0

  var isEmpty: Bool { byteCount == 0 }

  mutating func append(_ reply: EncodedReply) {
    replies.append(reply)
    byteCount += reply.byteCount
  }

  mutating func removeAll() { self = OutputQueue() }

  /// Drops all replies except one that has been partly written. The client needs the rest of that
  /// reply to read the next one.
  mutating func removeUnstarted() {
    let begun = written > 0 ? replies[first] : nil
    let written = written
    removeAll()
    guard let begun else { return }
    append(begun)
    self.written = written
    byteCount -= written
  }

  mutating func write(to stream: borrowing UnixStream, atMost budget: Int) -> Progress {
    var left = budget
    while first < replies.count {
      guard left > 0 else { return .paused }
      let reply = replies[first]
      let end = min(reply.byteCount, written + left)
      // After any error of the socket, the client receives nothing more.
      switch (try? stream.send(reply.bytes[written..<end])) ?? .ended {
      case .wouldBlock: return .wouldBlock
      case .ended: return .ended
      case .moved(let count):
        written += count
        left -= count
        byteCount -= count
        if written == reply.byteCount { step() }
      }
    }
    return .done
  }

  private mutating func step() {
    written = 0
    first += 1
    if first == replies.count {
      replies.removeAll(keepingCapacity: replies.capacity <= 64)
      first = 0
    } else if first >= 64, first * 2 >= replies.count {
      replies.removeSubrange(..<first)
      first = 0
    }
  }
}
