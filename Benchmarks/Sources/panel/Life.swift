import Foundation
import Reports
import TouchModel

/// The counts of a session, without the numbers that are 0.
struct SparseCounts {
  let numbers: [(index: Int, value: Int64)]

  init(_ counts: PanelCounts) {
    numbers = counts.numbers.indices.filter { counts.numbers[$0] != 0 }
      .map { ($0, counts.numbers[$0]) }
  }
}

/// How a kiosk is used.
struct Use: Hashable, Sendable {
  /// The mean number of sessions on a day.
  var sessions: Double
  /// Whether the place is closed on Sundays.
  var closesOnSundays: Bool
  var knowsLayout: Bool
  /// The share of the kiosk's sessions that touch this panel.
  var share = 1.0

  init(sessions: Double, _ dice: inout Dice) {
    self.sessions = sessions
    closesOnSundays = dice.chance(0.3)
    knowsLayout = dice.chance(0.5)
  }

  init(sessions: Double, knowsLayout: Bool) {
    (self.sessions, closesOnSundays) = (sessions, false)
    self.knowsLayout = knowsLayout
  }
}

/// The life of one panel, day by day.
struct Life {
  /// The last numbers of a panel are those of hours; see `PanelNumber`.
  private static let hours = PanelCounts.numberCount - 48

  let panel: RealPanel
  var use: Use
  /// Everything that was counted.
  private(set) var all = PanelCounts()
  private(set) var kiosk: Kiosk
  private var dice: Dice
  private var health: PanelHealth
  /// Days since 1970-01-01.
  private(set) var day = 20_000
  private var layout = 1
  private var cleanings: [SparseCounts] = []
  /// The controls' offsets without a fault, in mm.
  private var habits: [(right: Double, down: Double)] = []
  private var posture = (right: 0.0, down: 0.0)
  /// The hours in which the kiosk is used, as weights.
  private let profile: [Double]

  init(_ panel: RealPanel, _ use: Use, seed: UInt64) {
    var dice = Dice(seed)
    self.panel = panel
    self.use = use
    kiosk = Kiosk(panel, &dice)
    let opens = 7 + dice.below(4)
    profile = (0..<24).map { (opens..<(opens + 11)).contains($0) ? dice.between(0.5, 2) : 0 }
    let resolution = (x: panel.x.resolution, y: panel.y.resolution)
    health = PanelHealth(
      of: PanelKey(
        device: "panel",
        x: PanelAxis(
          minimum: panel.x.minimum, maximum: panel.x.maximum, resolution: resolution.x),
        y: PanelAxis(
          minimum: panel.y.minimum, maximum: panel.y.maximum, resolution: resolution.y)))
    self.dice = dice
    for _ in 0..<40 {
      cleanings.append(SparseCounts(Counting.counts(of: kiosk.cleaning(&self.dice), on: panel)))
    }
    makeHabits()
  }

  var findings: [PanelFinding] { health.findings }
  var unjudged: [PanelFinding.Kind] { health.unjudged }

  /// The contacts that began in each line of a direction.
  func touchDowns(_ direction: PanelCounts.Direction) -> [Double] {
    var sums = Array(repeating: 0.0, count: direction.lines)
    for row in 0..<PanelCounts.rows {
      for column in 0..<PanelCounts.columns {
        sums[direction == .vertical ? column : row] += Double(all[column: column, row: row])
      }
    }
    return sums
  }

  private mutating func makeHabits() {
    habits = kiosk.screens.flatMap(\.buttons).map { _ in
      (dice.normal(0.6), 0.8 + dice.normal(0.6))
    }
  }

  /// Makes up a session of a kind of people.
  private mutating func session(of kind: Int, _ fault: Fault?) -> SparseCounts {
    var paths = kiosk.session(of: kind, &dice)
    if let fault {
      paths = paths.flatMap { fault.changed($0, on: panel, &dice) }.filter { !$0.isEmpty }
        .sorted { $0[0].time < $1[0].time }
    }
    return SparseCounts(Counting.counts(of: paths, on: panel))
  }

  /// Shows other screens from now on.
  /// - Parameter declared: whether the tag of the build changes as well.
  mutating func changeLayout(declared: Bool) {
    kiosk = Kiosk(panel, &dice)
    if declared { layout += 1 }
    makeHabits()
  }

