internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// Encodes the counts of panels into replies, one after another, so that they are never all in
/// memory at once.
struct PanelReplyEncoder {
  private var list: ReplyList
  private let wantsMore: Bool
  private var parts: [PreencodedJSON] = []
  /// The last panel, which is encoded once it is known whether another one follows.
  private var last: API.Panel?

  init(_ wantsMore: Bool) {
    list = ReplyList(wantsMore)
    self.wantsMore = wantsMore
  }

  /// Whether no panel has been appended.
  var isEmpty: Bool { last == nil && parts.isEmpty }

  mutating func append(_ panel: consuming API.Panel) throws(VarlinkError) {
    guard wantsMore else { return try list.append(PreencodedJSON(panel), to: &parts) }
    if let last {
      try list.append(EncodedReply(API.GetPanels.Reply(panels: [last]), continues: true))
    }
    last = panel
  }

  /// Returns the finished replies.
  consuming func finish() throws(VarlinkError) -> [EncodedReply] {
    guard wantsMore else { return [EncodedReply(PreencodedList("panels", parts))] }
    try list.append(EncodedReply(API.GetPanels.Reply(panels: last.map { [$0] } ?? [])))
    return list.replies
  }
}
