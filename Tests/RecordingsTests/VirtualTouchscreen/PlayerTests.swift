import Testing
import TouchModel

@testable import Recordings

@Suite struct PlayerTests {
  /// Keeps the frames that are written to it.
  private struct FakeSink: FrameSink, ~Copyable {
    var frames: [[InputEvent]] = []
    var failsAt: Int?

    mutating func write(_ frame: ArraySlice<InputEvent>) throws(VirtualTouchscreenError) {
      if frames.count == failsAt { throw .cannotWrite(errno: 19) }
      frames.append(Array(frame))
    }
  }

  private func event(_ microseconds: Int64, _ type: UInt16, _ value: Int32) -> InputEvent {
    InputEvent(
      time: Timestamp(microseconds: microseconds), type: type, code: type == 0 ? 0 : 0x35,
      value: value)
  }

  private var threeFrames: [InputEvent] {
    [
      event(0, 3, 1), event(0, 3, 2), event(0, 0, 0),
      event(20_000, 3, 3), event(20_000, 0, 1),
      event(40_000, 0, 0),
    ]
  }

  @Test func `Each frame is one write, up to its SYN_REPORT`() throws {
    var sink = FakeSink()
    try Player(threeFrames, pace: .asFastAsPossible).play(into: &sink)
    #expect(
      sink.frames
        == [Array(threeFrames[0..<3]), Array(threeFrames[3..<5]), Array(threeFrames[5..<6])])
  }

  @Test func `Events after the last SYN_REPORT are the last frame`() throws {
    var sink = FakeSink()
    try Player(Array(threeFrames.prefix(4)), pace: .asFastAsPossible).play(into: &sink)
    #expect(sink.frames.map(\.count) == [3, 1])
    var silent = FakeSink()
    try Player([], pace: .recorded()).play(into: &silent)
    #expect(silent.frames.isEmpty)
  }

  @Test func `Playing at the recorded pace takes the recorded time`() throws {
    var sink = FakeSink()
    // From the begin of the schedule: the first frame itself may come late.
    let begun = ContinuousClock.now
    var times: [Duration] = []
    try Player(threeFrames, pace: .recorded()).play(into: &sink) { _ in
      times.append(begun.duration(to: .now))
      return true
    }
    #expect(times.count == 3)
    #expect(times[1] >= .milliseconds(20))
    #expect(times[2] >= .milliseconds(40))
  }

  @Test func `The caller sees each frame before it is written and can stop`() throws {
    var sink = FakeSink()
    var heard: [Int] = []
    try Player(threeFrames, pace: .rate(framesPerSecond: 10_000)).play(into: &sink) { frame in
      heard.append(frame.index)
      return frame.time.microseconds < 20_000
    }
    #expect(heard == [0, 1])
    #expect(sink.frames.count == 1)
  }

  @Test func `An error of the sink stops the player`() {
    #expect(throws: VirtualTouchscreenError.cannotWrite(errno: 19)) {
      var sink = FakeSink(failsAt: 1)
      try Player(self.threeFrames, pace: .asFastAsPossible).play(into: &sink)
    }
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e7] as [Double])
  func `An impossible rate is refused`(rate: Double) {
    #expect(throws: VirtualTouchscreenError.self) {
      var sink = FakeSink()
      try Player(self.threeFrames, pace: .rate(framesPerSecond: rate)).play(into: &sink)
    }
  }
}
