internal import Glibc
public import TouchModel

/// Judges the health of a panel from its counts of each day. `docs/panel-rules.md` has the rules
/// and their error rates.
public struct PanelHealth: Sendable {
  /// The smallest evidence of skips or pairs that supports another finding.
  private static let support = 8.0

  let panel: PanelKey
  private var lines = PanelCounts.Direction.allCases.map(LineWatch.init)
  /// The number of crossings by day, direction and line, for the last days with touches.
  private var crossed: [[[Int64]]] = []
  /// The number of days before a window on which lines must have been crossed, for their lack of
  /// crossings to count.
  private static let daysBefore = 28
  private var touchDowns = TouchDownWatch()
  private var drift = DriftWatch()
  private var jitter = JitterWatch()
  private var rate = RateWatch()
  private var ghosts = GhostWatch()
  private var silence = SilenceWatch()
  /// The last day that was added.
  public private(set) var day: Int?

  /// - Parameter panel: the panel whose days will be added.
  public init(of panel: PanelKey) { self.panel = panel }

  /// Adds the next day. A missing day counts as a day without use. Leave out days in the future,
  /// which a wrong clock can cause.
  /// - Precondition: the day is later than all added days.
  public mutating func add(_ day: PanelDay) {
    precondition(self.day.map { $0 < day.number } ?? true)
    self.day = day.number
    let landed = PanelCounts.Direction.allCases.map { day.counts.touchDowns($0).map(Double.init) }
    for direction in PanelCounts.Direction.allCases {
      let index = direction.rawValue
      lines[index].add(day.counts, touchDowns: landed[index], on: day.number)
    }
    if day.counts.contacts > 0 {
      crossed.append(PanelCounts.Direction.allCases.map { day.counts.lines(.crossed, $0) })
      crossed = Array(crossed.suffix(Self.daysBefore + (TouchDownWatch.windows.max() ?? 0)))
      let (crossed, lines) = (crossed, lines)
      touchDowns.add(
        landed, layout: day.layout, on: day.number,
        isPlausible: { group in
          day.layout != nil || Self.supports(group, lines[group.direction.rawValue])
        },
        isUncrossed: { direction, group, window in
          let days = crossed.map { $0[direction.rawValue] }
          return Self.isUncrossed(group, days.suffix(window))
            && Self.wasCrossed(group, days.dropLast(window).suffix(Self.daysBefore))
        })
    }
    drift.add(day.offsets, on: day.number)
    jitter.add(day.counts, layout: day.layout, on: day.number)
    rate.add(day.counts, on: day.number)
    ghosts.add(day)
    silence.add(day)
  }

  /// Whether skips or pairs support the suspicion that a group of lines is broken.
  private static func supports(_ group: TouchDownWatch.Group, _ watch: LineWatch) -> Bool {
    let last = group.direction.lines - 1
    let around = max(0, group.lines.lowerBound - 1)...min(last, group.lines.upperBound + 1)
    return around.contains {
      let evidence = watch.evidence(of: $0)
      return evidence.value >= support && evidence.since.map { $0 >= group.since - 2 } ?? false
    }
  }

  /// The distance, in lines, of the lines on both sides of a group with which its crossings are
  /// compared, and the minimum number of their crossings.
  private static let (besideDistance, leastBeside) = (3, Int64(10))

  /// Whether swipes cross the lines on both sides of `lines`, but each of `lines` less than a fifth
  /// as often.
  /// - Parameter crossed: the crossings of each line, by day.
  private static func isUncrossed(_ lines: ClosedRange<Int>, _ crossed: ArraySlice<[Int64]>) -> Bool
  {
    guard lines.count > 1, let (own, beside) = crossings(of: lines, crossed) else { return false }
    return own.allSatisfy { 5 * $0 < beside }
  }

  /// Whether each of `lines` was crossed at least half as often as the lines on both sides.
  private static func wasCrossed(_ lines: ClosedRange<Int>, _ crossed: ArraySlice<[Int64]>) -> Bool
  {
    guard let (own, beside) = crossings(of: lines, crossed) else { return false }
    return own.allSatisfy { 2 * $0 >= beside }
  }

