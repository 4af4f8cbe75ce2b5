import Glibc
import TouchModel

/// Watches a daily value of a panel, such as its report rate, and compares the last days with the
/// weeks before.
struct SignalWatch: Sendable {
  /// A value and the last day of its data.
  private struct Value: Sendable {
    let day: Int
    let value: Double
    var isHigh = false
  }

  /// The smallest rise over the usual value that is high.
  let rise: Double
  /// There is an alarm if `needed` of the `last` values are high.
  let needed: Int
  let last: Int
  /// The smallest rise that is high, in standard deviations of the values.
  private static let deviations = 6.0
  /// The ages, in days, of the values from which the usual value is computed. A high value exceeds
  /// all of them by half of `rise`.
  private static let reference = 15...104
  /// The age in days from which high values count as usual.
  private static let forgotten = 60
  /// The minimum number of values from which the usual value is computed.
  private static let leastValues = 15
  /// The age in days of the last value at which a finding ends.
  private static let staleness = 28

  private var values: [Value] = []
  /// The usual value and its standard deviation when the last value was added; nil if too few
  /// values are known.
  private var usual: (value: Double, deviation: Double)?

  struct Alarm: Hashable, Sendable {
    var since: Int
    var value: Double
    var normal: Double
    /// The evidence for a fault: -ln of the density of the last value, relative to its maximum, if
    /// values have a normal distribution.
    var evidence: Double
  }

  /// - Parameter last: `needed` if nil.
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

  /// The alarm of a day: since the first of the high values, with the value of the last. nil if too
  /// few are high.
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

  /// The rise of the last value over the usual one; nil if the value is older than `day`.
  func rise(since day: Int) -> Double? {
    guard let last = values.last, let usual, last.day >= day else { return nil }
    return last.value - usual.value
  }

  /// Whether there is an alarm, or the last value may be the first of one.
  func mayBeHigh(on day: Int) -> Bool {
    alarm(on: day) != nil || isReady(on: day) && values.last?.isHigh ?? false
  }

  /// Whether the last value is recent and there are enough values for a comparison.
  func isReady(on day: Int) -> Bool {
    usual != nil && values.last.map { day - $0.day <= Self.staleness } ?? false
  }
}

/// Watches the time between two reports of a contact.
struct RateWatch: Sendable {
  /// Three quarters of an octave: the rate falls to 59 %. Not all values must be high, because a
  /// value of few reports may come from one person.
  var signal = SignalWatch(rise: 0.75, needed: 3, ofLast: 5)
  /// The number of reports that make a value.
  private static let least = 100.0
  /// The logarithm to base 2 of 4 ms. Shorter intervals count as 4 ms, because some panels send a
  /// report in several frames.
  private static let fastest = 2.0
  private var gathered = Array(repeating: 0.0, count: PanelCounts.intervalBins)

  mutating func add(_ counts: PanelCounts, on day: Int) {
    for bin in gathered.indices { gathered[bin] += Double(counts[interval: bin]) }
    // The last bin has the pauses of people.
    let all = gathered.dropLast().reduce(0, +)
    guard all >= Self.least else { return }
    signal.add(max(Self.fastest, Self.quartile(gathered.dropLast(), of: all)), on: day)
    gathered = Array(repeating: 0.0, count: PanelCounts.intervalBins)
  }

  /// The logarithm to base 2 of the lower quartile of the intervals, in ms. Many simultaneous
  /// contacts slow some panels down, which affects the long intervals first.
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

/// Watches the jitter of resting contacts, of the whole panel and of each zone. The use of a zone
/// depends on the content of the screens, so zones are compared only while the layout stays the
/// same.
struct JitterWatch: Sendable {
  /// The rise of the logarithm of the mean square that is high: the distance doubles, or in a zone
  /// trebles.
  private static let rise = log(4.0)
  private static let riseOfZone = log(9.0)
  /// The number of reports that make a value.
  private static let least = 200.0
  /// The mean square in µm², 10 µm squared, that is added to each value, so that a panel without
  /// jitter does not cause a division by 0.
  private static let floor = 100.0
  private(set) var panel = SignalWatch(rise: rise, needed: 3)
  private(set) var zones = Array(
    repeating: SignalWatch(rise: riseOfZone, needed: 4),
    count: PanelCounts.zoneColumns * PanelCounts.zoneRows)
  /// The reports and the sum of squares by zone; the last element is for all zones.
  private var gathered = Array(
    repeating: (reports: 0.0, squares: 0.0),
    count: PanelCounts.zoneColumns * PanelCounts.zoneRows + 1)

  /// The layout of the last day with touches, and the last known layout.
  private var layout: String?
  private var lastKnown: String?

  mutating func add(_ counts: PanelCounts, layout: String?, on day: Int) {
    guard counts.contacts > 0 else { return }
    if layout == nil || layout != self.layout { restartZones() }
    if let layout, layout != lastKnown {
      // Slow sliding looks like jitter, and layouts differ in how much people slide.
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
      let mean = gathered[place].squares / gathered[place].reports + Self.floor
      if place < zones.count {
        zones[place].add(log(mean), on: day)
      } else {
        panel.add(log(mean), on: day)
      }
      gathered[place] = (0, 0)
    }
  }

  /// Whether jitter has grown in most of the zones with a known change.
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
