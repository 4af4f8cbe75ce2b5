import Glibc

/// A hand that makes gestures the way people do: it misses where it aims, trembles, lands and lifts
/// its fingers one after the other, and draws bent lines with the speed of aimed movements (least
/// jerk: T. Flash and N. Hogan, "The coordination of arm movements", 1985). It knows no limits of
/// any recogniser. Lengths are in mm, times in ms.
public struct Hand {
  public enum Intent: String, CaseIterable, Sendable {
    case tap, doubleTap, longPress, swipeLeft, swipeRight, swipeUp, swipeDown, drag, pinch, spread
    case turn, fingersTap
  }

  /// One report of a finger.
  public struct Report: Sendable {
    public var time: Int64
    public var finger: Int
    public var x: Double
    public var y: Double
    /// False for the touch-up.
    public var isDown: Bool
  }

  private typealias Place = (x: Double, y: Double)

  /// The time between two reports.
  private static let beat = 8.0

  private var random: SeededGenerator
  private let width: Double
  private let height: Double

  /// - Parameters:
  ///   - width: the size of the glass.
  public init(seed: UInt64, width: Double, height: Double) {
    random = SeededGenerator(seed: seed)
    (self.width, self.height) = (width, height)
  }

  /// Makes a gesture somewhere on the glass.
  /// - Returns: its reports in the order of time; the first one is at 0 or soon after.
  public mutating func make(_ intent: Intent) -> [Report] {
    let reports =
      switch intent {
      case .tap: tap(somewhere(), at: 0)
      case .doubleTap: doubleTap()
      case .longPress: longPress()
      case .swipeLeft: swipe(.pi)
      case .swipeRight: swipe(0)
      case .swipeUp: swipe(-.pi / 2)
      case .swipeDown: swipe(.pi / 2)
      case .drag: drag()
      case .pinch: pinch(opens: false)
      case .spread: pinch(opens: true)
      case .turn: turn()
      case .fingersTap: fingersTap()
      }
    return reports.sorted { ($0.time, $0.finger) < ($1.time, $1.finger) }
  }

  /// A pause between two gestures: people look, read and think.
  public mutating func pause() -> Int64 { Int64(logNormal(1400, 0.5)) + 500 }

  // MARK: Gestures

  private mutating func tap(
    _ place: Place, at time: Double, finger: Int = 0, lasting duration: Double? = nil
  ) -> [Report] {
    // The pad of the finger rolls while it is pressed on.
    let roll: Place = (normal(0.5), normal(0.7))
    return stroke(finger, from: time, lasting: duration ?? logNormal(90, 0.33)) { share in
      (place.x + roll.x * share, place.y + roll.y * share)
    }
  }

  private mutating func doubleTap() -> [Report] {
    let place = somewhere()
    let first = tap(place, at: 0, lasting: logNormal(75, 0.25))
    let end = Double(first.last?.time ?? 0)
    let again: Place = (place.x + normal(1), place.y + normal(1))
    let pause = logNormal(115, 0.28)
    return first + tap(again, at: end + pause, lasting: logNormal(75, 0.25))
  }

  /// People press until something happens: recognisers answer after 400 or 500 ms, and then a person
  /// takes the time of a reaction. Or they know that it takes long.
  private mutating func longPress() -> [Report] {
    let answer = uniform(400...500)
    let duration = answer + logNormal(330, 0.3) + (uniform(0...1) < 0.3 ? logNormal(600, 0.4) : 0)
    let (place, drift) = (somewhere(), (normal(0.35), normal(0.4)))
    return stroke(0, from: 0, lasting: duration) { share in
      (place.x + drift.0 * share, place.y + drift.1 * share)
    }
  }

  /// A flick: the finger lands and lifts while it moves.
  private mutating func swipe(_ direction: Double) -> [Report] {
    let angle = direction + normal(0.14)
    let length = min(logNormal(45, 0.35), 0.8 * min(width, height))
    let bow = normal(0.06) * length
    let (lands, lifts) = (uniform(0.05...0.2), uniform(0.75...0.95))
    let centre = somewhere(margin: length / 2)
    let (first, all) = (Self.ease(lands), Self.ease(lifts) - Self.ease(lands))
    return stroke(0, from: 0, lasting: min(logNormal(170, 0.33), 12 * length)) { share in
      let way = (Self.ease(lands + (lifts - lands) * share) - first) / all
      return Self.line(centre, angle, length * (way - 0.5), bow * sin(.pi * way))
    }
  }

  /// Moves a thing somewhere else: takes hold of it, aims, and lets go once it is there.
  private mutating func drag() -> [Report] {
    let angle = uniform(-.pi ... .pi)
    let length = min(uniform(15...120), 0.75 * min(width, height))
    let bow = normal(0.1) * length
    let (holds, stays) = (logNormal(130, 0.4), logNormal(160, 0.4))
    // Fitts' law, for a place of 15 mm.
    let moves = (230 + 190 * log2(length / 15 + 1)) * logNormal(1.2, 0.15)
    let all = holds + moves + stays
    let centre = somewhere(margin: length / 2)
    return stroke(0, from: 0, lasting: all) { share in
      let way = Self.ease((share * all - holds) / moves)
      return Self.line(centre, angle, length * (way - 0.5), bow * sin(.pi * way))
    }
  }

