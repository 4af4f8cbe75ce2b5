package import TouchModel

/// The state of a touchscreen, and the days that it is based on.
package struct PanelState: Sendable {
  package enum Verdict: String, Sendable {
    /// No fault was found. `needs` names the counts that are missing to find each kind.
    case good
    case faulty
    /// No touch was counted.
    case untouched
  }

  /// The number of touches from which a day counts.
  package static let touchesOfDay: Int64 = 20
  /// The number of days that must count until every kind of fault can be found. Detectors compare
  /// the last days with at least three weeks before them.
  package static let neededDays = 28
  /// A line with fewer crossings and fewer touches than this in `recentDays` is not judged.
  static let leastUse: Int64 = 20
  /// The number of days that the picture shows. Their touches and swipes also decide which lines
  /// are judged.
  package static let recentDays = 28

  package let key: PanelKey
  /// The name that the device gives itself; nil if it is unknown.
  package let name: String?
  /// The orientation of the panel relative to the picture; nil if unknown.
  package let sight: PanelSight?
  /// The axes whose ranges are known to be wrong.
  package let wrongRanges: [WrongRange]
  /// The findings, the most certain first.
  package let findings: [PanelFinding]
  /// Rectangles that would keep most of the touches that nobody made from the app.
  package let covers: [Cover]
  /// The kinds of faults that are not looked for, because the counts are too low.
  package let unknown: [PanelFinding.Kind]
  /// The minimum number of swipes across the panel that are missing to find dead lines; nil if they
  /// can be found.
  package let neededSwipes: Int?
  /// The number of days that count.
  package let days: Int
  /// The first and the last day with touches, `YYYY-MM-DD`; nil without any.
  package let touched: ClosedRange<String>?
  /// Whether at least half of the last `recentDays` with sessions count.
  package let isRecent: Bool
  /// The touches of all days.
  package let touches: UInt64
  /// The counts of the last `recentDays`.
  package let recent: PanelCounts

  /// Judges a panel.
  /// - Parameters:
  ///   - placement: the panel's place on its display; nil if it is unknown.
  ///   - days: ascending; the state is that of the last one.
  package init(
    _ key: PanelKey, name: String? = nil, sight: PanelSight? = nil, placement: Placement? = nil,
    days: [PanelDay], wrongRanges: [WrongRange] = []
  ) {
    (self.key, self.name, self.sight, self.wrongRanges) = (key, name, sight, wrongRanges)
    var health = PanelHealth(of: key)
    var (counted, touches, recent) = (0, UInt64(0), PanelCounts())
    let end = days.last?.number ?? 0
    for day in days {
      health.add(day)
      let contacts = day.counts.contacts
      if contacts >= Self.touchesOfDay { counted += 1 }
      touches = touches.addingReportingOverflow(UInt64(clamping: contacts)).partialValue
      if day.number > end - Self.recentDays { recent += day.counts }
    }
    let touched = days.filter { $0.counts.contacts > 0 }.map { DateText.of($0.number) }
    let used = days.filter { day in
      day.counts.contacts > 0 || day.sessions.contains { $0 > 0 }
    }.suffix(Self.recentDays)
    isRecent = used.count { $0.counts.contacts >= Self.touchesOfDay } * 2 >= used.count
    findings = health.findings
    let ghosts = findings.first { $0.kind == .ghosts }
    covers =
      placement.flatMap { place in
        ghosts.map { GhostSpot.all(in: days, since: $0.since).compactMap { $0.cover(place) } }
      } ?? []
    unknown = health.unjudged
    neededSwipes = unknown.contains(.line) ? health.neededSwipes : nil
    (self.days, self.touches, self.recent) = (counted, touches, recent)
    self.touched = touched.first.flatMap { first in touched.last.map { first...$0 } }
  }

  package var verdict: Verdict {
    if !findings.isEmpty { return .faulty }
    return touches > 0 ? .good : .untouched
  }

  /// The lines with too few touches and swipes to be judged.
  package func unused(_ direction: PanelCounts.Direction) -> [Int] {
    let touchDowns = recent.touchDowns(direction)
    return (0..<direction.lines).filter {
      touchDowns[$0] < Self.leastUse && recent[.crossed, direction, $0] < Self.leastUse
    }
  }

  /// The position of the lines of a finding in the picture; nil if it is not about lines.
  package func place(_ finding: PanelFinding) -> PanelPlace? {
    guard let lines = finding.lines, let direction = finding.direction else { return nil }
    return PanelPlace(lines, direction, on: key, sight: sight)
  }
}

extension PanelDay {
  /// Returns the number of days from 1970-01-01 to a date.
  /// - Parameter text: a date, `YYYY-MM-DD`.
  /// - Returns: nil for other texts.
  package static func number(of text: String) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    // Count years from March, in eras of 400 years, as in `DateText`.
    let moved = month < 3 ? year + 399 : year + 400
    let (era, rest) = (moved / 400, moved % 400)
    let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let number =
      (era - 1) * 146_097 + rest * 365 + rest / 4 - rest / 100 + ofYear - 719_468
    return DateText.of(number) == text ? number : nil
  }
}
