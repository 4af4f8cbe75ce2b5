import Glibc
import TouchModel

/// Watches the positions of touch-downs. Compared with the days before, a broken line gets a
/// smaller share of the touches than its neighbours. Positions depend on the content of the
/// screens, so only days with the same layout are compared.
struct TouchDownWatch: Sendable {
  /// Adjacent lines that get fewer touches than before.
  struct Group: Hashable, Sendable {
    var direction: PanelCounts.Direction
    var lines: ClosedRange<Int>
    /// The lines to which `share` refers.
    fileprivate let judged: ClosedRange<Int>
    var since: Int
    /// -ln of the probability of chance.
    var evidence: Double
    /// The ratio of the touches of the lines to the expectation from their neighbours.
    var ratio: Double
    /// The share of `judged` in the touches of `neighbours`, in the days before the window.
    fileprivate var share: Double
    fileprivate var neighbours: ClosedRange<Int>
    /// The length in days of the window in which the group was found.
    fileprivate var window: Int

    func overlaps(_ other: Group) -> Bool {
      direction == other.direction && lines.overlaps(other.lines)
    }
  }

  /// The lengths, in days, of the windows that are compared with the days before them.
  static let windows = [3, 7, 28, 56]
  /// The widths of groups to look for, in lines, each with the largest ratio of touches to expected
  /// touches that is reported. Layouts change this ratio too, but less than a broken line does.
  static let widths = [
    (lines: 1, share: 0.7), (lines: 2, share: 0.7), (lines: 3, share: 0.6),
    (lines: 7, share: 0.3),
  ]
  /// The largest such ratio at an edge of the panel, where fewer people touch.
  private static let shareAtEdge = 0.3
  /// The largest ratio of an adjacent line that is added to a group.
  private static let shareBeside = 0.3
  /// The ratio above which a line at the end of a group is healthy and is removed from it.
  private static let healthyTouchShare = 0.7
  /// The maximum and the minimum number of days before a window with which it is compared.
  private static let (baseline, leastBaseline) = (90, 21)
  /// The minimum number of touches of a group before the window, and of expected touches in it.
  private static let (leastBefore, leastExpected) = (20.0, 15.0)
  /// The smallest lack of touches, in standard deviations of independent touches.
  private static let leastDeviations = 4.0
  /// The minimum number of expected touches of a line that is added or removed.
  private static let leastExpectedOfLine = 5.0
  /// One false alarm in 40 years of independent touches, over all tests: 112 lines, 4 widths, 4
  /// windows, each day.
  static let alarm = log(Double(112 * 4 * 4 * 40 * 365))
  /// The smallest evidence of each third of a window: a probability of 5 %.
  private static let leastOfThird = 3.0
  /// More groups at once mean a changed layout. So do touches on distant lines of which there are
  /// more than this multiple of the expected touches, and this number of standard deviations more.
  private static let mostGroups = 2
  private static let mostRise = 1.4
  private static let riseDeviations = 6.0
  /// The largest distance, in lines, up to which changes may have the same fault.
  fileprivate static let beside = 8
  /// The number of the last days, and the largest ratio of touches to expected touches, with which
  /// a group still applies.
  private static let (lastingDays, lastingShare) = (28, 0.9)
  /// The maximum number of days without a known layout before the layout counts as unknown.
  private static let mostUnknown = 7

  /// The cumulative touches of all days until this one: by direction, the sum over all lines before
  /// each line.
  private struct Past: Sendable {
    let day: Int
    let sums: [[Double]]
  }

  private var past: [Past] = []
  private var layout: String?
  /// The number of days in a row, up to the last one, without a known layout.
  private var unknownDays = 0
  private var candidates: [Group] = []
  /// Whether the layout seemed to have changed on the last day.
  private var seemedChanged = false
  private(set) var groups: [Group] = []

  /// Whether some lines may be broken.
  var isSuspicious: Bool { !candidates.isEmpty || !groups.isEmpty }

  /// Whether the layout is known and has enough days.
  var isReady: Bool {
    layout != nil && past.count > Self.leastBaseline + (Self.windows.min() ?? 0)
  }