  /// The crossings of each of `lines`, and the lower of the counts `besideDistance` away on both
  /// sides; nil if `lines` are at an edge or that count is below `leastBeside`.
  private static func crossings(
    of lines: ClosedRange<Int>, _ crossed: ArraySlice<[Int64]>
  ) -> (own: [Int64], beside: Int64)? {
    func sum(_ line: Int) -> Int64 { crossed.reduce(0) { $0 + $1[line] } }
    guard let count = crossed.first?.count, lines.lowerBound >= besideDistance,
      lines.upperBound + besideDistance < count
    else { return nil }
    let beside = min(
      sum(lines.lowerBound - besideDistance), sum(lines.upperBound + besideDistance))
    return beside >= leastBeside ? (lines.map(sum), beside) : nil
  }

  /// The kinds of findings for which the last added day has too few counts. The absence of such a
  /// finding does not show that the panel is healthy.
  public var unjudged: [PanelFinding.Kind] {
    guard let day else { return PanelFinding.Kind.allCases }
    let found = Set(findings.map(\.kind))
    return PanelFinding.Kind.allCases.filter { kind in
      let isReady =
        switch kind {
        case .line: touchDowns.isReady || lines.allSatisfy(\.isReady)
        case .drift: drift.isReady.shift
        case .distortion: drift.isReady.distortion
        case .jitter: jitter.panel.isReady(on: day)
        case .rate: rate.signal.isReady(on: day)
        case .ghosts: ghosts.isReady
        case .silence: silence.isReady
        }
      return !isReady && !found.contains(kind)
    }
  }

  /// The minimum number of swipes that are missing until dead lines can be found.
  public var neededSwipes: Int { lines.map(\.missing).max() ?? 0 }

  /// The findings on the last added day, the most certain first.
  public var findings: [PanelFinding] {
    guard let day else { return [] }
    let all =
      lineFindings
      + [
        drift.shift.map(finding(shift:)), drift.distortion.map(finding(distortion:)),
        rate.signal.alarm(on: day).map(finding(rate:)), jitterFinding(on: day),
        ghostFinding(on: day), silence.alarm.map(finding(silence:)),
      ].compactMap(\.self)
    return all.sorted { $0.evidence > $1.evidence }
  }
}

/// Findings about lines.
extension PanelHealth {
  /// Lines that may have the same fault.
  private struct Fault {
    let direction: PanelCounts.Direction
    var lines: ClosedRange<Int>
    var since: Int
    var evidence: Double
    /// Whether fingers on the lines become two contacts.
    var splits = false
    var touchDowns: TouchDownWatch.Group?

    /// - Parameter next: an adjacent fault that does not begin before this one.
    func joined(to next: Fault) -> Fault {
      let last = max(lines.upperBound, next.lines.upperBound)
      return Fault(
        direction: direction, lines: lines.lowerBound...last, since: min(since, next.since),
        evidence: max(evidence, next.evidence), splits: splits || next.splits,
        touchDowns: touchDowns ?? next.touchDowns)
    }
  }

  /// The minimum number of adjacent lines of a dead band. A smaller number is enough if no pairs
  /// occur and the ratio of touches to expected touches is below `bandRatio`.
  private static let (leastOfBand, leastOfUntouchedBand, bandRatio) = (5, 3, 0.35)

  private var lineFindings: [PanelFinding] { faults.map(finding(lines:)) }

  /// All lines with an alarm. Adjacent ones are joined.
  private var faults: [Fault] { PanelCounts.Direction.allCases.flatMap(faults(in:)) }

  private func faults(in direction: PanelCounts.Direction) -> [Fault] {
    let parts = lineFaults(in: direction) + touchDownFaults(in: direction)
    var joined: [Fault] = []
    for part in parts.sorted(by: { $0.lines.lowerBound < $1.lines.lowerBound }) {
      if let last = joined.last, part.lines.lowerBound <= last.lines.upperBound + 2 {
        joined[joined.count - 1] = last.joined(to: part)
      } else {
        joined.append(part)
      }
    }
    return joined
  }

