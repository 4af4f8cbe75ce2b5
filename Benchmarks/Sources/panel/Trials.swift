import Foundation
import Reports
import TouchModel

/// A row of the result.
struct Row: Encodable {
  var what: String
  var value: Double
  var unit: String
  /// The greatest value that is good; nil if none is bad.
  var goal: Double?
}

/// Where a fault is.
struct Place: Sendable {
  var direction: PanelCounts.Direction
  var electrode: Int
  var zone: Int

  /// The lines that some electrodes are in.
  func lines(of electrodes: ClosedRange<Int>) -> ClosedRange<Int> {
    func line(_ edge: Double) -> Int {
      Int(edge / Double(Fault.electrodes(direction)) * Double(direction.lines))
    }
    return line(Double(electrodes.lowerBound) + 0.5)...line(Double(electrodes.upperBound) + 0.5)
  }
}

/// The faults that are tried, and how they are to be found.
struct FaultTrial: Sendable {
  let name: String
  let kind: PanelFinding.Kind
  let cause: PanelFinding.Cause
  /// A goal: the days within which the fault must be found, and the greatest share that may not, in
  /// percent, by the mean number of sessions on a day.
  struct Limit: Sendable {
    let sessions: Double
    let days: Int
    var missing = 5.0
  }

  let limits: [Limit]
  /// Whether it is only found while the layout is known.
  var needsLayout = false
  /// How many electrodes are broken.
  var width = 1
  /// What is wrong, so many days after the fault began.
  let trouble: @Sendable (_ day: Int, _ place: Place) -> Life.Trouble

  static let all: [FaultTrial] = lines + others

  private static let lines = [
    FaultTrial(
      name: "a dead line that splits", kind: .line, cause: .splitLine,
      limits: [Limit(sessions: 200, days: 4), Limit(sessions: 20, days: 10)],
      trouble: { _, place in
        Life.Trouble(fault: .split(place.direction, electrode: place.electrode))
      }),
    FaultTrial(
      name: "a dead line that merges", kind: .line, cause: .deadLine,
      limits: [
        Limit(sessions: 200, days: 14, missing: 25), Limit(sessions: 20, days: 60, missing: 50),
      ], needsLayout: true,
      trouble: { _, place in
        Life.Trouble(fault: .merged(place.direction, electrode: place.electrode))
      }),
    FaultTrial(
      name: "a dead line that is bridged", kind: .line, cause: .deadLine,
      limits: [
        Limit(sessions: 200, days: 7, missing: 25), Limit(sessions: 20, days: 30, missing: 40),
      ],
      trouble: { _, place in
        Life.Trouble(fault: .bridged(place.direction, electrode: place.electrode))
      }),
    FaultTrial(
      name: "a band of five dead lines", kind: .line, cause: .deadBand,
      limits: [
        Limit(sessions: 200, days: 7, missing: 10), Limit(sessions: 20, days: 30),
      ], needsLayout: true, width: 5,
      trouble: { _, place in
        Life.Trouble(fault: .band(place.direction, place.electrode...(place.electrode + 4)))
      }),
  ]

  private static let others = [
    FaultTrial(
      name: "drift of 2 mm in a month", kind: .drift, cause: .calibration,
      limits: [Limit(sessions: 200, days: 25), Limit(sessions: 20, days: 30)],
      trouble: { day, _ in Life.Trouble(drift: min(2, 2 * Double(day) / 30)) }),
    FaultTrial(
      name: "touches stretched by 2 mm at the edges", kind: .distortion, cause: .calibration,
      limits: [Limit(sessions: 200, days: 10), Limit(sessions: 20, days: 14)],
      trouble: { _, _ in Life.Trouble(stretch: 2) }),
    FaultTrial(
      name: "ghosts of a charger, at night", kind: .ghosts, cause: .power,
      limits: [Limit(sessions: 200, days: 3), Limit(sessions: 20, days: 3)],
      trouble: { _, _ in
        Life.Trouble(
          ghosts: Dictionary(
            uniqueKeysWithValues: [20, 21, 22, 23, 0, 1, 2, 3, 4, 5].map { ($0, 40) }))
      }),
    FaultTrial(
      name: "ghosts of sunlight, from 15 to 17", kind: .ghosts, cause: .sun,
      limits: [Limit(sessions: 200, days: 3), Limit(sessions: 20, days: 3)],
      trouble: { _, _ in Life.Trouble(ghosts: [15: 60, 16: 60]) }),
    FaultTrial(
      name: "ghosts of water, on some days", kind: .ghosts, cause: .water,
      limits: [Limit(sessions: 200, days: 7), Limit(sessions: 20, days: 7)],
      trouble: { day, _ in
        Life.Trouble(ghosts: day % 3 == 0 ? [(8 + day * 5) % 24: 150] : [:])
      }),
    FaultTrial(
      name: "half the report rate", kind: .rate, cause: .controller,
      limits: [Limit(sessions: 200, days: 4), Limit(sessions: 20, days: 28, missing: 15)],
      trouble: { _, _ in Life.Trouble(fault: .halfRate) }),
    FaultTrial(
      name: "jitter of 0.4 mm", kind: .jitter, cause: .power,
      limits: [Limit(sessions: 200, days: 4), Limit(sessions: 20, days: 7)],
      trouble: { _, _ in Life.Trouble(fault: .noise(0.4)) }),
    FaultTrial(
      name: "jitter of 0.6 mm in one zone", kind: .jitter, cause: .surface,
      limits: [Limit(sessions: 200, days: 10)], needsLayout: true,
      trouble: { _, place in Life.Trouble(fault: .noise(0.6, zone: place.zone)) }),
    FaultTrial(
      name: "silence", kind: .silence, cause: .absent,
      limits: [Limit(sessions: 200, days: 7), Limit(sessions: 20, days: 8)],
      trouble: { _, _ in Life.Trouble(isDead: true) }),
  ]
}