  /// - Parameters:
  ///   - touchDowns: the touch-downs by direction and line; not all 0.
  ///   - isPlausible: whether other evidence allows that the group is broken.
  ///   - isUncrossed: whether swipes end at the lines, in a window.
  mutating func add(
    _ touchDowns: [[Double]], layout: String?, on day: Int,
    isPlausible: (_ group: Group) -> Bool,
    isUncrossed: (
      _ direction: PanelCounts.Direction, _ lines: ClosedRange<Int>, _ window: Int
    ) -> Bool
  ) {
    // Leave out a day with two layouts.
    unknownDays = layout == nil ? unknownDays + 1 : 0
    if layout == nil, self.layout != nil, unknownDays <= Self.mostUnknown { return }
    if layout != self.layout {
      restart(with: layout)
      groups = []
    }
    append(touchDowns, on: day)
    groups = groups.filter(stillApplies)
    let found = Self.widths.flatMap { width, share in
      Self.windows.flatMap { window in
        find(width: width, below: share, window: window).filter(isPlausible)
      }
    }.sorted { $0.evidence > $1.evidence }
    var apart: [Group] = []
    for group in found where !apart.contains(where: { $0.isClose(to: group) }) {
      apart.append(group)
    }
    let seemsChanged = apart.count > Self.mostGroups || apart.contains(where: hasRise)
    if seemsChanged {
      guard let surest = apart.first,
        isUncrossed(surest.direction, widened(surest).lines, surest.window)
      else {
        if seemedChanged { return restart(with: layout) }
        (candidates, seemedChanged) = ([], true)
        return
      }
      // People stop using buttons in a dead band, so touches increase elsewhere as well.
      apart = [surest]
    }
    seemedChanged = false
    for group in apart where candidates.contains(where: group.overlaps) { add(widened(group)) }
    candidates = apart
  }

  /// Adds a group. If it overlaps a group with less evidence, replaces that one.
  private mutating func add(_ group: Group) {
    guard let place = groups.firstIndex(where: group.overlaps) else {
      return groups.append(group)
    }
    guard group.evidence > groups[place].evidence else { return }
    let since = groups[place].since
    groups[place] = group
    groups[place].since = min(since, group.since)
  }

  private mutating func restart(with layout: String?) {
    self.layout = layout
    (past, candidates, seemedChanged) = ([], [], false)
  }

  private mutating func append(_ touchDowns: [[Double]], on day: Int) {
    let sums = touchDowns.enumerated().map { direction, lines in
      var (sums, before) = ([0.0], 0.0)
      for (line, count) in lines.enumerated() {
        before += count
        sums.append(before + (past.last?.sums[direction][line + 1] ?? 0))
      }
      return sums
    }
    past.append(Past(day: day, sums: sums))
    let limit = Self.baseline + (Self.windows.max() ?? 0) + 1
    if past.count > limit { past.removeFirst(past.count - limit) }
  }

  /// The touches of lines on the days `from..<to`, which are indexes into `past`. The first kept
  /// day has no touches of its own, only a cumulative sum.
  private func touches(
    _ direction: PanelCounts.Direction, _ lines: ClosedRange<Int>, _ from: Int, _ to: Int
  ) -> Double {
    let (before, after) = (
      past[from - 1].sums[direction.rawValue], past[to - 1].sums[direction.rawValue]
    )
    return after[lines.upperBound + 1] - after[lines.lowerBound] - before[lines.upperBound + 1]
      + before[lines.lowerBound]
  }

  /// Finds the groups of a width that get fewer touches in a window.
  private func find(width: Int, below limit: Double, window: Int) -> [Group] {
    let (end, start) = (past.count, past.count - window)
    let first = max(1, start - Self.baseline)
    guard start - first >= Self.leastBaseline else { return [] }
    return PanelCounts.Direction.allCases.flatMap { direction in
      (0...(direction.lines - width)).compactMap { line in
        let lines = line...(line + width - 1)
        let reach = max(2, width)
        let neighbours = max(0, line - reach)...min(direction.lines - 1, line + width - 1 + reach)
        let (own, all) = (
          touches(direction, lines, start, end), touches(direction, neighbours, start, end)
        )
        let (ownBefore, allBefore) = (
          touches(direction, lines, first, start), touches(direction, neighbours, first, start)
        )
        guard ownBefore >= Self.leastBefore, allBefore > ownBefore else { return nil }
        let share = ownBefore / allBefore
        let expected = all * share
        let isAtEdge = line == 0 || line + width == direction.lines
        guard expected >= Self.leastExpected,
          own < (isAtEdge ? Self.shareAtEdge : limit) * expected,
          own - expected < -Self.leastDeviations * (expected * (1 - share)).squareRoot()
        else { return nil }
        let scale = scatter(direction, lines, neighbours, share, first, start)
        func evidence(_ from: Int, _ to: Int) -> Double {
          let (own, all) = (
            touches(direction, lines, from, to), touches(direction, neighbours, from, to)
          )
          return -CountTest.logLower(
            part: (own / scale).rounded(.up), drawn: (all / scale).rounded(),
            line: ((own + ownBefore) / scale).rounded(), all: ((all + allBefore) / scale).rounded())
        }
        let sum = evidence(start, end)
        // The behaviour of people differs from day to day, but a broken line is broken every day.
        let isLasting = (0..<3).allSatisfy { third in
          evidence(start + window * third / 3, start + window * (third + 1) / 3)
            >= Self.leastOfThird
        }
        guard sum >= Self.alarm, isLasting else { return nil }
        return Group(
          direction: direction, lines: lines, judged: lines, since: past[start].day,
          evidence: sum, ratio: own / expected, share: share, neighbours: neighbours, window: window
        )
      }
    }
  }