  private mutating func pinch(opens: Bool) -> [Report] {
    let (near, far) = (uniform(18...34), min(uniform(52...95), 0.8 * min(width, height)))
    let (from, to) = opens ? (near, far) : (far, near)
    return pair(from: from, to: to, turning: normal(0.1), lasting: logNormal(480, 0.33))
  }

  private mutating func turn() -> [Report] {
    let size = uniform(38...min(75, 0.8 * min(width, height)))
    let angle = uniform(0.6...1.9) * (uniform(0...1) < 0.5 ? -1 : 1)
    return pair(
      from: size, to: size * (1 + normal(0.06)), turning: angle, lasting: logNormal(750, 0.33))
  }

  /// Thumb and forefinger, of which one may do most of the way.
  private mutating func pair(
    from: Double, to: Double, turning: Double, lasting duration: Double
  ) -> [Report] {
    let axis = -0.8 + normal(0.4)
    let share = uniform(0.1...0.6)
    let drift: Place = (normal(3), normal(3))
    let middle = somewhere(margin: max(from, to) / 2 + 8)
    func finger(_ sign: Double, _ way: Double) -> Place {
      let angle = axis + turning * way
      let size = from + (to - from) * way
      // The hand moves so that the thumb does its share of the way, and the finger the rest.
      let start: Place = (from / 2 * cos(axis), from / 2 * sin(axis))
      let now: Place = (size / 2 * cos(angle), size / 2 * sin(angle))
      let lead = 1 - 2 * share
      return (
        middle.x + sign * now.x + lead * (now.x - start.x) + drift.x * way,
        middle.y + sign * now.y + lead * (now.y - start.y) + drift.y * way
      )
    }
    let lands = [max(0, normal(35)), max(0, normal(35))]
    let lifts = [max(0, normal(40)), max(0, normal(40))]
    return [-1.0, 1].enumerated().flatMap { number, sign in
      let start = lands[number]
      return stroke(number, from: start, lasting: duration + lifts[number] - start) { share in
        let time = start + share * (duration + lifts[number] - start)
        return finger(sign, Self.ease(time / duration))
      }
    }
  }

  private mutating func fingersTap() -> [Report] {
    let place = somewhere(margin: 30)
    let duration = logNormal(105, 0.28)
    return (0..<Int(uniform(2...4.99))).flatMap { finger in
      let apart = 21 * Double(finger) + normal(2)
      return tap(
        (place.x - 25 + apart, place.y + normal(5)), at: max(0, 15 + normal(10)), finger: finger,
        lasting: max(25, duration + normal(10)))
    }
  }

  // MARK: Motion

  /// Moves a finger, which trembles.
  /// - Parameter place: where it is meant to be, by the share of the time that has passed.
  private mutating func stroke(
    _ finger: Int, from start: Double, lasting duration: Double, _ place: (Double) -> Place
  ) -> [Report] {
    var (reports, tremor): ([Report], Place) = ([], (0, 0))
    var time = 0.0
    while time < duration {
      tremor = (0.8 * tremor.x + normal(0.06), 0.8 * tremor.y + normal(0.06))
      let (x, y) = place(time / duration)
      reports.append(
        Report(
          time: Int64(start + time), finger: finger, x: x + tremor.x, y: y + tremor.y, isDown: true)
      )
      time += Self.beat
    }
    var last = reports[reports.count - 1]
    last.time = max(last.time + 1, Int64(start + duration))
    last.isDown = false
    return reports + [last]
  }

  /// The share of the way after a share of the time, in the movement with the least jerk.
  private static func ease(_ time: Double) -> Double {
    let t = min(1, max(0, time))
    return t * t * t * (10 + t * (6 * t - 15))
  }

  private static func line(
    _ centre: Place, _ angle: Double, _ along: Double, _ across: Double
  ) -> Place {
    (
      centre.x + along * cos(angle) - across * sin(angle),
      centre.y + along * sin(angle) + across * cos(angle)
    )
  }

  private mutating func somewhere(margin: Double = 5) -> Place {
    func within(_ side: Double, _ share: Double) -> Double {
      let edge = min(margin, side / 2)
      return edge + (side - 2 * edge) * share
    }
    return (within(width, random.uniform()), within(height, random.uniform()))
  }

  // MARK: Chance

  private mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * random.uniform()
  }

  /// A normal distribution around 0.
  private mutating func normal(_ deviation: Double) -> Double {
    deviation * (-2 * log(random.uniform())).squareRoot() * cos(2 * .pi * random.uniform())
  }

  private mutating func logNormal(_ median: Double, _ deviation: Double) -> Double {
    median * exp(normal(deviation))
  }
}
