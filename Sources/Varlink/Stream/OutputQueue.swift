internal import LinuxIO

/// Replies that wait until a client reads. Their bytes are shared with other queues.
struct OutputQueue {
  enum Progress {
    /// All is written.
    case done
    /// There is no room for more now.
    case wouldBlock
    /// So much was written that others may have their turn.
    case paused
    /// The client is gone.
    case ended
  }

  private var replies: [EncodedReply] = []
  private var first = 0
  /// Of the first, so many bytes are written.
  private var written = 0
  /// What waits.
  private(set) var byteCount = 0

  var isEmpty: Bool { byteCount == 0 }

  mutating func append(_ reply: EncodedReply) {
    replies.append(reply)
    byteCount += reply.byteCount
  }

  mutating func removeAll() { self = OutputQueue() }

  /// Drops all but the message that is partly written, so that the client can read what comes after.
  mutating func removeUnbegun() {
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
      // An error of the socket means that nobody reads any more, whichever it is.
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
