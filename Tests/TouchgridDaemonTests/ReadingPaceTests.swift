import TestSupport
import Testing
import TouchInput
import TouchModel

@testable import TouchgridDaemon

@Suite struct ReadingPaceTests {
  private func pace(_ device: DeviceDescription) throws -> ReadingPace {
    ReadingPace(KernelBuffer(device, try ContactProtocol(of: device)))
  }

  /// The sizes are those that the kernel computes for these devices.
  @Test func `The kernel's buffer has the size that the kernel computes`() throws {
    func buffer(_ device: DeviceDescription) throws -> KernelBuffer {
      KernelBuffer(device, try ContactProtocol(of: device))
    }
    // 10 + 1 + 4 axes of ten contacts + 2 other axes + 7 events, eight times, and a power of two.
    #expect(try buffer(.panel()).capacity == 512)
    let pressure = AxisInfo(minimum: 0, maximum: 255)
    #expect(try buffer(.panel(extra: [AbsCode.mtPressure: pressure])).capacity == 1024)
    #expect(try buffer(.singleTouch()).capacity == 128)
    #expect(try buffer(.anonymous()).capacity == 128)
    #expect(try buffer(.panel()).largestFrame == 32)
  }

  @Test func `Rests follow the panel's rate, and are shorter after a loss`() throws {
    var pace = try pace(.panel())
    for frame in 0...8 as ClosedRange<Int64> {
      pace.noteFrame(at: Timestamp(microseconds: 1_000_000 + frame * 8000))
    }
    #expect(pace.period == 8000)
    #expect(pace.rest(contacts: 10) == ReadingPace.longestRest)
    for frame in 0...8 as ClosedRange<Int64> {
      pace.noteFrame(at: Timestamp(microseconds: 9_000_000 + frame * 1000))
    }
    #expect(pace.period == 1000)
    #expect(pace.rest(contacts: 1) == 8000)
    pace.noteLoss()
    #expect(pace.rest(contacts: 1) == 4000)
    for _ in 0..<9 { pace.noteLoss() }
    #expect(pace.rest(contacts: 1) == nil)
  }

  @Test func `Until its rate is known, a panel is taken to send a thousand frames a second`() throws
  {
    var pace = try pace(.panel())
    #expect(pace.period == nil)
    // A frame of five contacts has 17 events, and half of the buffer is 256.
    #expect(pace.rest(contacts: 1) == 15_000)
    #expect(pace.rest(contacts: 10) == 8000)
    for frame in 0...8 as ClosedRange<Int64> {
      pace.noteFrame(at: Timestamp(microseconds: 1_000_000 + frame * 8000))
    }
    // The next touches may come at another rate. Steps depend on the panel alone.
    let step = pace.step
    pace.noteEnd()
    #expect(pace.rest(contacts: 10) == 8000)
    #expect(pace.step == step && step > ReadingPace.shortestStep)
  }

  @Test func `A burst of late frames does not change the rate`() throws {
    var pace = try pace(.panel())
    for frame in 0...32 as ClosedRange<Int64> {
      // Frames 8 to 16 are late.
      let time = (8..<16).contains(frame) ? 15_500 + 60 * (frame - 8) : frame * 1000
      pace.noteFrame(at: Timestamp(microseconds: time))
    }
    #expect(pace.period == 1000)
  }

  @Test func `A finger that rests or jumping times do not change the rate`() throws {
    var pace = try pace(.panel())
    for frame in 0..<40 as Range<Int64> {
      pace.noteFrame(at: Timestamp(microseconds: frame * 30_000))
    }
    #expect(pace.period == nil)
    for time in [.max, .min, 0, .max, 5, 4, 3] as [Int64] {
      pace.noteFrame(at: Timestamp(microseconds: time))
    }
    #expect(pace.period == nil)
  }

  @Test func `Steps are halves of a quarter of a second`() throws {
    var pace = try pace(.panel())
    #expect(pace.step == ReadingPace.shortestStep)
    for frame in 0...8 as ClosedRange<Int64> {
      pace.noteFrame(at: Timestamp(microseconds: frame * 8000))
    }
    #expect(pace.step == 62_500)
  }
}
