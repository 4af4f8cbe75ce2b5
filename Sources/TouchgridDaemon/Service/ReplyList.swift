internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// The replies to one call, each written down before the next is made: what they are made of is never in
/// memory all at once. One that is too long is refused as soon as that shows.
struct ReplyList {
  /// The longest reply, in bytes: clients such as systemd's take no longer message.
  static let replyLimit = 15 << 20
  /// The most that is sent in reply to one call.
  static let answerLimit = 64 << 20

  private(set) var replies: [EncodedReply] = []
  private let wantsMore: Bool
  private var byteCount = 0

  /// - Parameter wantsMore: of the call.
  init(_ wantsMore: Bool) { self.wantsMore = wantsMore }

  mutating func append(_ reply: EncodedReply) throws(VarlinkError) {
    try check(reply.byteCount, Self.replyLimit)
    byteCount += reply.byteCount
    try check(byteCount, Self.answerLimit)
    replies.append(reply)
  }

  /// Takes a part of the one reply of a call without "more".
  mutating func append(_ part: WrittenJSON, to parts: inout [WrittenJSON]) throws(VarlinkError) {
    byteCount += part.byteCount
    try check(byteCount, Self.replyLimit)
    parts.append(part)
  }

  /// Refuses grids of which it is plain from their number and size that they do not fit.
  mutating func expect(
    grids: [(geometry: DisplayGeometry, sessions: UInt64)]
  ) throws(VarlinkError) {
    var total = 0
    for (geometry, sessions) in grids {
      // Of each block a digit and a comma, three times: sum, mean and sessions, and four with the variance.
      let bytes = geometry.columns * geometry.rows * (sessions < 2 ? 6 : 8)
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

/// Grids on their way into replies, one after the other.
struct GridReplies {
  private var list: ReplyList
  private let wantsMore: Bool
  private var left: Int
  private var parts: [WrittenJSON] = []

  /// - Parameter grids: all that will come.
  init(
    _ grids: [(geometry: DisplayGeometry, sessions: UInt64)], _ wantsMore: Bool
  ) throws(VarlinkError) {
    list = ReplyList(wantsMore)
    self.wantsMore = wantsMore
    left = grids.count
    try list.expect(grids: grids)
  }

  /// Nothing has come so far.
  var isEmpty: Bool { list.replies.isEmpty && parts.isEmpty }

  mutating func append(_ grid: consuming API.Grid) throws(VarlinkError) {
    left -= 1
    if wantsMore {
      try list.append(EncodedReply(API.GetGrids.Reply(grids: [grid]), continues: left > 0))
    } else {
      try list.append(WrittenJSON(grid), to: &parts)
    }
  }

  /// All of them.
  consuming func finish() throws(VarlinkError) -> [EncodedReply] {
    if !wantsMore { return [EncodedReply(WrittenList("grids", parts))] }
    return list.replies.isEmpty ? [EncodedReply(API.GetGrids.Reply(grids: []))] : list.replies
  }
}
