import Storage
import Testing
import TouchModel

@testable import TouchgridCommands

@Suite struct TimeArgumentTests {
  private func start(_ text: String, now: WallTime = SampleStore.began) throws -> String? {
    let argument = try #require(TimeArgument(text))
    return argument.start(now: now)?.utcText
  }

  private func end(_ text: String, now: WallTime = SampleStore.began) throws -> String? {
    let argument = try #require(TimeArgument(text))
    return argument.end(now: now)?.utcText
  }

  @Test func `A day begins at midnight and ends with the next`() throws {
    #expect(try start("2026-11-21") == "2026-11-20T23:00:00.000Z")
    #expect(try end("2026-11-21") == "2026-11-21T23:00:00.000Z")
    #expect(try end("2026-12-31") == "2026-12-31T23:00:00.000Z")
  }

  @Test func `A month goes from its first instant to its end`() throws {
    #expect(try start("2026-11") == "2026-10-31T23:00:00.000Z")
    #expect(try end("2026-11") == "2026-11-30T23:00:00.000Z")
    #expect(try start("2026-12") == "2026-11-30T23:00:00.000Z")
    #expect(try end("2026-12") == "2026-12-31T23:00:00.000Z")
    #expect(try end("2028-02") == "2028-02-29T23:00:00.000Z")
    // The clocks go forward in March.
    #expect(try start("2026-03") == "2026-02-28T23:00:00.000Z")
    #expect(try end("2026-03") == "2026-03-31T22:00:00.000Z")
  }

  @Test func `today and yesterday are whole days`() throws {
    #expect(try start("today") == "2026-11-20T23:00:00.000Z")
    #expect(try end("today") == "2026-11-21T23:00:00.000Z")
    #expect(try start("yesterday") == "2026-11-19T23:00:00.000Z")
    #expect(try end("yesterday") == "2026-11-20T23:00:00.000Z")
    // The first day of a month, in winter time.
    let first = WallTime(milliseconds: SampleStore.began.milliseconds - 20 * 86_400_000)
    #expect(try start("yesterday", now: first) == "2026-10-30T23:00:00.000Z")
    #expect(try end("yesterday", now: first) == "2026-10-31T23:00:00.000Z")
  }

  @Test func `A week is seven days`() throws {
    #expect(try start("1w") == start("7d"))
    #expect(try start("2w") == "2026-11-07T13:03:12.000Z")
  }

  @Test func `A time of day means the same for --since and --until`() throws {
    #expect(try start("2026-07-01T14:00") == "2026-07-01T12:00:00.000Z")
    #expect(try end("2026-07-01T14:00") == "2026-07-01T12:00:00.000Z")
    #expect(try start("2026-07-01 14:00") == "2026-07-01T12:00:00.000Z")
    #expect(try start("14:00") == "2026-11-21T13:00:00.000Z")
  }

  @Test func `A number of days ago keeps the time of day across a clock change`() throws {
    // 2026-11-21 14:03:12 is winter time; 30 days earlier it was summer time.
    #expect(try start("30d") == "2026-10-22T12:03:12.000Z")
    #expect(try start("0d") == "2026-11-21T13:03:12.000Z")
    #expect(try start("12h") == "2026-11-21T01:03:12.345Z")
    #expect(try start("30m") == "2026-11-21T12:33:12.345Z")
  }

  @Test(arguments: [
    "", "2026", "2026-13-01", "2026-02-30", "2026-00-01", "26-11-21", "2026-11-21T", "T14:00",
    "24:00", "12:60", "1:00", "7", "d", "-7d", "+7d", "7 d", "7y", "99999999999999999999d",
    "2026-11-21T14:00:00", "２０２６-11-21", "２０２６-11", "2026-13", "2026-00", "2026-1", "tomorrow",
    "Today",
  ])
  func `Text that is not a time is refused`(text: String) {
    #expect(TimeArgument(text) == nil)
  }

  @Test func `A span is printed with its last minute`() {
    let since = WallTime(milliseconds: SampleStore.began.milliseconds)
    let until = WallTime(milliseconds: 1_795_302_000_000)
    #expect(TimeSpan(since: since, until: until).words == "2026-11-21 14:03 to 2026-11-21 23:59")
    #expect(TimeSpan.always.words == "all days")
  }

  @Test func `Durations show hours only if there are any`() {
    #expect(durationText(milliseconds: 999) == "0:00")
    #expect(durationText(milliseconds: 754_000) == "12:34")
    #expect(durationText(milliseconds: 3_723_000) == "1:02:03")
    #expect(durationText(milliseconds: 400_000_000) == "111:06:40")
  }
}
