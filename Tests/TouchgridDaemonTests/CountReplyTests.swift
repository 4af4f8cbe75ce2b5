import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridDaemon

@Suite struct CountReplyTests {
  @Test func `Counts are split into replies of some size, and the last one says what is hidden`()
    throws
  {
    let subject = CountSubject(kind: "panel", key: String(repeating: "x", count: 40 << 10))
    let counts = API.Counts(FoundCounts(SummedCounts(subject, sessions: 1, [1])))
    for wantsMore in [true, false] {
      var encoder = ReplyEncoder(
        "counts", wantsMore, bytes: Service.countBytesPerReply, number: "hidden")
      #expect(encoder.isEmpty)
      for _ in 0..<3 { try encoder.append(counts) }
      #expect(!encoder.isEmpty)
      let replies = try encoder.finish(4)
      // One more reply begins once there are 64 KiB.
      #expect(replies.map(\.continues) == (wantsMore ? [true, false] : [false]))
      #expect(
        replies.map { $0.byteCount >> 10 } == (wantsMore ? [80, 40] : [120]),
        "\(replies.map(\.byteCount))")
    }
  }
}
