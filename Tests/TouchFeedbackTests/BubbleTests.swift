import Testing
import TouchFeedback
import TouchModel

@Suite struct BubbleTests {
  @Test func `A finger is a disc of 44 points with a dark ring inside a light line`() throws {
    var fingers = Fingers()
    fingers.report(1, .began, 120.25, 60.5, at: 0)
    let disc = try #require(fingers.discs(at: 0).first)
    let line = try #require(fingers.lines(at: 0).first)
    #expect(fingers.shapes(at: 0).count == 2)
    #expect([line, disc].allSatisfy { $0.centre == Point(x: 120.25, y: 60.5) })
    #expect(line.radius == 22 && line.ringWidth == 1)
    #expect(disc.radius == 21 && disc.ringWidth == 2.75)
    // White at 50 % over dark at 25 %.
    #expect(disc.fill.opacity == 0.625 && abs(disc.fill.red - 0.84) < 1e-9)
    #expect(disc.ring.red < 0.3 && disc.ring.opacity == 1)
  }

  @Test func `A bubble follows the finger and stays while it rests`() {
    var fingers = Fingers()
    fingers.report(1, .began, at: 0)
    fingers.report(1, .moved, 300, 40, at: 16)
    for ms in [16.0, 1000, 3_600_000] {
      #expect(fingers.discs(at: ms).map(\.centre) == [Point(x: 300, y: 40)])
      #expect(fingers.nextChange(after: ms) == nil)
    }
  }

  @Test func `After the touch-up, a bubble fades within 250 ms`() {
    var fingers = Fingers()
    fingers.report(1, .began, at: 0)
    fingers.report(1, .ended, at: 500)
    let opacities = [500, 562.5, 625, 749.99].map { fingers.discs(at: $0).first?.fill.opacity ?? 0 }
    #expect(opacities.prefix(3) == [0.625, 0.46875, 0.3125])
    #expect(opacities[3] > 0 && opacities[3] < 0.001)
    #expect(fingers.shapes(at: 750).isEmpty)
    #expect(fingers.nextChange(after: 500) == 500)
    #expect(fingers.nextChange(after: 749) == 749)
    #expect(fingers.nextChange(after: 750) == nil)
  }

  @Test func `A touch without a touch-down begins with its first sample`() {
    var fingers = Fingers()
    fingers.report(1, .stationary, at: 0)
    fingers.report(2, .moved, 300, 100, at: 10)
    #expect(fingers.discs(at: 10).count == 2)
    fingers.report(2, .ended, at: 20)
    #expect(fingers.nextChange(after: 20) == 160)
  }

  @Test func `Each display shows its own touches`() {
    var fingers = Fingers()
    fingers.report(1, .began, at: 0)
    fingers.report(2, .began, 7, 8, at: 0, on: "HDMI-A-1")
    #expect(fingers.discs(at: 0).count == 1)
    #expect(fingers.discs(at: 0, on: "HDMI-A-1").map(\.centre) == [Point(x: 7, y: 8)])
    #expect(fingers.shapes(at: 0, on: "none").isEmpty)
  }

  @Test(
    arguments: [(8, 4), (100, 50), (400, 200), (1e9, 200), (0, 4), (-Double.infinity, 4)]
      as [(Double, Double)])
  func `The size is the diameter and stays within its limits`(size: Double, radius: Double) {
    var fingers = Fingers()
    fingers.style.size = size
    fingers.report(1, .began, at: 0)
    #expect(fingers.lines(at: 0).map(\.radius) == [radius])
    fingers.style.size = .nan
    #expect(fingers.lines(at: 0).map(\.radius) == [22])
  }

  @Test func `The ring style is a bright ring within a dark one, with a free middle`() {
    var fingers = Fingers()
    fingers.style.isRing = true
    fingers.report(1, .began, at: 0)
    let rings = fingers.discs(at: 0)
    #expect(rings.map(\.radius) == [22, 19.25])
    #expect(rings.allSatisfy { $0.fill.opacity == 0 && $0.ring.opacity == 1 })
    #expect(rings[0].ring.red < 0.3 && rings[1].ring.red == 1)
  }

  @Test func `On opaque surfaces nothing is translucent`() {
    var fingers = Fingers()
    fingers.surface = .opaque
    fingers.style.countsTaps = true
    fingers.style.hasTrail = true
    fingers.tap(1, at: 0)
    fingers.report(2, .began, at: 100)
    fingers.report(2, .moved, 160, 100, at: 110)
    fingers.report(2, .ended, 200, 100, at: 300)
    for ms in stride(from: 100.0, through: 560, by: 7) {
      for shape in fingers.shapes(at: ms) {
        switch shape {
        case .disc(_, _, let fill, let ring, _):
          #expect([0, 1].contains(fill.opacity) && [0, 1].contains(ring.opacity))
        case .area: Issue.record("a trail")
        case .label(_, _, _, let colour): #expect(colour.opacity == 1)
        }
      }
    }
    let widths = [300.0, 400, 500, 549].map {
      fingers.discs(at: $0).last { $0.radius == 22 }?.ringWidth ?? 0
    }
    #expect(widths == widths.sorted(by: >) && widths[0] == 2.75 && widths[3] < 0.1)
    #expect(fingers.shapes(at: 550).isEmpty)
  }
}
