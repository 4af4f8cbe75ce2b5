import TestSupport
import Testing
import TouchModel

@testable import Reports

/// What is concluded from the counts of controls. `Benchmarks/controls` compares it with the truth.
@Suite struct ControlResultTests {
  /// Simulates touches around one button on a display with 4 points to the mm.
  private func simulate(
    width: Double, height: Double, offset: (Double, Double) = (0, 0), touches: Int = 4000,
    stray: Int = 0, seed: UInt64 = 1, masks: [Rectangle] = [], beside: Rectangle? = nil
  ) throws -> ScreenControlResults {
    var dice = SeededGenerator(seed: seed)
    let geometry = try #require(DisplayGeometry(pixelWidth: 1000, pixelHeight: 800))
    let rectangle = try #require(
      Rectangle(
        x: 500 - 2 * width, y: 400 - 2 * height, width: 4 * width, height: 4 * height))
    var controls = [Control(name: "pay", rectangle: rectangle)]
    if let beside { controls.append(Control(name: "beside", rectangle: beside)) }
    let set = try #require(ControlSet(controls, pointSize: 0.25))
    var sums = controls.map { _ in ControlSums() }
    func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &dice) }
    }
    func touch(_ point: Point) {
      guard let match = set.match(point), !masks.contains(where: { $0.contains(point) }) else {
        return
      }
      let edges = controls[match.control].rectangle
      let x = Int64((point.x - edges.x - edges.width / 2).rounded())
      let y = Int64((point.y - edges.y - edges.height / 2).rounded())
      func add(to scatter: inout ControlSums.Scatter) {
        scatter.count += 1
        (scatter.x, scatter.y) = (scatter.x + x, scatter.y + y)
        (scatter.xx, scatter.yy) = (scatter.xx + x * x, scatter.yy + y * y)
      }
      guard let ring = match.ring else { return add(to: &sums[match.control].hits) }
      sums[match.control].beside[match.side.rawValue][ring] += 1
      if match.isNear { add(to: &sums[match.control].nearMisses) }
    }
    for _ in 0..<touches {
      touch(
        Point(x: 500 + 4 * (1.8 * normal() + offset.0), y: 400 + 4 * (1.8 * normal() + offset.1)))
    }
    for _ in 0..<stray {
      touch(
        Point(
          x: Double.random(in: 0..<1000, using: &dice), y: Double.random(in: 0..<800, using: &dice)
        ))
    }
    for index in sums.indices { sums[index].sessions = min(100, sums[index].hits.count) }
    let key = GridKey(display: "d", screen: "s", geometry: geometry)
    return ScreenControlResults(
      SummedControls(
        counts: ControlCounts(key: key, set: set, numbers: sums.flatMap(\.numbers)), sessions: 100,
        screenSessions: 120, screenTouches: UInt64(touches + stray), masks: masks))
  }

  private func result(
    _ results: ScreenControlResults, _ name: String = "pay"
  ) throws -> ControlResult {
    try #require(results.results.first { $0.control.name == name })
  }

  /// The share of a normal distribution with a deviation of 1.8 mm within +- half a side.
  private func truth(_ width: Double, _ height: Double) -> Double {
    Normal.within(-width / 2, width / 2, mean: 0, deviation: 1.8)
      * Normal.within(-height / 2, height / 2, mean: 0, deviation: 1.8)
  }

  @Test(arguments: [6, 8.5, 11.6, 20], [0, 20_000])
  func `The hit share and its interval agree with the truth`(side: Double, stray: Int) throws {
    let result = try result(simulate(width: side, height: side, stray: stray))
    let share = try #require(result.hitShare)
    #expect(share.low <= truth(side, side) && truth(side, side) <= share.high, "\(share)")
    #expect(share.high - share.low < 0.05)
    let aim = try #require(result.aim)
    #expect(abs(aim.deviationX - 1.8) < 0.15 && abs(aim.x) < 0.15 && abs(aim.y) < 0.15, "\(aim)")
    #expect(result.verdict == (side < 11 ? .missed : .fine) || side == 11.6)
  }

  @Test func `A flat button is to be taller`() throws {
    let result = try result(simulate(width: 40, height: 5))
    let remedy = try #require(result.remedy)
    #expect(remedy.growth[0] == 0 && remedy.growth[1] == 0)
    #expect(remedy.growth[2] > 0 && remedy.growth[2] == remedy.growth[3], "\(remedy)")
    #expect(remedy.words.hasSuffix(" mm taller") && remedy.hitShare > 0.985)
    #expect(result.advice.contains(" mm taller: "))
  }

  @Test func `A button that is touched too low is to grow at the bottom`() throws {
    let result = try result(simulate(width: 30, height: 9, offset: (0, 2.5)))
    let remedy = try #require(result.remedy)
    #expect(remedy.growth[..<3].allSatisfy { $0 == 0 } && remedy.growth[3] >= 2, "\(remedy)")
    #expect(result.offset?.x == 0 && abs((result.offset?.y ?? 0) - 2.5) < 0.3)
  }

  @Test func `A neighbour in the way is named`() throws {
    let beside = try #require(Rectangle(x: 460, y: 414, width: 80, height: 40))
    let results = try simulate(width: 40, height: 5, beside: beside)
    let remedy = try #require(try result(results).remedy)
    #expect(remedy.blocked.keys.map(\.words) == ["at the bottom"], "\(remedy)")
    #expect(
      results.notes.contains { $0.hasPrefix("pay: there is room for only 1 mm at the bottom") })
  }

  @Test func `Stray touches alone make no finding`() throws {
    let result = try result(simulate(width: 12, height: 12, touches: 0, stray: 40_000))
    #expect(result.missed < 30 && result.remedy == nil)
    #expect(result.verdict != .missed)
  }

  @Test func `A mask beside a control does not change its share`() throws {
    let mask = try #require(Rectangle(x: 525, y: 0, width: 200, height: 800))
    let result = try result(
      simulate(width: 12, height: 12, stray: 60_000, masks: [mask]))
    let share = try #require(result.hitShare)
    // Misses in the mask are not known, so the share is a little above the truth.
    #expect(share.high >= truth(12, 12) && share.low < truth(12, 12) + 0.005, "\(share)")
  }

  @Test func `Few touches say nothing, and none say that nobody came`() throws {
    #expect(try result(simulate(width: 6, height: 6, touches: 19)).verdict == .tooFew)
    #expect(try result(simulate(width: 6, height: 6, touches: 0)).verdict == .untouched)
  }

  @Test func `A table fits into 80 columns and names what to change`() throws {
    let lines = ControlText(try simulate(width: 40, height: 5), width: 80).lines
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines[1].hasPrefix("CONTROL") && lines[2].contains(" mm taller: "))
  }

  @Test func `The interval of a share without a background is that of a binomial`() {
    // The likelihood interval of 93 of 100 (Meeker and Escobar 1995 give the method; computed with
    // scipy from the binomial likelihood): 0.8687 to 0.9689.
    let estimate = HitEstimate(hits: 93, near: 7, around: 0, inside: 0.3, beside: 0.6)
    let interval = estimate.interval(z: 1.96)
    #expect(abs(interval.lowerBound - 0.8687) < 2e-3 && abs(interval.upperBound - 0.9689) < 2e-3)
    let none = HitEstimate(hits: 0, near: 0, around: 0, inside: 0.3, beside: 0.6)
    #expect(none.value == 0 && none.interval(z: 1.96) == 0...1)
  }
}