  private func lineFaults(in direction: PanelCounts.Direction) -> [Fault] {
    let watch = lines[direction.rawValue]
    return (0..<direction.lines).compactMap { line in
      let evidence = watch.evidence(of: line)
      guard evidence.isAlarm, let since = evidence.since else { return nil }
      return Fault(
        direction: direction, lines: line...line, since: since, evidence: evidence.value,
        splits: watch.pairs[line].value >= Self.support)
    }
  }

  private func touchDownFaults(in direction: PanelCounts.Direction) -> [Fault] {
    let watch = lines[direction.rawValue]
    return touchDowns.groups.filter { $0.direction == direction }.map { group in
      let around =
        max(0, group.lines.lowerBound - 2)...min(direction.lines - 1, group.lines.upperBound + 2)
      return Fault(
        direction: direction, lines: group.lines, since: group.since, evidence: group.evidence,
        splits: around.contains { watch.pairs[$0].value >= Self.support }, touchDowns: group)
    }
  }

  private func finding(lines fault: Fault) -> PanelFinding {
    let isBand =
      fault.lines.count >= Self.leastOfBand
      || fault.lines.count >= Self.leastOfUntouchedBand && !fault.splits
        && (fault.touchDowns?.ratio ?? 1) < Self.bandRatio
    let axis = fault.direction == .vertical ? panel.x : panel.y
    let place = PanelWords.place(fault.lines, fault.direction, axis: axis)
    let counts = lines[fault.direction.rawValue].crossings(of: fault.lines)
    var text = "Since \(DateText.of(fault.since)), the panel senses badly \(place)"
    if fault.splits {
      text += ": fingers there become two contacts."
    } else if let group = fault.touchDowns {
      text += ": only \(PanelWords.percent(group.ratio)) of the expected touches begin there."
    } else {
      text +=
        ": \(Int(counts.skipped)) of \(Int(counts.crossed)) swipes across it jumped over it."
    }
    text +=
      isBand
      ? " Several adjacent electrodes are broken or covered: look for a crack, a loose connector, or "
        + "something on the glass."
      : " An electrode or its connection is broken."
    return PanelFinding(
      kind: .line, cause: isBand ? .deadBand : fault.splits ? .splitLine : .deadLine,
      direction: fault.direction, lines: fault.lines, since: fault.since,
      evidence: fault.evidence, text: text)
  }
}

/// Findings that are not about lines.
extension PanelHealth {
  /// The smallest movement in one direction that the text of a finding mentions, in mm.
  private static let leastMovement = 0.2

  private func finding(shift: DriftWatch.Shift) -> PanelFinding {
    var ways: [String] = []
    if abs(shift.right) >= Self.leastMovement {
      ways.append("\(PanelWords.tenths(abs(shift.right))) mm \(shift.right > 0 ? "right" : "left")")
    }
    if abs(shift.down) >= Self.leastMovement {
      ways.append("\(PanelWords.tenths(abs(shift.down))) mm \(shift.down > 0 ? "down" : "up")")
    }
    return PanelFinding(
      kind: .drift, cause: .calibration, since: shift.since, evidence: shift.evidence,
      text:
        "Since \(DateText.of(shift.since)), the touches of \(shift.controls) controls have moved "
        + "\(ways.joined(separator: " and ")). The panel or the kiosk has moved, or the panel "
        + "needs to be calibrated.")
  }

  private func finding(distortion: DriftWatch.Shift) -> PanelFinding {
    PanelFinding(
      kind: .distortion, cause: .calibration, since: distortion.since,
      evidence: distortion.evidence,
      text:
        "Since \(DateText.of(distortion.since)), the touches of \(distortion.controls) controls "
        + "have moved apart, together or around, by \(PanelWords.tenths(distortion.size)) mm on "
        + "average. The panel needs to be calibrated.")
  }