  /// What is wrong on a day.
  struct Trouble: Sendable {
    var fault: Fault?
    /// The displacement of all touches, in mm.
    var drift = 0.0
    /// The displacement of touches at the edges, away from the middle, in mm.
    var stretch = 0.0
    /// Contacts without a person in each of these hours.
    var ghosts: [Int: Int] = [:]
    /// The share of the usual people who come.
    var people = 1.0
    var isDead = false
  }

  /// Lives through a day.
  mutating func live(_ trouble: Trouble = Trouble()) {
    let isClosed = use.closesOnSundays && (day + 4) % 7 == 0
    let busy = use.sessions * exp(dice.normal(0.25)) * trouble.people
    let sessions = isClosed || trouble.isDead ? 0 : dice.count(busy)
    var counts = PanelCounts()
    var hours = Array(repeating: UInt64(0), count: 24)
    let kinds = (0..<Kiosk.kinds).map { _ in exp(dice.normal(0.4)) }
    var numbers = counts.numbers
    for _ in 0..<sessions {
      let hour = dice.choose(profile)
      hours[hour] += 1
      let kind = dice.choose(kinds)
      add(session(of: kind, trouble.fault), at: hour, to: &numbers)
    }
    // Somebody cleans the panel on most days, sometimes while it is used.
    if sessions > 0, dice.chance(0.6) {
      let hour = dice.chance(0.5) ? 6 : dice.choose(profile)
      hours[hour] += 1
      add(cleanings[dice.below(cleanings.count)], at: hour, to: &numbers)
    }
    for (hour, count) in trouble.ghosts.sorted(by: { $0.key < $1.key }) where count > 0 {
      hours[hour] += UInt64(1 + count / 20)
      let noise = kiosk.noise(dice.count(Double(count)), &dice)
      add(SparseCounts(Counting.counts(of: noise, on: panel, hour: hour)), at: nil, to: &numbers)
    }
    counts = PanelCounts(numbers: numbers)
    all += counts
    let touched = hours.reduce(0, +)
    if use.share < 1 {
      for _ in 0..<dice.count(busy * (1 / use.share - 1)) { hours[dice.choose(profile)] += 1 }
    }
    // Nothing tells the layout on a day without sessions.
    health.add(
      PanelDay(
        number: day, counts: counts, sessions: hours, touched: touched,
        layout: use.knowsLayout && hours.contains { $0 > 0 } ? "build \(layout)" : nil,
        offsets: offsets(sessions, trouble)))
    day += 1
  }

  private func add(_ counts: SparseCounts, at hour: Int?, to numbers: inout [Int64]) {
    for (index, value) in counts.numbers {
      guard let hour, index >= Self.hours else {
        numbers[index] += value
        continue
      }
      numbers[index < Self.hours + 24 ? Self.hours + hour : Self.hours + 24 + hour] += value
    }
  }

  /// The offsets of controls on a day, as sums of hits and near misses tell them.
  private mutating func offsets(_ sessions: Int, _ trouble: Trouble) -> [ControlOffset] {
    // How people stand changes slowly, and differs from day to day.
    posture.right = 0.98 * posture.right + dice.normal(0.02)
    posture.down = 0.98 * posture.down + dice.normal(0.02)
    let today = (right: posture.right + dice.normal(0.1), down: posture.down + dice.normal(0.1))
    let buttons = kiosk.screens.flatMap(\.buttons)
    let weight = buttons.reduce(0) { $0 + $1.weight }
    return buttons.enumerated().compactMap { index, button in
      let count = dice.count(Double(sessions) * 4 * button.weight / weight)
      guard count > 0 else { return nil }
      // Touches of one person are alike: the habit of each counts once.
      let error = (1 / Double(count) * 1.8 * 1.8 + 1 / Double(max(1, count / 2))).squareRoot()
      let across = 0.8 * trouble.drift + trouble.stretch * (2 * button.x / panel.width - 1)
      let down = 0.6 * trouble.drift + trouble.stretch * (2 * button.y / panel.height - 1)
      // Touches that land beyond 5 mm of the control are missing from its sums.
      return ControlOffset(
        control: "\(layout)/\(index)", x: button.x, y: button.y, touches: Int64(count),
        right: habits[index].right + today.right + 0.9 * across + dice.normal(error),
        down: habits[index].down + today.down + 0.9 * down + dice.normal(error),
        spread: 2.1)
    }
  }
}