/// Runs the trials on several processors.
struct Trials: Sendable {
  let panels: [RealPanel]
  let seed: UInt64
  let isVerbose: Bool
  /// Healthy panels that have been used for 60 days, by the use and a number.
  private var young: [Use: [Life]] = [:]

  init(panels: [RealPanel], seed: UInt64, isVerbose: Bool) {
    (self.panels, self.seed, self.isVerbose) = (panels, seed, isVerbose)
  }

  /// Keeps healthy panels, for a use and the numbers from 0 on.
  mutating func keep(_ lives: [Life], for use: Use) { young[use] = lives }

  private func note(_ life: Life, _ number: Int) {
    for finding in life.findings {
      FileHandle.standardError.write(
        Data("  panel \(number), \(life.use), day \(life.day): \(finding.text)\n".utf8))
    }
  }

  /// How a fault was found.
  struct Detection: Sendable {
    /// The days until it was found at its place and with its cause; nil if that took too long.
    var days: Int?
    /// Something else that was found before, or on the same day.
    var other: String?
    /// Whether the panel's health said before that it knew too little.
    var isUnknown = false
    var text = ""
  }

  /// A healthy panel that has been used for 60 days.
  func life(_ use: Use, number: Int) -> Life {
    if let lives = young[use] { return lives[number] }
    var dice = Dice(seed &+ UInt64(number) &* 7919)
    var use = use
    use.closesOnSundays = number % 3 == 0
    var life = Life(panels[number % panels.count], use, seed: dice.next())
    for _ in 0..<60 { life.live() }
    return life
  }

  /// Chooses a place that people touch: at least half as many touches begin in each line as in the
  /// mean of all lines, and the zone has the most contacts that rest.
  private func place(_ life: Life, width: Int, _ dice: inout Dice) -> Place {
    let zones = 0..<(PanelCounts.zoneColumns * PanelCounts.zoneRows)
    let zone = zones.max { life.all[restingReports: $0] < life.all[restingReports: $1] } ?? 0
    var place = Place(direction: .vertical, electrode: 0, zone: zone)
    for _ in 0..<1000 {
      place.direction = dice.chance(0.5) ? .vertical : .horizontal
      let electrodes = Fault.electrodes(place.direction)
      place.electrode = electrodes / 8 + dice.below(electrodes * 3 / 4 - 5)
      let touchDowns = life.touchDowns(place.direction)
      let least = touchDowns.reduce(0, +) / Double(2 * touchDowns.count)
      let broken = place.electrode...(place.electrode + width - 1)
      if place.lines(of: broken).allSatisfy({ touchDowns[$0] >= least }) { break }
    }
    return place
  }

  func detect(_ trial: FaultTrial, sessions: Double, within limit: Int, number: Int) -> Detection {
    var dice = Dice(seed &+ 3_000_017 &+ UInt64(number) &* 7919)
    let isKnown = trial.needsLayout || number % 2 == 0
    var life = life(Use(sessions: sessions, knowsLayout: isKnown), number: number)
    let place = place(life, width: trial.width, &dice)
    let lines = place.lines(of: place.electrode...(place.electrode + trial.width - 1))
    var detection = Detection()
    detection.isUnknown = life.unjudged.contains(trial.kind)
    for day in 0..<limit {
      life.live(trial.trouble(day, place))
      for finding in life.findings {
        var isRight = finding.kind == trial.kind && finding.cause == trial.cause
        if let found = finding.lines {
          let near = found.lowerBound - 1...found.upperBound + 1
          isRight = isRight && finding.direction == place.direction && near.overlaps(lines)
        }
        if trial.cause == .surface { isRight = isRight && finding.zones.contains(place.zone) }
        if !isRight {
          detection.other = detection.other ?? finding.text
        } else if detection.days == nil {
          (detection.days, detection.text) = (day + 1, finding.text)
        }
      }
      if detection.days != nil { break }
    }
    return detection
  }

