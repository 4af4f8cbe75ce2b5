import TestSupport
import Testing

@testable import TouchModel

@Suite struct TouchTraceTests {
  private func trace(at time: Timestamp = .zero) throws -> TouchTrace {
    let placement = try #require(Placement.test(x: 0...1023, y: 0...767))
    let lines = PanelLines(device: placement.device, placement)
    return TouchTrace(
      touch: TouchID(1), at: time, rawX: 100, rawY: 100,
      placement: SharedPlacement(placement, lines: lines))
  }

  @Test func `Dwell adds up exactly to the whole milliseconds of the touch`() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let began = Int64(random.next() % 10_000_000)
      var trace = try trace(at: Timestamp(microseconds: began))
      var time = began
      for _ in 0..<100 {
        // Some steps are shorter than a millisecond, and some go back in time, as with broken
        // drivers.
        time += Int64(random.next() % 3000) - 300
        trace.extend(
          to: Timestamp(microseconds: time), rawX: Int32(random.next() % 1024),
          rawY: Int32(random.next() % 768))
      }
      #expect(trace.visits.reduce(0) { $0 + $1.milliseconds } == UInt64(trace.duration / 1000))
    }
  }

  @Test func `A touch of an hour needs limited memory and gives exact counts`() throws {
    var random = SeededGenerator(seed: 6)
    var trace = try trace()
    let placement = trace.placement
    var entries = Array(repeating: UInt64(0), count: 64 * 48)
    var dwell = entries
    entries[trace.firstBlock] = 1
    var (x, y) = (Int32(100), Int32(100))
    var last = placement.locate(rawX: x, rawY: y)
    var current = trace.firstBlock
    var largest = 0
    for step in 1...36_000 as ClosedRange<Int64> {
      x = min(1023, max(0, x + Int32(random.next() % 121) - 60))
      y = min(767, max(0, y + Int32(random.next() % 121) - 60))
      trace.extend(to: .ms(step * 100), rawX: x, rawY: y)
      dwell[current] += 100
      let next = placement.locate(rawX: x, rawY: y)
      placement.geometry.walk(
        from: last.point, in: last.block, to: next.point, in: next.block
      ) { block in
        entries[block] += 1
        current = block
      }
      last = next
      largest = max(largest, trace.visits.count)
    }
    // The limit is twice the number of blocks of the grid, and the blocks of one swipe across it.
    #expect(largest <= 2 * 64 * 48 + 64 + 48)
    var counted = Array(repeating: UInt64(0), count: 64 * 48)
    var stayed = counted
    for visit in trace.visits {
      counted[visit.block] += visit.entries
      stayed[visit.block] += visit.milliseconds
    }
    #expect(counted == entries)
    #expect(stayed == dwell)
    #expect(entries.reduce(0, +) > 40_000)
  }

  @Test
  func `A touch that moves and returns has moved, and a short one in place is still`() throws {
    var still = try trace()
    still.extend(to: .ms(40), rawX: 100, rawY: 100)
    #expect(still.isStill)
    var long = try trace()
    long.extend(to: .ms(41), rawX: 100, rawY: 100)
    #expect(!long.isStill)
    var moved = try trace()
    moved.extend(to: .ms(10), rawX: 101, rawY: 100)
    moved.extend(to: .ms(20), rawX: 100, rawY: 100)
    #expect(moved.hasMoved && !moved.isStill)
  }

  @Test func `Times at the ends of their range do not trap`() throws {
    var trace = try trace(at: Timestamp(microseconds: .min))
    trace.extend(to: Timestamp(microseconds: .max), rawX: 5, rawY: 5)
    trace.extend(to: Timestamp(microseconds: .min), rawX: 500, rawY: 5)
    #expect(trace.duration == .max)
    #expect(!trace.isStill)
  }
}
