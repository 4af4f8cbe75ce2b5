import Glibc
import Heatmaps
import TestSupport
import Testing
import TouchModel

/// A screen with buttons, places that only look like buttons, and touches anywhere. It has 1280 x
/// 800 points of a quarter of a mm. People aim at the middle of a button, and scatter as Bi and Zhai
/// measured ("FFitts law", 2013). Some people touch more than others, and some drum on a button.
struct SimulatedScreen {
  static let pointsPerMillimetre = 4.0
  private static let (width, height) = (1280.0, 800.0)

  private(set) var buttons: [Rectangle] = []
  /// The keys of a keypad, which are not among the buttons.
  private(set) var keys: [Rectangle] = []
  private(set) var deadPlaces: [Point] = []
  /// The touches that hit each button.
  private(set) var hits: [UInt64] = []
  private var counts: [SessionKey: UInt64] = [:]
  private var moves: [Int: UInt64] = [:]
  private var sessions = 0
  /// How often each button is meant, in relation to the others.
  private var fame: [Double] = []
  /// Where people touch, relative to the middles.
  private var offset = Point(x: 0, y: 0)
  private let geometry: DisplayGeometry
  private var dice: SeededGenerator

  private struct SessionKey: Hashable {
    var block: Int
    var session: Int64
  }

  /// - Parameter hasKeypad: whether the screen has a keypad of 3 x 4 keys of 18 mm.
  init(seed: UInt64, hasKeypad: Bool = false) throws {
    geometry = try TestSupport.geometry(1280, 800)
    dice = SeededGenerator(seed: seed)
    if hasKeypad {
      for key in 0..<12 {
        keys.append(
          try rectangle(
            480 + 84 * Double(key % 3), 220 + 84 * Double(key / 3), width: 72, height: 72))
      }
    }
    let kind = Int.random(in: 0..<3, using: &dice)
    if !hasKeypad, kind == 0 {
      // Tiles.
      let columns = Int.random(in: 2...4, using: &dice)
      let rows = Int.random(in: 2...3, using: &dice)
      let gap = Double.random(in: 10...60, using: &dice)
      let width = (1080 - gap * Double(columns - 1)) / Double(columns)
      let height = (500 - gap * Double(rows - 1)) / Double(rows)
      for tile in 0..<columns * rows {
        try add(
          100 + Double(tile % columns) * (width + gap),
          150 + Double(tile / columns) * (height + gap), width, height)
      }
    } else if !hasKeypad, kind == 1 {
      // A list.
      let count = Int.random(in: 4...7, using: &dice)
      let width = Double.random(in: 300...700, using: &dice)
      for row in 0..<count {
        try add(80, 140 + Double(row) * 540 / Double(count), width, 540 / Double(count) - 12)
      }
    }
    for _ in 0..<12 {
      let width = Double.random(in: 44...300, using: &dice)
      let height = Double.random(in: 44...140, using: &dice)
      try add(
        Double.random(in: 0...Self.width - width, using: &dice),
        Double.random(in: 0...Self.height - height, using: &dice), width, height)
    }
    for _ in 0..<Int.random(in: 0...2, using: &dice) {
      let place = Point(
        x: Double.random(in: 60...1220, using: &dice), y: Double.random(in: 60...740, using: &dice))
      if !(buttons + keys).contains(where: { Self.isIn($0, place, within: 60) }) {
        deadPlaces.append(place)
      }
    }
    hits = buttons.map { _ in 0 }
    fame = buttons.map { _ in dice.gamma(0.9) + 0.1 }
    offset = Point(
      x: 0.5 * normal() * Self.pointsPerMillimetre,
      y: (0.5 + 0.5 * normal()) * Self.pointsPerMillimetre)
  }

  private func rectangle(
    _ x: Double, _ y: Double, width: Double, height: Double
  ) throws -> Rectangle {
    try #require(Rectangle(x: x, y: y, width: width, height: height))
  }

  /// Adds a button that is 8 points away from all others.
  private mutating func add(_ x: Double, _ y: Double, _ width: Double, _ height: Double) throws {
    let area = try rectangle(
      x.rounded(), y.rounded(), width: width.rounded(), height: height.rounded())
    let isFree = (buttons + keys).allSatisfy {
      $0.x + $0.width + 8 < area.x || area.x + area.width + 8 < $0.x
        || $0.y + $0.height + 8 < area.y || area.y + area.height + 8 < $0.y
    }
    if isFree { buttons.append(area) }
  }

  static func isIn(_ area: Rectangle, _ point: Point, within reach: Double = 0) -> Bool {
    area.x - reach <= point.x && point.x <= area.x + area.width + reach && area.y - reach <= point.y
      && point.y <= area.y + area.height + reach
  }

  // MARK: Touches

  private mutating func normal() -> Double {
    (-2 * log(dice.uniform())).squareRoot() * cos(2 * .pi * dice.uniform())
  }