  /// Whether there is an alarm in 60 days whose sessions are made up as those of a fault are, without
  /// one.
  func controlAlarm(number: Int) -> Bool {
    let use = Use(sessions: number % 2 == 0 ? 200 : 20, knowsLayout: number % 4 < 2)
    var life = life(use, number: number)
    for _ in 0..<60 {
      life.live(Life.Trouble(fault: .noise(0)))
      guard life.findings.isEmpty else {
        if isVerbose { note(life, number) }
        return true
      }
    }
    return false
  }

  /// The findings of a healthy life of a number of days, each once.
  func falseAlarms(days: Int, number: Int) -> [PanelFinding.Kind: Int] {
    var dice = Dice(seed &+ 1_000_003 &+ UInt64(number) &* 104_729)
    let sessions = [10, 20, 40, 100, 20, 10, 40, 200, 20, 10][number % 10]
    var use = Use(sessions: Double(sessions), &dice)
    if number % 6 == 5 { use.share = 0.05 }
    var life = Life(panels[number % panels.count], use, seed: dice.next())
    var holiday = 0
    var alarms: [PanelFinding.Kind: Int] = [:]
    var standing: Set<PanelFinding.Kind> = []
    for day in 0..<days {
      if day > 0, day % 120 == 0 { life.changeLayout(declared: true) }
      if holiday == 0, dice.chance(1.0 / 90) { holiday = 1 + dice.below(3) }
      holiday = max(0, holiday - 1)
      life.live(holiday > 0 ? Life.Trouble(people: 0) : Life.Trouble())
      let now = Set(life.findings.map(\.kind))
      for kind in now.subtracting(standing) {
        alarms[kind, default: 0] += 1
        if isVerbose { note(life, number) }
      }
      standing = now
    }
    return alarms
  }

  /// Whether there is an alarm within 45 days after a change of the layout.
  func layoutAlarm(declared: Bool, known: Bool, number: Int) -> Bool {
    var life = life(Use(sessions: 200, knowsLayout: known), number: number)
    life.changeLayout(declared: declared)
    for _ in 0..<45 {
      life.live()
      if !life.findings.isEmpty {
        if isVerbose { note(life, number) }
        return true
      }
    }
    return false
  }

  /// Whether there is an alarm in a holiday: three days without people, and ten with few.
  func holidayAlarm(number: Int) -> Bool {
    var life = life(
      Use(sessions: number % 2 == 0 ? 200 : 20, knowsLayout: true), number: number)
    for day in 0..<30 {
      let people = (3..<6).contains(day) ? 0.0 : day < 13 ? 0.15 : 1
      life.live(Life.Trouble(people: people))
      if !life.findings.isEmpty {
        if isVerbose { note(life, number) }
        return true
      }
    }
    return false
  }

  /// The shares of crossings that skip a line in the recordings as they are: elsewhere, and on a
  /// dead line.
  struct Skips: Sendable {
    var healthy: Double
    var crossings: Double
  }

  static func skips(
    on panel: RealPanel, fault: Fault?, _ direction: PanelCounts.Direction, line: Int?
  )
    -> Skips
  {
    var dice = Dice(1)
    let paths = panel.contacts.map { path in
      path.map { Report(time: $0.time - path[0].time, x: $0.x, y: $0.y) }
    }.enumerated().flatMap { index, path in
      let later = path.map {
        Report(time: $0.time + Int64(index) * 60_000_000, x: $0.x, y: $0.y)
      }
      return fault?.changed(later, on: panel, &dice) ?? [later]
    }.filter { !$0.isEmpty }.sorted { $0[0].time < $1[0].time }
    let counts = Counting.counts(of: paths, on: panel)
    let lines = line.map { $0...$0 }
    var (crossed, skipped) = (0.0, 0.0)
    for each in lines ?? 0...(direction.lines - 1) {
      crossed += Double(counts[.crossed, direction, each])
      skipped += Double(counts[.skipped, direction, each])
    }
    return Skips(healthy: crossed > 0 ? skipped / crossed : 0, crossings: crossed)
  }
}
