import TestSupport
import Testing

@testable import TouchModel

@Suite struct MasksTests {
  @Test(
    arguments: [
      [0, 0, 0, 1], [0, 0, 1, -1], [.nan, 0, 1, 1], [0, .infinity, 1, 1], [0, 0, .nan, 1],
      [1e308, 0, 1e308, 1],
    ] as [[Double]])
  func `A rectangle without a size or with infinite numbers is refused`(numbers: [Double]) {
    #expect(
      Rectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]) == nil)
  }

  @Test func `Equal masks count once, and too many masks are refused`() throws {
    let many = (0..<Masks.limit).map { Mask(screen: "\($0)") }
    #expect(try #require(Masks(many + many)).list == many)
    #expect(Masks(many + [Mask(screen: "one more")]) == nil)
  }

  @Test func `A path is in a rectangle exactly if one of its lines meets it`() throws {
    var random = SeededGenerator(seed: 11)
    func number(_ limit: Double) -> Double { Double.random(in: 0..<limit, using: &random) }
    var crossed = 0
    for _ in 0..<20_000 {
      let rectangle = try rectangle(
        number(900), number(700), number(120) + 0.01, number(90) + 0.01)
      let candidates = try #require(Masks([Mask(screen: "s", rectangle: rectangle)]))
        .candidates(on: "A")
      var last = Point(x: number(1024), y: number(768))
      var path = MaskPath(at: last, candidates: candidates)
      var isCrossed = rectangle.contains(last)
      for _ in 0..<3 {
        // Sometimes the line is parallel to an axis.
        let next = Point(
          x: number(1) < 0.1 ? last.x : number(1024), y: number(1) < 0.1 ? last.y : number(768))
        path.move(to: next)
        isCrossed = isCrossed || clips(last, next, rectangle)
        last = next
        #expect(path.crossed.contains(0) == isCrossed)
      }
      crossed += isCrossed ? 1 : 0
    }
    #expect((2000..<18_000).contains(crossed))
  }

  @Test func `A line that touches a corner or an edge of a rectangle is in it`() throws {
    let square = try rectangle(10, 10, 10, 10)
    func isCrossed(_ x: Double, _ y: Double, _ toX: Double, _ toY: Double) -> Bool {
      square.isCrossed(from: Point(x: x, y: y), to: Point(x: toX, y: toY))
    }
    #expect(isCrossed(0, 20, 20, 0) && isCrossed(0, 40, 40, 0))
    #expect(isCrossed(0, 10, 30, 10) && isCrossed(20, 0, 20, 9999))
    #expect(isCrossed(15, 15, 15, 15) && isCrossed(0, 0, 999, 999))
    #expect(!isCrossed(0, 19.9, 19.9, 0) && !isCrossed(0, 9.9, 30, 9.9))
    #expect(!isCrossed(0, 0, 9.9, 9.9) && !isCrossed(21, 0, 21, 60))
    #expect(square.contains(Point(x: 10, y: 20)) && !square.contains(Point(x: 9.9, y: 20)))
  }

  @Test func `Each of 256 rectangles is recognised`() throws {
    let masks = try #require(
      Masks(
        try (0..<256).map { number in
          Mask(
            screen: "\(number)",
            rectangle: try rectangle(
              Double(number % 16) * 10 + 1, Double(number / 16) * 10 + 1, 8, 8)
          )
        }))
    let candidates = masks.candidates(on: "A")
    for number in 0..<256 {
      let path = MaskPath(
        at: Point(x: Double(number % 16) * 10 + 5, y: Double(number / 16) * 10 + 5),
        candidates: candidates)
      let crossed = (0..<256).filter {
        masks.cover(screen: "\($0)", display: "A", path: path)
      }
      #expect(crossed == [number])
    }
  }

  @Test func `A mask added while a finger is down covers the area in which it has moved`() throws {
    let known = Mask(screen: "s", rectangle: try rectangle(0, 0, 10, 10))
    let beside = Mask(screen: "t", rectangle: try rectangle(200, 0, 10, 10))
    let inside = Mask(screen: "u", rectangle: try rectangle(80, 10, 10, 10))
    let first = try #require(Masks([known]))
    let second = try #require(Masks([beside, inside, known]))
    var path = MaskPath(at: Point(x: 5, y: 5), candidates: first.candidates(on: "A"))
    path.move(to: Point(x: 100, y: 100))
    path.adopt(second.candidates(on: "A"), replacing: first)
    func covered(_ screen: String, _ masks: Masks) -> Bool {
      masks.cover(screen: screen, display: "A", path: path)
    }
    #expect(covered("s", second) && covered("u", second) && !covered("t", second))
    path.move(to: Point(x: 205, y: 0))
    #expect(covered("t", second))
    // A mask that was removed and is added again counts as new.
    path.adopt([], replacing: second)
    path.adopt(first.candidates(on: "A"), replacing: Masks())
    #expect(covered("s", first))
  }
}