  private mutating func touch(_ x: Double, _ y: Double, session: Int64) -> Int {
    let block = geometry.index(of: geometry.block(at: Point(x: x, y: y)))
    counts[SessionKey(block: block, session: session), default: 0] += 1
    return block
  }

  private mutating func tap(_ area: Rectangle, session: Int64) -> Point {
    func deviation(_ side: Double) -> Double {
      let side = side / Self.pointsPerMillimetre
      return Self.pointsPerMillimetre * (1.68 + 0.0075 * side * side).squareRoot()
    }
    let point = Point(
      x: area.x + area.width / 2 + offset.x + deviation(area.width) * normal(),
      y: area.y + area.height / 2 + offset.y + deviation(area.height) * normal())
    _ = touch(point.x, point.y, session: session)
    return point
  }

  /// Adds touches of people: 8 each on buttons, 6 on keys. People may come again.
  mutating func visit(_ people: Range<Int>) {
    let all = fame.reduce(0, +)
    for session in people {
      let id = Int64(session)
      let activity = dice.gamma(1)
      for (button, area) in buttons.enumerated() {
        var touches = dice.poisson(8 * fame[button] / all * activity)
        if touches > 0, dice.uniform() < 0.02 { touches += 1 + dice.poisson(5) }
        for _ in 0..<touches where Self.isIn(area, tap(area, session: id)) { hits[button] += 1 }
      }
      for key in keys {
        for _ in 0..<dice.poisson(0.5 * activity) { _ = tap(key, session: id) }
      }
      for place in deadPlaces {
        for _ in 0..<dice.poisson(0.25 * activity) {
          _ = touch(place.x + 12 * normal(), place.y + 12 * normal(), session: id)
        }
      }
      for _ in 0..<dice.poisson(0.4 * activity) {
        _ = touch(Self.width * dice.uniform(), Self.height * dice.uniform(), session: id)
      }
    }
    sessions = max(sessions, people.upperBound)
  }

  /// Adds drags upwards that begin at one place, one in each session.
  mutating func drag(from place: Point, blocks: Int) {
    for session in 0..<sessions {
      let start = touch(
        place.x + 15 * normal(), place.y + 15 * normal(), session: Int64(session))
      for step in 1..<blocks where start >= step * geometry.columns {
        moves[start - step * geometry.columns, default: 0] += 1
      }
    }
  }

  // MARK: What the store has

  /// Returns a layer: `taps`, with the counts of single sessions, or `trail`.
  func grid(_ layer: Layer, masks: [Rectangle] = []) -> SummedGrid {
    let blocks = geometry.columns * geometry.rows
    var sums = [UInt64](repeating: 0, count: blocks)
    var touched = sums
    for (key, count) in counts {
      sums[key.block] += count
      touched[key.block] += 1
    }
    if layer == .trail {
      for (block, count) in moves { sums[block] += count }
    }
    var grid = SummedGrid(
      key: GridKey(display: "d", screen: "menu", geometry: geometry), layer: layer,
      sessions: UInt64(sessions), days: 1, shownMilliseconds: 1, touches: 1, masks: masks,
      sum: Counters(sums), sumOfSquares: sums.map { UInt128($0) },
      touchedSessions: Counters(touched))
    if layer == .taps {
      let rare = counts.filter { touched[$0.key.block] < 10 }
      grid.adopt(
        rare.map { SessionCount(block: $0.key.block, session: $0.key.session, count: $0.value) },
        touchedBelow: 10)
    }
    return grid
  }

  /// The picture of the screen: dark buttons with a border and a text. Dead places are texts.
  func picture() -> Pixels {
    let columns = Int(Self.width)
    var values = [UInt32](repeating: 0xfff4_efe6, count: columns * Int(Self.height))
    func fill(_ area: Rectangle, _ inset: Double, _ colour: UInt32, every step: Int = 1) {
      for row in stride(from: Int(area.y + inset), to: Int(area.y + area.height - inset), by: step)
      {
        for column in Int(area.x + inset)..<Int(area.x + area.width - inset) {
          values[row * columns + column] = colour
        }
      }
    }
    for area in buttons + keys {
      fill(area, 0, 0xff25_584b)
      fill(area, 2, 0xff2f_6f5e)
      let text = Rectangle(
        x: area.x + area.width / 3, y: area.y + area.height / 3, width: area.width / 3,
        height: area.height / 3)
      if let text { fill(text, 0, 0xffff_ffff, every: 3) }
    }
    for place in deadPlaces {
      let text = Rectangle(x: place.x - 50, y: place.y - 12, width: 100, height: 24)
      if let text { fill(text, 0, 0xff2b_3a36, every: 3) }
    }
    return Pixels(width: columns, height: Int(Self.height), values: values)
  }
}
