internal import Heatmaps
internal import Text
internal import TouchModel

/// The changes between screens, for a terminal.
package struct FlowText {
  package let report: FlowReport
  package let width: Int

  package init(_ report: FlowReport, width: Int) {
    self.report = report
    self.width = width
  }

  package var lines: [String] {
    let title = counted(report.counts.sessions, "session", groupsDigits: true)
    return [title] + table + notes.flatMap { wrapped($0, to: width) }
      + report.counts.funnels.flatMap { [""] + lines($0) }
  }

  /// The table. The next screens are below each other if they do not fit side by side.
  private var table: [String] {
    let wide = table(nextBelow: false, width: .max)
    return wide.allSatisfy { textWidth($0) <= width } ? wide : table(nextBelow: true, width: width)
  }

  private func table(nextBelow: Bool, width: Int) -> [String] {
    TextTable(
      [
        .init("SCREEN", canShrink: true), .init("SEEN", isNumber: true),
        .init("FIRST", isNumber: true), .init("NEXT", isNumber: true),
        .init("NONE", isNumber: true), .init("LEFT", isNumber: true),
        .init("THEN", canShrink: true),
      ],
      rows: report.screens.flatMap { screen -> [[String]] in
        let place =
          screen.flow.screen.printable()
          + (report.hasDisplays ? " on \(screen.flow.display.printable())" : "")
        let figures = [
          place, groupedDigits(screen.appearances), Self.seconds(screen.firstTouch),
          Self.seconds(screen.pause), screen.untouchedShare.map(Self.percent) ?? "-",
          Self.percent(screen.exitShare),
        ]
        let next = screen.next.prefix(3)
          .map { "\($0.screen.printable()) \(Self.percent($0.share))" }
        guard nextBelow, let first = next.first else {
          return [figures + [next.joined(separator: ", ")]]
        }
        return [figures + [first]]
          + next.dropFirst().map { Array(repeating: "", count: figures.count) + [$0] }
      }
    ).lines(width: width)
  }

  private var notes: [String] {
    guard report.hiddenSteps > 0 else { return [] }
    let kinds = counted(report.hiddenSteps, "change")
    return [
      "\(kinds) that fewer than 5 sessions made \(report.hiddenSteps == 1 ? "is" : "are") not shown."
    ]
  }

  private func lines(_ counts: FunnelCounts) -> [String] {
    let first = counts.reached.first ?? 0
    return TextTable(
      [
        .init("FUNNEL \(counts.funnel.name.printable())", canShrink: true),
        .init("SESSIONS", isNumber: true), .init("OF ALL", isNumber: true),
        .init("OF BEFORE", isNumber: true),
      ],
      rows: counts.funnel.screens.enumerated().map { index, screen in
        let (reached, before) = (counts.reached[index], counts.reached[max(0, index - 1)])
        return [
          screen.printable(), groupedDigits(reached),
          first == 0 ? "-" : Self.percent(Double(reached) / Double(first)),
          index == 0 || before == 0 ? "" : Self.percent(Double(reached) / Double(before)),
        ]
      }
    ).lines(width: width)
  }

  /// - Parameter milliseconds: nil if there is no value.
  static func seconds(_ milliseconds: Double?) -> String {
    guard let milliseconds else { return "-" }
    let tenths = Int((milliseconds / 100).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) s" : "\((tenths + 5) / 10) s"
  }

  static func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }
}
