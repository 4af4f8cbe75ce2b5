import Glibc
import TouchModel

/// Watches the lines of one direction for two signs of a fault: swipes that skip a line, and
/// fingers that become two contacts on it (pairs). Neither depends on the content of the screens.
struct LineWatch: Sendable {
  /// The lowest assumed share of crossings that skip a line: for a healthy line, and for a broken
  /// one.
  static let healthySkips = 0.01
  static let faultySkips = 0.2
  /// The lowest assumed share of pairs among the touches of a line: for a healthy line, and for a
  /// broken one.
  static let healthyPairs = 0.01
  static let faultyPairs = 0.5

  /// The highest assumed share of skips, for a healthy line and for a broken one.
  private static let (highestHealthySkips, highestFaultySkips) = (0.6, 0.9)
  /// The smallest ratio of the share of skips of a broken line to that of a healthy one.
  private static let faultyRatio = 4.0
  /// Lines with fewer crossings are not used for the usual share.
  private static let leastCrossings = 20.0
  /// With fewer crossings of the other lines on a day, their share of skips is not used.
  private static let leastCrossingsOfOthers = 50.0
  /// The assumed skips and crossings of a line before the first day.
  private static let (priorSkips, priorCrossings) = (0.5, 50.0)
  /// The healthy share of a line, as a multiple of its own share before, and of that beside it.
  private static let (ratioToOwn, ratioToBeside) = (2.0, 1.5)
  /// The largest distance of the lines beside a line, in lines, for skips and for pairs.
  private static let (skipsReach, pairsReach) = (6, 5)
  /// The assumed crossings of the lines beside a line before the first day, without a skip.
  private static let priorCrossingsBeside = 20.0
  /// The assumed pairs of a line before the first day, and the days in which they occurred.
  private static let (priorPairs, priorDays) = (0.5, 10.0)
  /// The healthy number of pairs, as a multiple of the usual number.
  private static let ratioToUsualPairs = 2.0
  /// The highest assumed ratio of a day's touches to those of a mean day.
  private static let busiest = 5.0
  /// The evidence of pairs that each day removes. Otherwise the few pairs of a year would add up
  /// where people touch little.
  private static let fading = 0.15

  let direction: PanelCounts.Direction
  private(set) var skips: [Evidence]
  private(set) var pairs: [Evidence]
  /// The crossings of each line, and the skips among them. Days with an alarm are left out, so that
  /// a broken line does not become usual.
  private var crossed: [Double]
  private var skipped: [Double]
  /// For each line, the crossings and skips since its evidence of skips began.
  private var suspect: [(crossed: Double, skipped: Double)]
  /// For each line, the crossings and skips of the last weeks, fading by `memory`.
  private var recent: (crossed: [Double], skipped: [Double])
  /// The factor by which `recent` fades each day.
  private static let memory = 0.9
  /// The days with touches.
  private var days = 0.0
  /// The touches of each line, and the pairs among them. During an alarm, the line's mean of pairs
  /// is added instead of the day's.
  private var landed: [Double]
  private var paired: [Double]

  init(_ direction: PanelCounts.Direction) {
    self.direction = direction
    skips = Array(repeating: Evidence(), count: direction.lines)
    pairs = skips
    let none = Array(repeating: 0.0, count: direction.lines)
    (crossed, skipped, landed, paired) = (none, none, none, none)
    recent = (none, none)
    suspect = Array(repeating: (0, 0), count: direction.lines)
  }

  mutating func add(_ counts: PanelCounts, touchDowns: [Double], on day: Int) {
    let crossed = counts.lines(.crossed, direction).map(Double.init)
    let skipped = counts.lines(.skipped, direction).map(Double.init)
    let paired = counts.lines(.pairs, direction).map(Double.init)
    watchSkips(crossed, skipped, on: day)
    watchPairs(touchDowns, paired, on: day)
    for line in 0..<direction.lines {
      suspect[line] =
        skips[line].since == nil
        ? (0, 0) : (suspect[line].crossed + crossed[line], suspect[line].skipped + skipped[line])
      if !skips[line].isAlarm {
        self.crossed[line] += crossed[line]
        self.skipped[line] += skipped[line]
      }
      landed[line] += touchDowns[line]
      self.paired[line] +=
        pairs[line].isAlarm ? self.paired[line] / max(1, days) : paired[line]
    }
  }