  private func finding(rate: SignalWatch.Alarm) -> PanelFinding {
    let (now, before) = (1000 / exp2(rate.value), 1000 / exp2(rate.normal))
    return PanelFinding(
      kind: .rate, cause: .controller, since: rate.since,
      evidence: rate.evidence,
      text: "Since \(DateText.of(rate.since)), the panel reports moving fingers "
        + "\(PanelWords.tenths(now)) times a second; it used to be \(PanelWords.tenths(before)). "
        + "Its controller, its cable or its power saving is the likely cause.")
  }

  private func jitterFinding(on day: Int) -> PanelFinding? {
    // Contacts that are reported less often move farther between reports, which looks like jitter.
    guard !rate.signal.mayBeHigh(on: day), !breaksContacts else { return nil }
    if let alarm = jitter.panel.alarm(on: day) {
      let zones = jitter.risen(since: alarm.since)
      return jitter.isEverywhere(since: alarm.since) || zones.isEmpty
        ? finding(jitter: alarm, zones: [], cause: .power)
        : finding(jitter: alarm, zones: zones, cause: .surface)
    }
    let zones = jitter.zones.indices.filter { jitter.zones[$0].alarm(on: day) != nil }
    guard let first = zones.first, let alarm = jitter.zones[first].alarm(on: day) else {
      return nil
    }
    return finding(jitter: alarm, zones: zones, cause: .surface)
  }

  private func finding(
    jitter: SignalWatch.Alarm, zones: [Int], cause: PanelFinding.Cause
  ) -> PanelFinding {
    let times = exp((jitter.value - jitter.normal) / 2)
    let place =
      switch zones.count {
      case 0: "on the whole panel"
      case 1: "in one of its 48 zones"
      default: "in \(zones.count) of its 48 zones"
      }
    return PanelFinding(
      kind: .jitter, cause: cause, zones: zones, since: jitter.since,
      evidence: jitter.evidence,
      text: "Since \(DateText.of(jitter.since)), contacts that rest tremble "
        + "\(PanelWords.tenths(times)) times as much as before \(place). "
        + (cause == .power
          ? "A charger, a power supply or bad grounding is the likely cause."
          : "The panel is damaged, wet or under pressure there."))
  }

  /// Whether a line seems to be broken so that swipes across it become short contacts and jumps.
  private var breaksContacts: Bool {
    touchDowns.isSuspicious
      || lines.contains { watch in
        (0..<watch.direction.lines).contains { watch.evidence(of: $0).value >= Self.support }
      }
  }

  private func ghostFinding(on day: Int) -> PanelFinding? {
    guard let alarm = ghosts.alarm(on: day), alarm.cause == .controller || !breaksContacts else {
      return nil
    }
    return finding(ghosts: alarm)
  }

  private func finding(ghosts: GhostWatch.Alarm) -> PanelFinding {
    let hours = PanelWords.hours(ghosts.hours) + " o'clock"
    let reason =
      switch ghosts.cause {
      case .controller:
        "They come at regular intervals at the same place: the controller or its cable is faulty."
      case .sun:
        "They come in the same hours every day (\(hours)): sunlight on the panel, or something that is "
          + "switched on then."
      case .water:
        "They come for a while in some hours (\(hours)): water, cleaning, or a thing on the panel."
      default:
        "They come for many hours (\(hours)): a charger, a power supply or bad grounding is the likely "
          + "cause."
      }
    return PanelFinding(
      kind: .ghosts, cause: ghosts.cause, hours: ghosts.cause == .controller ? [] : ghosts.hours,
      since: ghosts.since,
      evidence: ghosts.evidence,
      text:
        "Since \(DateText.of(ghosts.since)), \(Int(ghosts.count.rounded())) contacts a day are too "
        + "short for fingers or repeat themselves, instead of \(Int(ghosts.normal.rounded())). "
        + reason)
  }

  private func finding(silence: SilenceWatch.Alarm) -> PanelFinding {
    PanelFinding(
      kind: .silence, cause: .absent, since: silence.since, evidence: silence.evidence,
      text: "Nobody has touched the panel since \(DateText.of(silence.since)); "
        + "\(Int(silence.expected.rounded())) sessions were to be expected. The panel, its cable or "
        + "its driver has failed, or the place is closed.")
  }
}
