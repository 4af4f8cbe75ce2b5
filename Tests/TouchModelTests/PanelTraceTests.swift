import TestSupport
import Testing

@testable import TouchModel

/// What one contact adds to the counts of its panel.
@Suite struct PanelTraceTests {
  /// A panel of 640 x 480 raw units, so that each line is 10 units wide, and 1 unit is 1 mm.
  private func lines(resolution: Int32 = 1) throws -> PanelLines {
    PanelLines(
      device: "panel", try #require(Placement.test(x: 0...639, y: 0...479)),
      resolution: (resolution, resolution))
  }

  /// Counts a contact that is reported at these positions, 10 ms apart.
  private func counts(
    _ positions: [(x: Int32, y: Int32)], every interval: Int64 = 10_000, resolution: Int32 = 1
  ) throws -> PanelCounts {
    let first = try #require(positions.first)
    var trace = PanelTrace(try lines(resolution: resolution), rawX: first.x, rawY: first.y)
    for (last, next) in zip(positions, positions.dropFirst()) {
      trace.move(
        by: Int64(next.x - last.x), Int64(next.y - last.y), toX: next.x, next.y, after: interval)
    }
    var counts = PanelCounts()
    counts.add(trace)
    return counts
  }

  private func across(_ xs: [Int32]) throws -> PanelCounts { try counts(xs.map { ($0, 105) }) }

  private func lines(
    _ count: PanelCounts.LineCount, _ counts: PanelCounts,
    _ direction: PanelCounts.Direction = .vertical
  ) -> [Int: Int64] {
    Dictionary(
      uniqueKeysWithValues: (0..<direction.lines)
        .map { ($0, counts[count, direction, $0]) }.filter { $0.1 != 0 })
  }

