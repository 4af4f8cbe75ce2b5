import TouchModel

/// Watches for periods without use at times when people used to use the panel.
struct SilenceWatch: Sendable {
  /// The shortest silence that is reported, in days of usual use. A holiday of three days is
  /// shorter.
  static let leastDays = 5.0
  /// The smallest ratio of a silence to the longest one of the last year.
  static let factor = 1.5
  /// The smallest evidence for an alarm: -ln of the probability of chance.
  static let alarm = 16.0
  /// The number of days that are remembered.
  private static let memory = 400
  /// The number of weeks from which the usual use is computed, and the minimum number of days with
  /// sessions for a judgement.
  private static let (weeks, leastUsed) = (8, 14)
  /// The shortest period without sessions that is remembered, in days of usual use.
  private static let leastSilence = 0.5
  /// The number of days with sessions from which `demand` is computed.
  private static let demandDays = 3

  private struct Past: Sendable {
    let number: Int
    let sessions: [Double]
    var isSilent: Bool { sessions.allSatisfy { $0 == 0 } }
    var count: Double { sessions.reduce(0, +) }
  }

  /// A period without sessions.
  private struct Run: Sendable {
    var since: Int
    /// The use on the days before the period, as a share of the usual use.
    var demand = 1.0
    /// The length in days of usual use: an hour counts as its usual share of a day.
    var days = 0.0
    /// The sessions that were expected.
    var expected = 0.0
  }

  struct Alarm: Hashable, Sendable {
    var since: Int
    var expected: Double
    var evidence: Double
  }

  private var past: [Past] = []
  private var run: Run?
  /// The past silences: their last day and their length in days of usual use.
  private var silences: [(end: Int, days: Double)] = []
  /// The latest days in a row on which no session touched this panel.
  private var unused: (since: Int, sessions: Double, days: Int)?
  /// Of the earlier days: the number of sessions, the number of sessions that touched the panel, and
  /// the lengths of periods without such sessions, in days with sessions.
  private var uses: [(sessions: Double, touched: Double, days: Int)] = []

  /// Whether people use the panel often enough for a silence to be significant.
  var isReady: Bool {
    past.suffix(7 * Self.weeks).count { !$0.isSilent } >= Self.leastUsed
  }

  /// Adds a day. Missing days before it count as days without sessions.
  mutating func add(_ day: PanelDay) {
    if let last = past.last?.number, day.number - last > 1 {
      for number in max(last + 1, day.number - Self.memory)..<day.number {
        add(number, Array(repeating: 0, count: 24), hoursOver: 24)
      }
    }
    add(day.number, day.sessions.map { Double($0) }, hoursOver: day.hoursOver)
    addUse(day)
  }

  private mutating func add(_ number: Int, _ sessions: [Double], hoursOver: Int) {
    // Leave out days without sessions. The place may have been closed; and a failed panel must not
    // lower the expectation.
    let same = past.filter {
      !$0.isSilent && number - $0.number <= 7 * Self.weeks && (number - $0.number) % 7 == 0
    }
    let days = Double(max(1, same.count))
    let usual =
      same.count < 2 ? 0 : same.reduce(0) { $0 + $1.count } / days
    for hour in 0..<24 {
      if sessions[hour] > 0 {
        if let run, run.days >= Self.leastSilence { silences.append((number, run.days)) }
        run = nil
      } else if hour < hoursOver {
        var next = run ?? Run(since: number, demand: demand)
        if usual >= 1 {
          let expected = next.demand * same.reduce(0) { $0 + $1.sessions[hour] } / days
          next.expected += expected
          next.days += expected / usual
        }
        run = next
      }
    }
    past.append(Past(number: number, sessions: sessions))
    past.removeAll { number - $0.number > Self.memory }
    silences.removeAll { number - $0.end > Self.memory }
  }

  /// The mean of the last `demandDays` with sessions, as a share of the median; at most 1.
  private var demand: Double {
    let counts = past.filter { !$0.isSilent }.map(\.count)
    guard let median = counts.median, median > 0 else { return 1 }
    let last = counts.suffix(Self.demandDays)
    return min(1, last.reduce(0, +) / Double(last.count) / median)
  }

  /// Compares the sessions of a day with those that touched the panel.
  private mutating func addUse(_ day: PanelDay) {
    // Subtract the masked touches: their sessions may have touched the panel.
    let sessions = max(0, day.sessions.reduce(0.0) { $0 + Double($1) } - Double(day.masked))
    let known = day.touched.map { Double($0) } ?? (day.counts.contacts > 0 ? 1 : nil)
    guard let touched = known else { return }
    guard touched == 0 else {
      if let unused { uses.append((unused.sessions, 0, unused.days)) }
      uses.append((max(sessions, touched), touched, 0))
      if uses.count > Self.memory { uses.removeFirst() }
      unused = nil
      return
    }
    guard sessions > 0 else { return }
    let former = unused ?? (day.number, 0, 0)
    unused = (former.since, former.sessions + sessions, former.days + 1)
  }

  /// The share of sessions that usually touch the panel.
  private var usedShare: Double {
    uses.reduce(0) { $0 + $1.touched } / max(1, uses.reduce(0) { $0 + $1.sessions })
  }

  /// The alarm for sessions that touch only other panels.
  private var unusedAlarm: Alarm? {
    guard let unused, uses.count >= Self.leastUsed else { return nil }
    let share = usedShare
    let missing = share * unused.sessions
    let scatter =
      uses.reduce(0) { sum, use in
        let expected = share * use.sessions
        return sum + (use.touched - expected) * (use.touched - expected) / max(1e-9, expected)
      } / Double(uses.count)
    let longest = uses.reduce(1) { max($0, $1.days) }
    let evidence = missing / max(1, scatter)
    guard Double(unused.days) > Self.factor * Double(longest), evidence >= Self.alarm else {
      return nil
    }
    return Alarm(since: unused.since, expected: missing, evidence: evidence)
  }

  var alarm: Alarm? {
    if let unusedAlarm { return unusedAlarm }
    guard let run, run.days >= Self.leastDays else { return nil }
    let longest = silences.reduce(0) { max($0, $1.days) }
    let evidence = run.expected / dispersion
    guard run.days > Self.factor * longest, evidence >= Self.alarm else { return nil }
    return Alarm(since: run.since, expected: run.expected, evidence: evidence)
  }

  /// The ratio of the variance of the daily sessions to that of a Poisson distribution; at least 1.
  private var dispersion: Double {
    let counts = past.filter { !$0.isSilent }.map(\.count)
    guard let median = counts.median, let deviation = counts.robustDeviation, median > 0 else {
      return 1
    }
    return max(1, deviation * deviation / median)
  }
}