  private mutating func watchSkips(_ crossed: [Double], _ skipped: [Double], on day: Int) {
    let all = (crossed: crossed.reduce(0, +), skipped: skipped.reduce(0, +))
    guard all.crossed > 0 else { return }
    defer {
      for line in 0..<direction.lines {
        recent.crossed[line] = Self.memory * (recent.crossed[line] + crossed[line])
        recent.skipped[line] = Self.memory * (recent.skipped[line] + skipped[line])
      }
    }
    let usual =
      zip(self.crossed, self.skipped).filter { $0.0 >= Self.leastCrossings }.map { $1 / $0 }.median
      ?? 0
    for line in 0..<direction.lines where crossed[line] > 0 {
      // Wet fingers skip on all lines, so also compare with the other lines of the same day.
      let near = around(line, 1)
      let others = all.crossed - near.reduce(0) { $0 + crossed[$1] }
      let today =
        others >= Self.leastCrossingsOfOthers
        ? (all.skipped - near.reduce(0) { $0 + skipped[$1] }) / others : 0
      // An app may have faster swipes in one place than in others.
      let own =
        Self.ratioToOwn * (self.skipped[line] + Self.priorSkips)
        / (self.crossed[line] + Self.priorCrossings)
      let beside = around(line, Self.skipsReach).filter { abs($0 - line) > 1 }
      let passed = beside.reduce(Self.priorCrossingsBeside) {
        $0 + recent.crossed[$1] + crossed[$1]
      }
      let jumped = beside.reduce(0) { $0 + recent.skipped[$1] + skipped[$1] }
      let healthy = min(
        Self.highestHealthySkips,
        max(Self.healthySkips, usual, today, own, Self.ratioToBeside * jumped / passed))
      let faulty = max(
        Self.faultySkips, min(Self.highestFaultySkips, Self.faultyRatio * healthy))
      let kept = crossed[line] - skipped[line]
      skips[line].add(
        skipped[line] * log(faulty / healthy) + kept * log((1 - faulty) / (1 - healthy)), on: day)
    }
  }

  private mutating func watchPairs(_ touchDowns: [Double], _ paired: [Double], on day: Int) {
    let touches = touchDowns.reduce(0, +)
    guard touches > 0 else { return }
    let all = (touches: landed.reduce(0, +), pairs: self.paired.reduce(0, +))
    let today = paired.reduce(0, +)
    days += 1
    for line in 0..<direction.lines {
      let near = around(line, 1)
      let count = near.reduce(0) { $0 + touchDowns[$1] } / Double(near.count)
      let close = around(line, 2).reduce(0) { $0 + paired[$1] }
      // Two fingers of a person may begin close to each other, and more often in a map than in a
      // row of buttons. They spread over several lines, whereas a broken line is narrow.
      let beside = around(line, Self.pairsReach)
      let before =
        [
          all.pairs / Double(direction.lines), self.paired[line],
          beside.reduce(0) { $0 + self.paired[$1] } / Double(beside.count),
        ].max() ?? 0
      let busy = all.touches > 0 ? min(Self.busiest, touches * (days - 1) / all.touches) : 1
      let usual =
        Self.ratioToUsualPairs * (before + Self.priorPairs) / (days - 1 + Self.priorDays) * busy
      let others = max(0, today - close) / Double(direction.lines)
      let healthy = max(usual, Self.ratioToUsualPairs * others, Self.healthyPairs * count)
      let faulty = healthy + Self.faultyPairs * count
      pairs[line].add(
        paired[line] * log(faulty / healthy) - Self.faultyPairs * count - Self.fading, on: day)
    }
  }

  /// The lines at most `distance` away.
  private func around(_ line: Int, _ distance: Int) -> ClosedRange<Int> {
    max(0, line - distance)...min(direction.lines - 1, line + distance)
  }

  /// The evidence of skips or of pairs of a line, whichever is greater.
  func evidence(of line: Int) -> Evidence {
    skips[line].value >= pairs[line].value ? skips[line] : pairs[line]
  }

  /// The crossings and skips of some lines since their evidence of skips began.
  func crossings(of lines: ClosedRange<Int>) -> (skipped: Double, crossed: Double) {
    (suspect[lines].reduce(0) { $0 + $1.skipped }, suspect[lines].reduce(0) { $0 + $1.crossed })
  }

  /// Whether half of the lines have enough crossings for a broken one to be found.
  var isReady: Bool { missing == 0 }

  /// The minimum number of swipes that are missing until `isReady`, if each crosses all lines.
  var missing: Int {
    let half = crossed.sorted(by: >)[(direction.lines + 1) / 2 - 1]
    return Int(max(0, Self.leastCrossings - half).rounded(.up))
  }
}
