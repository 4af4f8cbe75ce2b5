package import Heatmaps
internal import Text
package import TouchModel

/// The text of a comparison for a terminal.
package struct ComparisonText {
  /// The maximum number of blocks and merged cells to list for each screen; `--json` writes all.
  package static let maximumRows = 10

  package let report: ComparisonReport
  package let colours: TerminalColours
  package let width: Int

  package init(report: ComparisonReport, colours: TerminalColours, width: Int) {
    self.report = report
    self.colours = colours
    self.width = width
  }

  package var lines: [String] {
    let sides = [
      "A: \(report.a.words)", "B: \(report.b.words)",
      "All differences are B minus A, in \(report.layer.unit) per session.",
    ]
    let controls = report.controls.lines(width: width)
    let texts =
      [sides.flatMap { wrapped($0, to: width) }] + (controls.isEmpty ? [] : [controls])
      + report.screens.map(lines)
    return Array(texts.joined(separator: [""])) + left
  }

  /// The screens that only one side showed.
  private var left: [String] {
    func names(_ keys: [GridKey], _ side: String) -> [String] {
      keys.flatMap { key in
        wrapped(
          "only in \(side), not compared: \(key.screen.printable()) on \(key.display.printable()), "
            + "geometry \(key.geometry.text)", to: width)
      }
    }
    let lines = names(report.onlyA, "A") + names(report.onlyB, "B")
    return lines.isEmpty ? [] : [""] + lines
  }

  private func lines(_ screen: ScreenComparison) -> [String] {
    let key = screen.a.key
    let title =
      "\(key.screen.printable()) on \(key.display.printable()): \(screen.geometry.sentence)"
    let sizes = "A: \(Self.size(screen.a)); B: \(Self.size(screen.b))"
    let words = [title, sizes] + screen.summary
    return words.flatMap { wrapped($0, to: width) } + table(screen) + [""]
      + ComparisonMap(screen, colours: colours, width: width).lines
  }

  package static func size(_ grid: SummedGrid) -> String {
    "\(counted(grid.sessions, "session")) on \(counted(grid.days, "day")), "
      + counted(grid.touches, "touch", "touches")
  }

  package static func text(q: Double) -> String { q < 0.0001 ? "<0.0001" : roundedDigits(q) }

  private func table(_ screen: ScreenComparison) -> [String] {
    let found = screen.discoveries
    guard !found.isEmpty else { return [] }
    let rows = found.prefix(Self.maximumRows).map { cell, test, q in
      let interval = test.interval(confidence: ScreenComparison.confidence)
      return [
        "\(cell.block.column),\(cell.block.row)", "\(Int(cell.left)),\(Int(cell.top))",
        cell.side == 1 ? "1" : "\(cell.blocks.count) of \(cell.side * cell.side)",
        roundedDigits(cell.a.mean),
        roundedDigits(cell.b.mean), signed(test.difference),
        "\(signed(interval.lowerBound)) to \(signed(interval.upperBound))",
        Self.text(q: q),
      ]
    }
    let table = TextTable(
      [
        .init("BLOCK"), .init("AT POINT"), .init("BLOCKS", isNumber: true),
        .init("MEAN A", isNumber: true),
        .init("MEAN B", isNumber: true), .init("B-A", isNumber: true),
        .init("95 % INTERVAL", isNumber: true), .init("Q", isNumber: true),
      ], rows: Array(rows))
    let rest = found.count - rows.count
    let note = rest > 0 ? ["and \(rest) more; --json has all"] : []
    return table.lines(width: width) + note
  }
}

extension ScreenComparison {
  /// The result in sentences.
  package var summary: [String] {
    let (more, less) = (result.count(.more), result.count(.less))
    let (often, rarely) = (layer.more, layer.less)
    var sentences: [String] = []
    if result.compared == 0 {
      sentences.append("Nothing can be compared: \(shortage).")
    } else if more + less == 0 {
      sentences.append(
        "All differences in the \(comparedWords) compared may be due to chance.")
      if let detectable = result.detectable {
        sentences.append(
          "In a typical \(compared.blocks == 0 ? "square" : "block"), this comparison finds a difference "
            + "of \(roundedDigits(detectable)) four times out of five.")
      }
    } else {
      sentences.append(
        "B against A, \(comparedWords) compared: \(more) \(often), \(less) "
          + "\(rarely). Up to \(percent(result.level)) of these findings may be due to chance.")
    }
    if let merging { sentences.append(merging) }
    return sentences + (excluded.map { ["Blocks not compared: \($0)."] } ?? [])
  }

  private var comparedWords: String {
    let (blocks, merged) = compared
    let parts = [(blocks, "block"), (merged, "merged square")].filter { $0.0 > 0 }
    return parts.map { counted(UInt64($0.0), $0.1) }.joined(separator: " and ")
  }

  /// A sentence about the merged blocks, or about why none were merged; nil if there is nothing to
  /// say.
  private var merging: String? {
    guard !merged.isEmpty else {
      return lacksSessions && result.count(.tooFew) > 0
        && a.sessions > 1 && b.sessions > 1
        ? "Rarely touched blocks were not merged: not all single sessions of A and B are known."
        : nil
    }
    let squares = MergedCell.sides.compactMap { side -> String? in
      let count = merged.count { $0.side == side }
      let size = side * geometry.blockSize
      return count == 0
        ? nil : "\(counted(UInt64(count), "square")) of \(size) x \(size) points"
    }
    let blocks = merged.reduce(0) { $0 + $1.blocks.count }
    return "\(counted(UInt64(blocks), "rarely touched block")) "
      + "\(blocks == 1 ? "is" : "are") compared together, in \(squares.joined(separator: " and "))."
  }

  /// The reason why no block can be compared, as text. Valid only if `result.compared` is 0.
  package var shortage: String {
    if a.sessions < 2 || b.sessions < 2 { return "each side needs at least two sessions" }
    return "outside masks, no block" + (lacksSessions ? "" : ", alone or merged with others,")
      + " was touched by \(Comparison.minimumTouchedSessions) or more sessions of A and B together"
  }

  /// The numbers of blocks that are not compared, with the reasons, as text; nil if all are
  /// compared.
  package var excluded: String? {
    let reasons: [(Comparison.Verdict, String)] = [
      (.untouched, "untouched"),
      (
        .tooFew,
        "touched by fewer than \(Comparison.minimumTouchedSessions) sessions"
          + (merged.isEmpty ? "" : ", even together")
      ),
      (.masked, "masked"),
    ]
    let parts = reasons.map { (result.count($0.0), $0.1) }.filter { $0.0 > 0 }
    return parts.isEmpty ? nil : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}

extension Layer {
  /// The text for a higher count of this layer.
  package var more: String {
    switch self {
    case .taps: "touched more often"
    case .trail: "entered more often"
    case .dwell: "touched longer"
    }
  }
  package var less: String { self == .dwell ? "shorter" : "less often" }
}

/// Returns a number with its sign, rounded as by `roundedDigits`. Zero has no sign.
package func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + roundedDigits(value) }

/// Formats a fraction as a percentage: 0.05 becomes `5 %`.
package func percent(_ part: Double) -> String { roundedDigits(part * 100) + " %" }
