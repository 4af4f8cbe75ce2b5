package import TouchModel

/// The changes between screens, with shares and medians. `docs/flows.md` has the rules.
package struct FlowReport: Sendable {
  package let counts: FlowCounts
  /// The number of kinds of changes that are left out because too few sessions had them.
  package let hiddenSteps: Int
  /// Sorted by the number of sessions that saw them, the highest first.
  package let screens: [ScreenSummary]

  package struct ScreenSummary: Sendable {
    package let flow: ScreenFlow
    /// The next screens, the most frequent first, each with its share of the appearances, 0...1.
    package let next: [(screen: String, share: Double)]

    /// The number of times that the screen appeared.
    package var appearances: UInt64 { flow.entries &+ flow.visits }
    /// The sessions whose last screen it was.
    package var exits: UInt64 { flow.exits.reduce(0, &+) }
    /// The share of the sessions that saw the screen for which it was the last one, 0...1.
    package var exitShare: Double { Self.share(exits, flow.sessions) ?? 0 }
    /// The visits whose time of the first touch is known, including those without a touch.
    package var knownVisits: UInt64 { flow.firstTouches.reduce(0, &+) }
    /// The share of the known visits that had no touch, 0...1; nil if no visit is known.
    package var untouchedShare: Double? { Self.share(flow.firstTouches.last ?? 0, knownVisits) }
    /// The median time to the first touch, in ms; nil if there was none.
    package var firstTouch: Double? { PauseBins.median(flow.firstTouches) }
    /// The median time from a touch to the next one, in ms; nil if there was none.
    package var pause: Double? { PauseBins.median(flow.pauses) }

    private static func share(_ part: UInt64, _ whole: UInt64) -> Double? {
      whole == 0 ? nil : Double(part) / Double(whole)
    }
  }

  package init(_ counts: FlowCounts, hiddenSteps: Int) {
    self.counts = counts
    self.hiddenSteps = hiddenSteps
    let byPlace = Dictionary(grouping: counts.steps) { [$0.display, $0.from] }
    screens = counts.screens.map { flow in
      let appearances = Double(flow.entries &+ flow.visits)
      let next = (byPlace[[flow.display, flow.screen]] ?? []).sorted {
        ($1.times, $0.to) < ($0.times, $1.to)
      }
      return ScreenSummary(
        flow: flow, next: next.map { ($0.to, min(1, Double($0.times) / max(1, appearances))) })
    }.sorted {
      ($1.flow.sessions, $0.flow.display, $0.flow.screen)
        < ($0.flow.sessions, $1.flow.display, $1.flow.screen)
    }
  }

  /// Whether the screens lie on more than one display, so that the text must name the display.
  package var hasDisplays: Bool {
    counts.screens.contains { $0.display != counts.screens.first?.display }
  }
}
