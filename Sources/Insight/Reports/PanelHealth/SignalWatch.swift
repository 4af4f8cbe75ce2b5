import Glibc
import TouchModel

/// Watches a number that a panel has every day, such as its report rate, and compares the last days
/// with the weeks before.
struct SignalWatch: Sendable {
  /// A value, and the last day that it is from.
  private struct Value: Sendable {
    let day: Int
    let value: Double
    var isHigh = false
  }

  /// The least rise over the usual value.
  let rise: Double
  /// How many of the last values must be high, and of how many.
  let needed: Int
  let last: Int
  /// The least rise, in standard deviations of the values.
  private static let deviations = 6.0
  /// The usual value is that of the days this long before. A high one is above all of them, by half
  /// of the least rise.
  private static let reference = 15...104
  /// A rise is not compared with itself, until it is this old: then it is usual.
  private static let forgotten = 60
  private static let leastValues = 15
  /// A finding ends if there is no new value for so long.
  private static let staleness = 28

  private var values: [Value] = []
  /// The usual value and its standard deviation, when the last value was added.
  private var usual: (value: Double, deviation: Double)?

  struct Alarm: Hashable, Sendable {
    var since: Int
    var value: Double
    var normal: Double
    /// -ln of the probability of the last value, if values have a normal distribution.
    var evidence: Double
  }

  /// - Parameter last: as many as are needed, unless given.
  init(rise: Double, needed: Int, ofLast last: Int? = nil) {
    self.rise = rise
    self.needed = needed
    self.last = last ?? needed
  }

  mutating func add(_ value: Double, on day: Int) {
    values = values.filter { day - $0.day <= Self.reference.upperBound }
    let former = values.filter {
      day - $0.day >= Self.reference.lowerBound && (!$0.isHigh || day - $0.day > Self.forgotten)
    }.map(\.value)
    var new = Value(day: day, value: value)
    usual = nil
    if former.count >= Self.leastValues, let median = former.median,
      let deviation = former.robustDeviation
    {
      usual = (median, max(deviation, rise / Self.deviations))
      new.isHigh =
        value >= median + max(rise, Self.deviations * deviation)
        && value >= (former.max() ?? 0) + rise / 2
    }
    values.append(new)
  }

  /// The day of the first of the high values, and the last of them; nil if too few are high.
  func alarm(on day: Int) -> Alarm? {
    let high = values.suffix(last).filter(\.isHigh)
    guard let newest = high.last, let usual, isReady(on: day), high.count >= needed else {
      return nil
    }
    var (first, others) = (newest, 0)
    for value in values.reversed() {
      others = value.isHigh ? 0 : others + 1
      guard others <= last - needed else { break }
      if value.isHigh { first = value }
    }
    let distance = (newest.value - usual.value) / usual.deviation
    return Alarm(
      since: first.day, value: newest.value, normal: usual.value,
      evidence: distance * distance / 2)
  }

  /// How much the last value is above the usual one; nil if it is older than a day.
  func rise(since day: Int) -> Double? {
    guard let last = values.last, let usual, last.day >= day else { return nil }
    return last.value - usual.value
  }

  /// Whether there is an alarm, or the last value may be the first of one.
  func mayBeHigh(on day: Int) -> Bool {
    alarm(on: day) != nil || isReady(on: day) && values.last?.isHigh ?? false
  }

  /// Whether there is a new value, and enough values to compare it with.
  func isReady(on day: Int) -> Bool {
    usual != nil && values.last.map { day - $0.day <= Self.staleness } ?? false
  }
}

/// The time between two reports of a panel.
struct RateWatch: Sendable {
  /// Three quarters of an octave: the rate falls to 59 %. A value of few reports may be that of one
  /// person, so not each must be high.
  var signal = SignalWatch(rise: 0.75, needed: 3, ofLast: 5)
  /// The reports that are needed for a value.
  private static let least = 100.0
  /// Shorter intervals count as 4 ms. Some panels send a report in several frames.
  private static let fastest = 2.0
  private var gathered = Array(repeating: 0.0, count: PanelCounts.intervalBins)

