import Glibc
import TouchModel

/// Watches false contacts: contacts that are too short for a finger, and suspected ghosts. A day's
/// count is the number of both.
struct GhostWatch: Sendable {
  /// The smallest count of a day that is reported.
  static let least = 20.0
  /// The smallest ratio of a day's count to the usual count that is reported.
  static let factor = 5.0
  /// The smallest excess that is reported, in standard deviations of the days before.
  private static let deviations = 6.0
  /// The ages of the days from which the usual count is computed, and their minimum number.
  private static let reference = 15...104
  private static let leastDays = 10
  /// The age in days from which days with too many false contacts count as usual.
  private static let forgotten = 60
  /// The days in which two must have too many false contacts.
  private static let window = 7

  private struct Past: Sendable {
    let day: Int
    /// The false contacts by hour of the kiosk's clock.
    let hours: [Double]
    /// The suspected ghosts, including those outside of sessions.
    let ghosts: Double
    let contacts: Double
    let count: Double
    var isHigh = false
  }

  struct Alarm: Hashable, Sendable {
    var since: Int
    var cause: PanelFinding.Cause
    /// The mean count of the days with too many, and the usual count.
    var count: Double
    var normal: Double
    /// The fewest hours of the kiosk's clock that contain `busyShare` of the false contacts.
    var hours: [Int]
    var evidence: Double
  }

  private var past: [Past] = []
  /// The usual count and its standard deviation, on the last day; nil if too few days are known.
  private var usual: (count: Double, deviation: Double)?

  /// Whether there are enough days for a comparison.
  var isReady: Bool { usual != nil }

  mutating func add(_ day: PanelDay) {
    let hours = (0..<24).map { hour in
      let utc = ((hour - day.hoursAhead) % 24 + 24) % 24
      return Double(day.counts[shortIn: utc] + day.counts[ghostsIn: utc])
    }
    let stray = day.strayGhosts.values.reduce(0) { $0 + Double($1) }
    var new = Past(
      day: day.number, hours: hours,
      ghosts: stray + (0..<24).reduce(0) { $0 + Double(day.counts[ghostsIn: $1]) },
      contacts: Double(day.counts.contacts), count: stray + hours.reduce(0, +))
    past = past.filter { day.number - $0.day <= Self.reference.upperBound }
    let former = past.filter {
      let age = day.number - $0.day
      return age >= Self.reference.lowerBound && (!$0.isHigh || age > Self.forgotten)
    }
    usual = nil
    if former.count >= Self.leastDays {
      let contacts = former.reduce(0) { $0 + $1.contacts }
      let share = former.reduce(0) { $0 + $1.count } / max(1, contacts)
      let normal = max(1, share * max(new.contacts, contacts / Double(former.count)))
      let deviation = max(normal.squareRoot(), former.map(\.count).robustDeviation ?? 0)
      usual = (normal, deviation)
      let most = max(Self.least, Self.factor * normal, normal + Self.deviations * deviation)
      new.isHigh = new.count >= most
    }
    past.append(new)
  }

  func alarm(on day: Int) -> Alarm? {
    let high = past.filter(\.isHigh)
    let latest = high.filter { $0.day > day - Self.window }
    guard latest.count >= 2, let last = latest.last, let usual else { return nil }
    // The first day of the latest series of such days without a gap of `window` days.
    var since = last.day
    for each in high.reversed() where since - each.day < Self.window { since = each.day }
    let count = latest.reduce(0) { $0 + $1.count } / Double(latest.count)
    let hours = (0..<24).map { hour in latest.reduce(0) { $0 + $1.hours[hour] } }
    return Alarm(
      since: since, cause: cause(latest), count: count, normal: usual.count,
      hours: Self.busy(hours),
      evidence: Self.surprise(count, over: usual.count) * usual.count
        / (usual.deviation * usual.deviation))
  }

  /// -ln of Chernoff's bound on the probability of this count or a higher one, if counts have a
  /// Poisson distribution.
  private static func surprise(_ count: Double, over mean: Double) -> Double {
    count > mean ? count * log(count / mean) - (count - mean) : 0
  }

  /// The share of the false contacts that the hours of an alarm contain.
  private static let busyShare = 0.75
  /// The largest number of such hours of a day for a cause that passes: water or sunlight.
  private static let mostPassingHours = 5.0
  /// The hours of the kiosk's clock in which the sun may shine.
  private static let daylight = 6...20

  /// The fewest hours that contain `busyShare` of the sum.
  private static func busy(_ hours: [Double]) -> [Int] {
    let all = hours.reduce(0, +)
    var (chosen, sum): ([Int], Double) = ([], 0)
    for hour in hours.indices.sorted(by: { (hours[$1], $0) < (hours[$0], $1) })
    where sum < busyShare * all {
      chosen.append(hour)
      sum += hours[hour]
    }
    return chosen.sorted()
  }

  private func cause(_ days: [Past]) -> PanelFinding.Cause {
    let all = days.reduce(0) { $0 + $1.count }
    if days.reduce(0, { $0 + $1.ghosts }) > all / 2 { return .controller }
    let typical = days.map { Double(Self.busy($0.hours).count) }.median ?? 24
    // Electrical noise lasts as long as the charger is in use; water and sunlight pass.
    if typical > Self.mostPassingHours { return .power }
    let together = (0..<24).map { hour in days.reduce(0) { $0 + $1.hours[hour] } }
    let busy = Self.busy(together)
    // The hours form one span if they leave out at most one hour between them.
    let isOneSpan = (busy.last ?? 0) - (busy.first ?? 0) <= busy.count
    let isDaylight = busy.allSatisfy(Self.daylight.contains)
    let isDaily = days.count >= 2 && Double(busy.count) <= typical + 2
    return isDaily && isOneSpan && isDaylight ? .sun : .water
  }
}
