import TestSupport
import TouchFeedback
import TouchModel

/// A touch history whose times are given in ms.
struct Fingers {
  var history = TouchHistory()
  var style = BubbleStyle()
  var surface = Surface.translucent
  static let display = "DSI-1"

  mutating func report(
    _ touch: Int64, _ phase: Phase, _ x: Double = 100, _ y: Double = 100, at ms: Double,
    on display: String = display
  ) {
    history.apply(
      [TouchSample(touch: touch, phase: phase, point: Point(x: x, y: y), display: display)],
      at: .ms(ms))
  }

  /// Adds a tap of 60 ms.
  mutating func tap(_ touch: Int64, _ x: Double = 100, _ y: Double = 100, at ms: Double) {
    report(touch, .began, x, y, at: ms)
    report(touch, .ended, x, y, at: ms + 60)
  }

  func shapes(at ms: Double, on display: String = display) -> [Shape] {
    history.shapes(on: display, at: .ms(ms), style: style, surface: surface)
  }

  /// Returns the discs without the light lines around them.
  func discs(at ms: Double, on display: String = display) -> [Disc] {
    shapes(at: ms, on: display).compactMap { Disc($0) }.filter { !$0.isLine }
  }

  func lines(at ms: Double) -> [Disc] {
    shapes(at: ms).compactMap { Disc($0) }.filter(\.isLine)
  }

  func labels(at ms: Double) -> [String] {
    shapes(at: ms).compactMap {
      if case .label(let text, _, _, _) = $0 { text } else { nil }
    }
  }

  /// Returns the time of the next change, in ms; nil if no change is due.
  func nextChange(after ms: Double) -> Double? {
    history.nextChange(after: .ms(ms), style: style).map { Double($0.microseconds) / 1000 }
  }
}

struct Disc: Equatable {
  var centre: Point
  var radius: Double
  var fill: Colour
  var ring: Colour
  var ringWidth: Double

  var isLine: Bool { fill.opacity == 0 && ring.red == 1 && ring.opacity < 1 }

  init?(_ shape: Shape) {
    guard case .disc(let centre, let radius, let fill, let ring, let ringWidth) = shape else {
      return nil
    }
    (self.centre, self.radius, self.fill, self.ring, self.ringWidth) =
      (centre, radius, fill, ring, ringWidth)
  }
}

extension Timestamp {
  static func ms(_ ms: Double) -> Timestamp { Timestamp(microseconds: Int64(ms * 1000)) }
}

/// Random frames of fingers that touch down, move, lift and are cancelled. Hostile frames also have
/// samples that only a broken device reports.
struct RandomFrames {
  var generator: SeededGenerator
  var time = Timestamp(microseconds: 0)
  let isHostile: Bool
  private var down: [Int64: Point] = [:]
  private var last: Int64 = 0

  init(seed: UInt64, isHostile: Bool = false) {
    generator = SeededGenerator(seed: seed)
    self.isHostile = isHostile
  }

  private mutating func chance(_ part: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < part
  }

  private mutating func sample(_ touch: Int64, _ phase: Phase, _ point: Point) -> TouchSample {
    var point = point
    if isHostile, chance(0.1) {
      let odd = [Double.nan, .infinity, -.infinity, 1e300, -1e18]
      point.x = odd[Int.random(in: 0..<odd.count, using: &generator)]
    }
    return TouchSample(
      touch: touch, phase: phase, point: point, display: touch % 3 == 0 ? "B" : "A")
  }

  mutating func next() -> [TouchSample] {
    time = time + Int64.random(in: 0...(chance(0.05) ? 300_000 : 12_000), using: &generator)
    var frame: [TouchSample] = []
    for (touch, point) in down.sorted(by: { $0.key < $1.key }) {
      if chance(0.05) {
        down[touch] = nil
        frame.append(sample(touch, chance(0.2) ? .cancelled : .ended, point))
      } else if chance(0.7) {
        let next = Point(
          x: point.x + Double.random(in: -20...20, using: &generator),
          y: point.y + Double.random(in: -20...20, using: &generator))
        down[touch] = next
        frame.append(sample(touch, .moved, next))
      }
    }
    if chance(0.2), down.count < 10 {
      last += 1
      let point = Point(
        x: Double.random(in: 0...800, using: &generator),
        y: Double.random(in: 0...480, using: &generator))
      down[last] = point
      frame.append(sample(last, .began, point))
    }
    if isHostile {
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        let phase = Phase.allCases[Int.random(in: 0..<Phase.allCases.count, using: &generator)]
        let touch = Int64.random(in: 0...200, using: &generator)
        frame.append(sample(touch, phase, Point(x: 5, y: 5)))
      }
    }
    return frame
  }

  /// Returns a frame in which all fingers that are down lift.
  mutating func end() -> [TouchSample] {
    let frame = down.map { sample($0.key, .ended, $0.value) }
    down = [:]
    return frame
  }
}