  mutating func add(_ counts: PanelCounts, on day: Int) {
    for bin in gathered.indices { gathered[bin] += Double(counts[interval: bin]) }
    // Intervals in the last bin are pauses of people.
    let all = gathered.dropLast().reduce(0, +)
    guard all >= Self.least else { return }
    signal.add(max(Self.fastest, Self.quartile(gathered.dropLast(), of: all)), on: day)
    gathered = Array(repeating: 0.0, count: PanelCounts.intervalBins)
  }

  /// The logarithm to base 2 of the lower quartile of the intervals, in ms. Many contacts at once
  /// slow some panels down, which changes the long intervals first.
  private static func quartile(_ bins: ArraySlice<Double>, of all: Double) -> Double {
    var left = all / 4
    for (bin, count) in bins.enumerated() {
      guard left > count else {
        let (low, high) = (edge(bin), edge(bin + 1))
        return low + (high - low) * left / max(1, count)
      }
      left -= count
    }
    return edge(bins.count)
  }

  /// The lower edge of a bin, as a logarithm to base 2 of ms.
  private static func edge(_ bin: Int) -> Double {
    guard bin > 0 else { return -1 }
    let octave = Double((bin - 1) / 2)
    return log2(1.024) + octave + (bin % 2 == 1 ? 0 : log2(1.5))
  }
}

/// The jitter of contacts that rest, of the whole panel and of each zone. What people do in a zone
/// depends on what the screens show, so zones are compared only while the layout stays the same.
struct JitterWatch: Sendable {
  /// The logarithm of the mean square: the distance doubles, and is three times as large in a zone.
  private static let rise = log(4.0)
  private static let riseOfZone = log(9.0)
  private static let least = 200.0
  private(set) var panel = SignalWatch(rise: rise, needed: 3)
  private(set) var zones = Array(
    repeating: SignalWatch(rise: riseOfZone, needed: 4),
    count: PanelCounts.zoneColumns * PanelCounts.zoneRows)
  /// By zone, and of all zones last: reports and squares.
  private var gathered = Array(
    repeating: (reports: 0.0, squares: 0.0),
    count: PanelCounts.zoneColumns * PanelCounts.zoneRows + 1)

  /// The layout of the last day with touches, and the last one that was known.
  private var layout: String?
  private var lastKnown: String?

  mutating func add(_ counts: PanelCounts, layout: String?, on day: Int) {
    guard counts.contacts > 0 else { return }
    if layout == nil || layout != self.layout { restartZones() }
    if let layout, layout != lastKnown {
      // A finger that slides slowly looks like one that trembles, and layouts differ in how much
      // there is to slide.
      if lastKnown != nil {
        panel = SignalWatch(rise: Self.rise, needed: 3)
        gathered[zones.count] = (0, 0)
      }
      lastKnown = layout
    }
    self.layout = layout
    for zone in zones.indices {
      let reports = Double(counts[restingReports: zone])
      let squares = Double(counts[restingSquares: zone])
      for place in [zone, zones.count] {
        gathered[place].reports += reports
        gathered[place].squares += squares
      }
    }
    for place in gathered.indices where gathered[place].reports >= Self.least {
      // 10 µm: a panel without any jitter must not divide by it.
      let mean = gathered[place].squares / gathered[place].reports + 100
      if place < zones.count {
        zones[place].add(log(mean), on: day)
      } else {
        panel.add(log(mean), on: day)
      }
      gathered[place] = (0, 0)
    }
  }

  /// Whether jitter has grown in most of the zones of which that is known.
  func isEverywhere(since day: Int) -> Bool {
    let rises = zones.compactMap { $0.rise(since: day) }
    return 2 * rises.count { $0 >= Self.rise / 2 } >= rises.count
  }

  /// The zones in which jitter has grown as much as on a panel with an alarm.
  func risen(since day: Int) -> [Int] {
    zones.indices.filter { zones[$0].rise(since: day) ?? 0 >= Self.rise }
  }

  private mutating func restartZones() {
    for zone in zones.indices {
      zones[zone] = SignalWatch(rise: Self.riseOfZone, needed: 4)
      gathered[zone] = (0, 0)
    }
  }
}