  /// Adds the adjacent lines that get hardly any touches, compared with all lines, and removes
  /// healthy lines from the ends.
  private func widened(_ group: Group) -> Group {
    let (end, start) = (past.count, past.count - group.window)
    let first = max(1, start - Self.baseline)
    let direction = group.direction
    let all = 0...(direction.lines - 1)
    let growth =
      touches(direction, all, start, end) / max(1, touches(direction, all, first, start))
    /// The ratio of touches to expected touches of a line; nil if few are expected.
    func share(_ line: Int) -> Double? {
      guard all.contains(line) else { return nil }
      let expected = growth * touches(direction, line...line, first, start)
      return expected < Self.leastExpectedOfLine
        ? nil : touches(direction, line...line, start, end) / expected
    }
    var (low, high) = (group.lines.lowerBound, group.lines.upperBound)
    while low < high, share(low) ?? 0 > Self.healthyTouchShare { low += 1 }
    while low < high, share(high) ?? 0 > Self.healthyTouchShare { high -= 1 }
    while share(low - 1) ?? 1 < Self.shareBeside { low -= 1 }
    while share(high + 1) ?? 1 < Self.shareBeside { high += 1 }
    var group = group
    group.lines = low...high
    return group
  }

  /// Whether touches have increased on distant lines in the same window.
  private func hasRise(with group: Group) -> Bool {
    let (end, start) = (past.count, past.count - group.window)
    let first = max(1, start - Self.baseline)
    let (width, reach) = (3, 3)
    return PanelCounts.Direction.allCases.contains { direction in
      (0...(direction.lines - width)).contains { line in
        let lines = line...(line + width - 1)
        // The touches of a broken line may be reported beside it.
        let near = group.lines.lowerBound - Self.beside...group.lines.upperBound + Self.beside
        if direction == group.direction, near.overlaps(lines) { return false }
        let neighbours =
          max(0, line - reach)...min(direction.lines - 1, line + width - 1 + reach)
        let (own, all) = (
          touches(direction, lines, start, end), touches(direction, neighbours, start, end)
        )
        let (ownBefore, allBefore) = (
          touches(direction, lines, first, start), touches(direction, neighbours, first, start)
        )
        guard allBefore > 0 else { return own >= Self.leastBefore }
        let share = min(0.9, max(0.1 / Double(width), ownBefore / allBefore))
        let expected = all * share
        guard own > Self.mostRise * expected, own >= Self.leastExpected else { return false }
        let scale = scatter(direction, lines, neighbours, share, first, start)
        return own - expected > Self.riseDeviations * (scale * expected * (1 - share)).squareRoot()
      }
    }
  }

  /// The ratio of the variance of the lines' daily touches to that of independent touches; at least
  /// 1. People touch the same place several times.
  private func scatter(
    _ direction: PanelCounts.Direction, _ lines: ClosedRange<Int>, _ neighbours: ClosedRange<Int>,
    _ share: Double, _ first: Int, _ end: Int
  ) -> Double {
    var (sum, days) = (0.0, 0.0)
    for day in first..<end {
      let all = touches(direction, neighbours, day, day + 1)
      guard all > 0 else { continue }
      let difference = touches(direction, lines, day, day + 1) - all * share
      sum += difference * difference / (all * share * (1 - share))
      days += 1
    }
    return max(1, days > 0 ? sum / days : 1)
  }

  /// Whether a group that was found still gets too few touches.
  private func stillApplies(_ group: Group) -> Bool {
    let window = min(past.count - 1, Self.lastingDays)
    guard window > 0 else { return true }
    let (start, end) = (past.count - window, past.count)
    let all = touches(group.direction, group.neighbours, start, end)
    let own = touches(group.direction, group.judged, start, end)
    return own < Self.lastingShare * all * group.share
  }
}

extension TouchDownWatch.Group {
  /// Whether two groups may have the same fault: if the touches of a broken line move to a
  /// neighbour, the line beyond that seems to get too few.
  fileprivate func isClose(to other: Self) -> Bool {
    direction == other.direction
      && lines.lowerBound <= other.lines.upperBound + TouchDownWatch.beside
      && other.lines.lowerBound <= lines.upperBound + TouchDownWatch.beside
  }
}