  @Test func `The outermost lines contain positions outside the range`() throws {
    let lines = try lines()
    #expect(
      lines.column(of: 0).number == 0 && lines.column(of: 9).number == 0
        && lines.column(of: 10).number == 1)
    #expect(
      lines.column(of: 639).number == 63 && lines.row(of: 479).number == 47
        && lines.row(of: 469).number == 46)
    #expect(lines.column(of: .min).number == 0 && lines.column(of: .max).number == 63)
    let widest = PanelLines(
      device: "panel", try #require(Placement.test(x: .min ... .max, y: .min ... .max)))
    #expect(widest.column(of: .min).number == 0 && widest.column(of: .max).number == 63)
    #expect(widest.row(of: -1).number == 23 && widest.row(of: 0).number == 24)
  }

  @Test(arguments: [0...639, -7...5, 0...32767, Int32.min...Int32.max] as [ClosedRange<Int32>])
  func `A line contains exactly the positions of its number`(axis: ClosedRange<Int32>) throws {
    let lines = PanelLines(device: "panel", try #require(Placement.test(x: axis, y: axis)))
    var random = SeededGenerator(seed: 2)
    for _ in 0..<2000 {
      let value = Int32.random(in: axis, using: &random)
      let other =
        random.next() % 2 == 0 ? Int32.random(in: axis, using: &random) : value &+ 1
      let (line, next) = (lines.row(of: value), lines.row(of: other))
      #expect(line.contains(value))
      #expect(line.contains(other) == (line.number == next.number))
    }
  }

  @Test func `A line is crossed by a contact that comes from one side and leaves on the other`()
    throws
  {
    let moved = try across([5, 9, 13, 17, 21, 25])
    #expect(lines(.crossed, moved) == [1: 1])
    #expect(lines(.skipped, moved) == [:])
    #expect(lines(.crossed, moved, .horizontal) == [:])
    let back = try across([25, 21, 17, 13, 9, 5])
    #expect(lines(.crossed, back) == [1: 1])
  }

  @Test func `A contact that turns back in a line does not cross it`() throws {
    #expect(lines(.crossed, try across([5, 9, 13, 9, 5])) == [:])
    // It enters line 1 twice, and leaves it on the other side once.
    #expect(lines(.crossed, try across([9, 12, 9, 12, 16, 21])) == [1: 1])
  }

  @Test func `A slow contact that jumps over a line skips it`() throws {
    let moved = try across([15, 18, 19, 31, 34, 38, 42])
    #expect(lines(.crossed, moved) == [2: 1, 3: 1])
    #expect(lines(.skipped, moved) == [2: 1])
    let down = try counts([(5, 15), (5, 18), (5, 19), (5, 31)])
    #expect(lines(.skipped, down, .horizontal) == [2: 1])
    #expect(lines(.skipped, down) == [:])
  }

  @Test func `A fast contact neither skips nor crosses the next line`() throws {
    #expect(lines(.crossed, try across([1, 9, 25, 41, 57])) == [:])
    // It slows down: the step before it enters line 7 is short.
    let slowing = try across([1, 9, 26, 43, 59, 63, 66, 71, 75, 81])
    #expect(lines(.crossed, slowing) == [7: 1])
    #expect(lines(.skipped, slowing) == [:])
  }

  @Test func `A jump over more than eight lines counts nothing`() throws {
    #expect(lines(.skipped, try across([15, 16, 105])).count == 8)
    #expect(lines(.skipped, try across([15, 16, 115])) == [:])
  }

  @Test func `A contact that begins with a flick skips nothing`() throws {
    #expect(lines(.skipped, try across([15, 31])) == [:])
    #expect(lines(.skipped, try across([14, 15, 31])) == [2: 1])
  }

  @Test func `Intervals are those between two long steps`() throws {
    let moved = try counts([(0, 0), (5, 0), (10, 0), (15, 0)], every: 10_000)
    #expect(moved[interval: PanelCounts.bin(of: 10_000)] == 2)
    #expect(moved.numbers.reduce(0, +) >= 2)
    let resting = try counts([(0, 0), (1, 0), (0, 1), (1, 0)], every: 10_000)
    #expect((0..<PanelCounts.intervalBins).allSatisfy { resting[interval: $0] == 0 })
  }

  @Test(arguments: [
    (-5, 0), (0, 0), (1023, 0), (1024, 1), (1535, 1), (1536, 2), (2048, 3), (3071, 3), (3072, 4),
    (8000, 6), (8333, 7), (10_000, 7), (16_667, 9), (16_000, 8), (131_071, 14), (131_072, 15),
    (Int64.max, 15),
  ])
  func `Bins of intervals are two to the octave`(microseconds: Int64, bin: Int) {
    #expect(PanelCounts.bin(of: microseconds) == bin)
    let range = PanelCounts.range(ofBin: bin)
    #expect(range.contains(microseconds) || microseconds == .max)
    #expect(bin == 0 || PanelCounts.bin(of: range.lowerBound - 1) == bin - 1)
  }

  @Test func `The jitter is measured about the middle of two neighbours`() throws {
    // 100 units per mm: positions around 500 that alternate by 0.2 mm.
    let jitter = try counts([(500, 100), (520, 100), (500, 100), (520, 100)], resolution: 100)
    let zone = 1 * 8 + 6
    #expect(jitter[restingReports: zone] == 2)
    // Each report is 0.2 mm from the middle of its neighbours.
    #expect(jitter[restingSquares: zone] == 2 * 200 * 200)
    // A steady slow motion is no jitter.
    let steady = try counts([(500, 100), (510, 105), (520, 110), (530, 115)], resolution: 100)
    #expect(steady[restingReports: zone] == 2)
    #expect(steady[restingSquares: zone] == 0)
  }

  @Test func `Without a resolution the unit of jitter is a part of the axis`() throws {
    var trace = PanelTrace(try lines(resolution: 0), rawX: 320, rawY: 240)
    #expect(trace.lines.key.x.resolution == 0)
    trace.move(by: 2, 0, toX: 322, 240, after: 10_000)
    trace.move(by: -2, 0, toX: 320, 240, after: 10_000)
    var counts = PanelCounts()
    counts.add(trace)
    let zone = 3 * 8 + 4
    #expect(counts[restingReports: zone] == 1)
    // 2 of 640 units are 312.5 of 100,000.
    #expect(counts[restingSquares: zone] == 97_656)
  }

  @Test func `A contact of a day on the largest axes needs the same memory`() throws {
    let placement = try #require(Placement.test(x: .min ... .max, y: .min ... .max))
    var random = SeededGenerator(seed: 3)
    var trace = PanelTrace(PanelLines(device: "panel", placement), rawX: 0, rawY: 0)
    var (x, y) = (Int32(0), Int32(0))
    for step in 0..<200_000 {
      let isWild = step % 50 == 0
      let next = isWild ? Int32(truncatingIfNeeded: random.next()) : x &+ Int32(step % 7 - 3)
      let down = isWild ? Int32(truncatingIfNeeded: random.next()) : y &+ Int32(step % 5 - 2)
      trace.move(
        by: Int64(next) - Int64(x), Int64(down) - Int64(y), toX: next, down,
        after: Int64(random.next() % 100_000))
      (x, y) = (next, down)
    }
    #expect(trace.passed.count <= 530 && trace.passed.capacity <= 2048)
    #expect(trace.sums.count == 2 * 112 && trace.formerRests.count <= 129)
    var counts = PanelCounts()
    counts.add(trace)
    #expect(counts.numbers.allSatisfy { $0 >= 0 })
    #expect((0..<48).contains { counts[restingReports: $0] > 1000 })
  }

  @Test func `Two contacts are close if they are at most three lines apart both ways`() throws {
    let lines = try lines()
    func trace(_ x: Int32, _ y: Int32) -> PanelTrace { PanelTrace(lines, rawX: x, rawY: y) }
    let close = try #require(trace(100, 100).middle(to: trace(139, 70)))
    #expect(close == (11, 8))
    #expect(trace(100, 100).middle(to: trace(140, 100)) == nil)
    #expect(trace(100, 100).middle(to: trace(100, 140)) == nil)
    let other = PanelTrace(try self.lines(resolution: 2), rawX: 100, rawY: 100)
    #expect(trace(100, 100).middle(to: other) == nil)
  }
}
