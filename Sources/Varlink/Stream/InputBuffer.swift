/// What has come in and is not yet a message: bytes up to the next NUL.
struct InputBuffer {
  enum Next {
    /// No whole message is there.
    case nothing
    /// Without its NUL.
    case message(ArraySlice<UInt8>)
    /// The message that is coming in is longer than the limit.
    case tooLong
  }

  /// Of one message, in bytes, without its NUL.
  var limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  /// Before this there is no NUL.
  private var searched = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }
  /// How much may be added: enough for one whole message, so that a client that goes on sending waits.
  var room: Int { limit + 1 - count }

  mutating func append(_ more: ArraySlice<UInt8>) {
    if start > 0 {
      bytes.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// Whether `next` has something to tell.
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
