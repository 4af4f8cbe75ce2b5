internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// Encodes counts into replies one after another, so that they are never all in memory at once.
struct CountReplyEncoder {
  /// The length in bytes from which further counts go into another reply, if the call accepts
  /// several.
  private static let replyLength = 64 << 10

  private var list: ReplyList
  private let wantsMore: Bool
  private var parts: [PreencodedJSON] = []
  private var byteCount = 0
  /// Whether no counts have been appended.
  private(set) var isEmpty = true

  init(_ wantsMore: Bool) {
    list = ReplyList(wantsMore)
    self.wantsMore = wantsMore
  }

  mutating func append(_ counts: consuming API.Counts) throws(VarlinkError) {
    isEmpty = false
    let part = PreencodedJSON(counts)
    guard wantsMore else { return try list.append(part, to: &parts) }
    if byteCount >= Self.replyLength {
      try list.append(EncodedReply(reply(hidden: 0), continues: true))
      (parts, byteCount) = ([], 0)
    }
    parts.append(part)
    byteCount += part.byteCount
  }

  consuming func finish(hidden: Int) throws(VarlinkError) -> [EncodedReply] {
    guard wantsMore else { return [EncodedReply(reply(hidden: hidden))] }
    try list.append(EncodedReply(reply(hidden: hidden)))
    return list.replies
  }

  private func reply(hidden: Int) -> PreencodedList {
    PreencodedList("counts", parts, also: ("hidden", Int64(hidden)))
  }
}
