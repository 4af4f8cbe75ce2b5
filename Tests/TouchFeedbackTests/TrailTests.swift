import Testing
import TouchFeedback
import TouchModel

/// Where fingers were a moment ago.
@Suite struct TrailTests {
  private func strokes(_ fingers: Fingers, at ms: Double) -> [(points: [Point], width: Double)] {
    fingers.shapes(at: ms).compactMap {
      if case .stroke(let points, let width, _) = $0 { (points, width) } else { nil }
    }
  }

  /// Along a quarter of a circle of 200 points, in 300 ms at 125 Hz.
  private func swipe() -> Fingers {
    var fingers = Fingers()
    fingers.style.hasTrail = true
    fingers.tell(1, .began, 200, 0, at: 0)
    for ms in stride(from: 8.0, through: 300, by: 8) {
      // The points of a parabola serve as well as those of a circle.
      let part = ms / 300
      fingers.tell(1, .moved, 200 - 200 * part * part, 200 * part, at: ms)
    }
    return fingers
  }

  @Test func itEndsAtTheFingerTapersAndGrowsShorter() throws {
    let fingers = swipe()
    let strokes = strokes(fingers, at: 300)
    #expect(strokes.count == 12)
    let finger = try #require(fingers.discs(at: 300).first?.centre)
    #expect(strokes.allSatisfy { $0.points.last == finger })
    let bright = strokes.suffix(6)
    #expect(bright.map(\.width) == bright.map(\.width).sorted())
    #expect(bright.map(\.points.count) == bright.map(\.points.count).sorted(by: >))
  }

  @Test func aSwipeIsSmooth() throws {
    let way = try #require(strokes(swipe(), at: 296).first?.points)
    #expect(way.count > 25)
    for (index, point) in way.enumerated().dropFirst().dropLast() {
      let (before, after) = (way[index - 1], way[index + 1])
      // The angle between two pieces.
      let (ax, ay) = (point.x - before.x, point.y - before.y)
      let (bx, by) = (after.x - point.x, after.y - point.y)
      let cosine = (ax * bx + ay * by) / ((ax * ax + ay * ay) * (bx * bx + by * by)).squareRoot()
      #expect(cosine > 0.99)
    }
  }

  @Test func itIsGone400MillisecondsAfterTheLastMove() {
    let fingers = swipe()
    #expect(fingers.nextChange(after: 300) == 300)
    #expect(!strokes(fingers, at: 690).isEmpty)
    #expect(strokes(fingers, at: 697).isEmpty)
    #expect(fingers.nextChange(after: 697) == nil)
    #expect(fingers.discs(at: 697).count == 1)
  }

  @Test func aFingerThatRestedDoesNotCrawlToItsNextPlace() throws {
    var fingers = Fingers()
    fingers.style.hasTrail = true
    fingers.tell(1, .began, 0, 0, at: 0)
    fingers.tell(1, .moved, 100, 0, at: 380)
    // 350 ms ago it still rested where it had landed: all of the way is shown.
    let way = try #require(strokes(fingers, at: 390).first?.points)
    #expect(way.first == Point(x: 0, y: 0))
    #expect(strokes(fingers, at: 390).allSatisfy { $0.points.first == Point(x: 0, y: 0) })
  }

  @Test func aFingerThatOnlyRestsHasNone() {
    var fingers = Fingers()
    fingers.style.hasTrail = true
    fingers.tell(1, .began, at: 0)
    for ms in stride(from: 8.0, to: 500, by: 8) { fingers.tell(1, .stationary, at: ms) }
    #expect(strokes(fingers, at: 500).isEmpty)
    #expect(fingers.nextChange(after: 500) == nil)
  }

  @Test func aFastPanelCostsNoMore() {
    var fingers = Fingers()
    fingers.style.hasTrail = true
    fingers.tell(1, .began, 0, 0, at: 0)
    for step in 1...8000 {
      fingers.tell(1, .moved, Double(step) * 3, Double(step % 2) * 50, at: Double(step) / 8)
    }
    #expect(strokes(fingers, at: 1000).allSatisfy { $0.points.count <= 104 })
  }
}
