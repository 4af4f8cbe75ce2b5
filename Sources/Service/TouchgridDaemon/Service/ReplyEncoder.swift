internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// Encodes the elements of a list into one reply, or into several if the call accepts them. Takes
/// the elements one after another, so that their values are never all in memory at once. Rejects a
/// reply that is too long as soon as its length is known.
struct ReplyEncoder {
  /// The maximum length of a reply, in bytes. Some clients, such as those that use systemd's
  /// library, reject longer messages.
  static let replyLimit = 15 << 20
  /// The maximum length of all replies to one call, in bytes.
  static let answerLimit = 80 << 20

  private let name: String
  private let number: String?
  private let wantsMore: Bool
  private let most: (elements: Int, bytes: Int)
  private var replies: [EncodedReply] = []
  private var repliesLength = 0
  /// The elements of the reply that is not complete yet, and their length in bytes.
  private var parts: [PreencodedJSON] = []
  private var partsLength = 0

  /// - Parameters:
  ///   - name: the name of the list.
  ///   - wantsMore: whether the call accepts several replies.
  ///   - elements: the number of elements after which another reply begins.
  ///   - bytes: the length of elements after which another reply begins.
  ///   - number: the name of a number that each reply has; nil for none. It is 0 in all replies
  ///     except the last.
  init(
    _ name: String, _ wantsMore: Bool, elements: Int = .max, bytes: Int = .max,
    number: String? = nil
  ) {
    self.name = name
    self.wantsMore = wantsMore
    self.number = number
    most = (elements, bytes)
  }

  /// Whether no element has been appended.
  var isEmpty: Bool { replies.isEmpty && parts.isEmpty }

  /// Throws `ReplyTooLong` if the grids cannot fit into the replies, judged by their number, size
  /// and sessions.
  func expect(
    grids: [(geometry: DisplayGeometry, sessions: UInt64)]
  ) throws(VarlinkError) {
    var total = 0
    for (geometry, sessions) in grids {
      // A reply has lists with an element for each block: sum, sum of squares, mean and sessions,
      // and for two or more sessions the variance. Each element takes at least a digit and a comma.
      let bytes = geometry.columns * geometry.rows * (sessions < 2 ? 8 : 10)
      try check(bytes, Self.replyLimit)
      total += bytes
      try check(total, wantsMore ? Self.answerLimit : Self.replyLimit)
    }
  }

  mutating func append(_ element: some Encodable) throws(VarlinkError) {
    if wantsMore, parts.count >= most.elements || partsLength >= most.bytes {
      try complete(0, continues: true)
    }
    let part = PreencodedJSON(element)
    partsLength += part.byteCount
    try check(partsLength, Self.replyLimit)
    parts.append(part)
  }

  /// - Parameter last: the number in the last reply.
  consuming func finish(_ last: Int = 0) throws(VarlinkError) -> [EncodedReply] {
    try complete(last, continues: false)
    return replies
  }

  private mutating func complete(_ value: Int, continues: Bool) throws(VarlinkError) {
    let list = PreencodedList(name, parts, also: number.map { ($0, Int64(value)) })
    let reply = EncodedReply(list, continues: continues)
    try check(reply.byteCount, Self.replyLimit)
    repliesLength += reply.byteCount
    try check(repliesLength, Self.answerLimit)
    replies.append(reply)
    (parts, partsLength) = ([], 0)
  }

  private func check(_ bytes: Int, _ limit: Int) throws(VarlinkError) {
    guard bytes > limit else { return }
    throw API.ReplyTooLong(bytes: bytes, limit: limit, wantsMore: wantsMore).varlinkError
  }
}
