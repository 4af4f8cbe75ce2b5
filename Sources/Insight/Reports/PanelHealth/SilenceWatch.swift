import TouchModel

/// Watches for times in which nobody uses the panel although people used to at such times.
struct SilenceWatch: Sendable {
  /// The least length of a silence, in days of the usual use: a holiday of three days is shorter.
  static let leastDays = 5.0
  /// How many times the longest silence of the last year it must be.
  static let factor = 1.5
  /// -ln of the greatest probability of chance.
  static let alarm = 16.0
  private static let memory = 400
  private static let weeks = 8
  private static let leastUsed = 14

  private struct Past: Sendable {
    let number: Int
    let sessions: [Double]
    var isSilent: Bool { sessions.allSatisfy { $0 == 0 } }
    var count: Double { sessions.reduce(0, +) }
  }

  /// A time without sessions.
  private struct Run: Sendable {
    var since: Int
    /// The use of the days before, as a share of the usual use.
    var demand = 1.0
    /// Its length in days of the usual use: an hour counts as the share that it usually has.
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
  /// The silences that have ended.
  private var silences: [(end: Int, days: Double)] = []
  /// The days in a row on which sessions did not touch this panel.
  private var unused: (since: Int, sessions: Double, days: Int)?
  /// The sessions of former days and those that touched the panel, and the lengths of the times
  /// without such sessions, in days with sessions.
  private var uses: [(sessions: Double, touched: Double, days: Int)] = []

  /// Whether people use the panel often enough for a silence to mean something.
  var isReady: Bool {
    past.suffix(7 * Self.weeks).count { !$0.isSilent } >= Self.leastUsed
  }

  /// Adds a day. Days that are missing since the one before count as days without sessions.
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
    // Days without any session are not counted: they may be days on which the place is closed, but
    // a panel that has failed must not be expected to be silent.
    let same = past.filter {
      !$0.isSilent && number - $0.number <= 7 * Self.weeks && (number - $0.number) % 7 == 0
    }
    let days = Double(max(1, same.count))
    let usual =
      same.count < 2 ? 0 : same.reduce(0) { $0 + $1.count } / days
    for hour in 0..<24 {
      if sessions[hour] > 0 {
        if let run, run.days >= 0.5 { silences.append((number, run.days)) }
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

  /// The sessions of the last three days that had some, as a share of the usual number; at most 1.
  private var demand: Double {
    let counts = past.filter { !$0.isSilent }.map(\.count)
    guard let median = counts.median, median > 0 else { return 1 }
    let last = counts.suffix(3)
    return min(1, last.reduce(0, +) / Double(last.count) / median)
  }

  /// Compares the sessions of a day with those that touched the panel.
  private mutating func addUse(_ day: PanelDay) {
    // Sessions whose touches were masked may have touched it.
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

  /// The share of sessions that touch the panel.
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

  /// How much more the sessions of a day vary than by chance; at least 1.
  private var dispersion: Double {
    let counts = past.filter { !$0.isSilent }.map(\.count)
    guard let median = counts.median, let deviation = counts.robustDeviation, median > 0 else {
      return 1
    }
    return max(1, deviation * deviation / median)
  }
}
