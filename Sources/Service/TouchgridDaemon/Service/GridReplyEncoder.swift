internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// The replies to one call, encoded. The caller makes and appends them one by one, so that their
/// values are never all in memory at once. A reply that is too long is rejected as soon as its
/// length is known.
struct ReplyList {
  /// The maximum length of a reply, in bytes. Some clients, such as those that use systemd's
  /// library, reject longer messages.
  static let replyLimit = 15 << 20
  /// The maximum length of all replies to one call, in bytes.
  static let answerLimit = 80 << 20

  private(set) var replies: [EncodedReply] = []
  private let wantsMore: Bool
  private var byteCount = 0

  /// - Parameter wantsMore: whether the call accepts several replies.
  init(_ wantsMore: Bool) { self.wantsMore = wantsMore }

  mutating func append(_ reply: EncodedReply) throws(VarlinkError) {
    try check(reply.byteCount, Self.replyLimit)
    byteCount += reply.byteCount
    try check(byteCount, Self.answerLimit)
    replies.append(reply)
  }

  /// Appends an element to `parts`, the list in the single reply to a call without "more".
  mutating func append(_ part: PreencodedJSON, to parts: inout [PreencodedJSON])
    throws(VarlinkError)
  {
    byteCount += part.byteCount
    try check(byteCount, Self.replyLimit)
    parts.append(part)
  }

  /// Throws `ReplyTooLong` if the grids cannot fit into the replies, judged by their number, size
  /// and sessions.
  mutating func expect(
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

  private func check(_ bytes: Int, _ limit: Int) throws(VarlinkError) {
    guard bytes > limit else { return }
    throw API.ReplyTooLong(bytes: bytes, limit: limit, wantsMore: wantsMore).varlinkError
  }
}

/// Encodes grids into replies, one after another.
struct GridReplyEncoder {
  private var list: ReplyList
  private let wantsMore: Bool
  private var left: Int
  private var parts: [PreencodedJSON] = []

  /// - Parameter grids: all grids that will be appended.
  init(
    _ grids: [(geometry: DisplayGeometry, sessions: UInt64)], _ wantsMore: Bool
  ) throws(VarlinkError) {
    list = ReplyList(wantsMore)
    self.wantsMore = wantsMore
    left = grids.count
    try list.expect(grids: grids)
  }

  /// Whether no grid has been appended.
  var isEmpty: Bool { list.replies.isEmpty && parts.isEmpty }

  mutating func append(_ grid: consuming API.Grid) throws(VarlinkError) {
    left -= 1
    if wantsMore {
      try list.append(EncodedReply(API.GetGrids.Reply(grids: [grid]), continues: left > 0))
    } else {
      try list.append(PreencodedJSON(grid), to: &parts)
    }
  }

  consuming func finish() throws(VarlinkError) -> [EncodedReply] {
    if !wantsMore { return [EncodedReply(PreencodedList("grids", parts))] }
    return list.replies.isEmpty ? [EncodedReply(API.GetGrids.Reply(grids: []))] : list.replies
  }
}
