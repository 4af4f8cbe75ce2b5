/// Received bytes that have not been taken as messages. A NUL ends each message.
struct InputBuffer {
  enum Next {
    /// There is no whole message.
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
  /// The number of bytes that may be added. There is room for one whole message, so a client that
  /// sends more has to wait.
  var room: Int { limit + 1 - count }

  mutating func append(_ more: ArraySlice<UInt8>) {
    if start > 0 {
      bytes.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// Whether `next` would return a message or an error.
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
