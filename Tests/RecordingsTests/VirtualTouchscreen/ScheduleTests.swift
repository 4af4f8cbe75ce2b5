import Testing
import TouchModel

@testable import Recordings

/// The times of the schedule, in ms.
@Suite struct ScheduleTests {
  private let millisecond: Int64 = 1_000_000

  private func expect(
    _ schedule: inout Schedule, _ recorded: Int64, late: Int64 = 0, due expected: Int64
  ) throws {
    let next = schedule.next(Timestamp(microseconds: recorded * 1000))
    let due = try #require(next)
    schedule.wrote(at: due + late * millisecond)
    #expect(due / millisecond == expected)
  }

  @Test func `Recorded pauses are kept up to the maximum`() throws {
    var schedule = try Schedule(.recorded(maxPause: 50_000), now: 100 * millisecond)
    try expect(&schedule, 7000, due: 100)
    try expect(&schedule, 7010, due: 110)
    try expect(&schedule, 9000, due: 160)
    try expect(&schedule, 9001, due: 161)
  }

  @Test func `A step back in time causes no pause`() throws {
    var schedule = try Schedule(.recorded(), now: 0)
    try expect(&schedule, 7000, due: 0)
    try expect(&schedule, 5000, due: 0)
    try expect(&schedule, 5010, due: 10)
  }

  @Test func `After a late frame, later frames are equally late`()
    throws
  {
    var schedule = try Schedule(.recorded(), now: 0)
    try expect(&schedule, 0, due: 0)
    try expect(&schedule, 10, late: 500, due: 10)
    try expect(&schedule, 20, due: 520)
    try expect(&schedule, 30, due: 530)
  }

  @Test func `Small delays of frames do not add up`() throws {
    var schedule = try Schedule(.recorded(), now: 0)
    for frame in 0..<1000 as Range<Int64> {
      try expect(&schedule, frame * 10, late: 1, due: frame * 10)
    }
  }

  @Test func `A given rate holds on average, even if a frame is late`() throws {
    var schedule = try Schedule(.rate(framesPerSecond: 250), now: 0)
    for frame in 0..<1000 as Range<Int64> {
      try expect(&schedule, 42, late: frame == 5 ? 100 : 0, due: frame * 4)
    }
  }

  @Test func `As fast as possible never sleeps`() throws {
    var schedule = try Schedule(.asFastAsPossible, now: 0)
    let due = schedule.next(Timestamp(microseconds: 5_000_000))
    #expect(due == nil)
  }

  @Test func `Extreme recorded times do not overflow the schedule`() throws {
    var schedule = try Schedule(.recorded(), now: 5)
    _ = schedule.next(Timestamp(microseconds: .min))
    let last = schedule.next(Timestamp(microseconds: .max))
    #expect(last == .max)
    schedule.wrote(at: 7)
    _ = schedule.next(Timestamp(microseconds: .min))
    var backwards = try Schedule(.recorded(maxPause: -1), now: 5)
    _ = backwards.next(.zero)
    let second = backwards.next(Timestamp(microseconds: 9))
    #expect(second == 5)
  }
}
