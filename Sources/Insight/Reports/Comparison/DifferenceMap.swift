package import Heatmaps
internal import Text
internal import TouchModel

/// Draws the differences of one screen: red blocks have more in B, blue blocks have less.
/// Differences that chance can explain are pale.
package struct DifferenceMap {
  /// The colour position of the smallest difference, 0...1, high enough to be visible.
  private static let floor = 0.3
  /// The colour that is mixed into the colours of pale blocks.
  private static let pale = Colour(red: 234, green: 234, blue: 238)
  private static let contour = Colour(red: 26, green: 26, blue: 30)
  private static let fewColour = Colour(red: 176, green: 176, blue: 182)
  private static let fewPart = 0.25

  package let comparison: ScreenComparison
  package let report: ComparisonReport
  package let background: Background?
  private let limit: Double

  /// - Parameters:
  ///   - limit: the difference that gets the last colours, above 0; nil for `comparison.limit`.
  ///   - background: a screenshot that fits the geometry.
  package init(
    _ comparison: ScreenComparison, of report: ComparisonReport, limit: Double?,
    background: Background? = nil
  ) {
    self.comparison = comparison
    self.report = report
    self.background = background
    self.limit = limit ?? comparison.limit
    isGiven = limit != nil
  }

  private let isGiven: Bool

  package var sheet: MapSheet {
    let key = comparison.a.key
    var sheet = MapSheet(
      geometry: key.geometry,
      title: "\(key.screen.printable()): B minus A, \(comparison.layer.unit) per session")
    sheet.captions = captions
    sheet.cells = cells
    sheet.contoured = Set(comparison.discoveries.flatMap(\.cell.blocks))
    // All contours have the same dark colour, because a light line would vanish between pale
    // blocks.
    sheet.contour = Ink(Self.contour, opacity: 0.85)
    sheet.masked = Set(
      comparison.blocks.filter { $0.finding.verdict == .masked }.map(\.block))
    sheet.bar = limit > 0 ? bar : nil
    sheet.samples = samples
    sheet.notes = notes
    sheet.background = background
    sheet.metadata = metadata
    return sheet
  }

  // MARK: Colours

  private var cells: [MapSheet.Cell] {
    let merged = comparison.mergedCells
    let alone = comparison.cells
    return comparison.blocks.compactMap { block in
      let finding = block.shown
      let title = title(block, block.cell.map { merged[$0] } ?? alone[block.index])
      switch finding.verdict {
      case .masked, .untouched: return nil
      case .tooFew, .merged:
        return MapSheet.Cell(
          block.block, Ink(Self.fewColour, opacity: cover), part: Self.fewPart, title: title)
      case .unclear:
        return MapSheet.Cell(block.block, faded(block.shownDifference), title: title)
      case .more, .less:
        return MapSheet.Cell(block.block, ink(block.shownDifference), title: title)
      }
    }
  }

  /// The opacity of blocks, below 1 if a screenshot below them must stay visible.
  private var cover: Double { background == nil ? 1 : 0.82 }

  private func colour(_ difference: Double) -> Colour {
    guard difference != 0 else { return DivergingColours.colour(at: 0) }
    let part = limit > 0 ? min(1, abs(difference) / limit) : 1
    let position = Self.floor + (1 - Self.floor) * part
    return DivergingColours.colour(at: difference > 0 ? position : -position)
  }

  private func ink(_ difference: Double) -> Ink { Ink(colour(difference), opacity: cover) }

  private func faded(_ difference: Double) -> Ink {
    let full = colour(difference)
    func mix(_ channel: KeyPath<Colour, UInt8>) -> UInt8 {
      let (from, to) = (Double(Self.pale[keyPath: channel]), Double(full[keyPath: channel]))
      return UInt8((from + (to - from) * 0.22).rounded())
    }
    let colour = Colour(red: mix(\.red), green: mix(\.green), blue: mix(\.blue))
    return Ink(colour, opacity: background == nil ? 1 : 0.5)
  }

  // MARK: Words

  private var captions: [String] {
    func side(_ name: String, _ sessions: ComparisonReport.Side, _ grid: SummedGrid) -> String {
      "\(name): \(sessions.words); n = \(ComparisonText.size(grid))"
    }
    let key = comparison.a.key
    return [
      side("A", report.a, comparison.a), side("B", report.b, comparison.b),
      "\(key.display.printable()), \(key.geometry.sentence)",
    ]
  }

  /// - Parameter cell: The merged cell that contains the block, or the block itself.
  private func title(
    _ block: ScreenComparison.BlockFinding, _ cell: ScreenComparison.Cell
  ) -> String {
    let others =
      cell.blocks.count > 1
      ? " with \(counted(UInt64(cell.blocks.count - 1), "other block")) of a square of "
        + "\(cell.side * comparison.geometry.blockSize) points" : ""
    var title =
      "column \(block.block.column), row \(block.block.row)\(others): mean "
      + "\(roundedDigits(cell.a.mean)) in A, \(roundedDigits(cell.b.mean)) in B"
    if let test = cell.finding.test, let q = cell.finding.q {
      let interval = test.interval(confidence: ScreenComparison.confidence)
      title +=
        "; difference \(signed(test.difference)), 95 % interval \(signed(interval.lowerBound)) to "
        + "\(signed(interval.upperBound)), q \(ComparisonText.text(q: q))"
    }
    let words: [Comparison.Verdict: String] = [
      .more: "more in B", .less: "less in B", .unclear: "may be chance",
      .tooFew: "too few sessions",
    ]
    return title + (words[cell.finding.verdict].map { "; " + $0 } ?? "")
  }

  private var bar: ColourBar {
    let steps = 129
    let isClipped = comparison.blocks.contains { abs($0.shownDifference) > limit * 1.0001 }
    let (less, more) = isClipped ? ("≤ ", "≥ ") : ("", "")
    return ColourBar(
      unit:
        "B minus A, mean \(comparison.layer.unit) per session, in each block: blue is less in B, red "
        + "more",
      inks: (0..<steps).map { step in
        ink(limit * (Double(step) / Double(steps - 1) * 2 - 1))
      },
      ticks: [
        ColourBar.Tick(0, less + signed(-limit)), ColourBar.Tick(1, more + signed(limit)),
        ColourBar.Tick(0.5, "0"), ColourBar.Tick(0.25, signed(-limit / 2)),
        ColourBar.Tick(0.75, signed(limit / 2)),
      ])
  }

  private var samples: [MapSheet.Sample] {
    var samples: [MapSheet.Sample] = []
    if comparison.result.count(.unclear) > 0 {
      samples.append(
        MapSheet.Sample(
          faded(limit / 4),
          text: "pale, without a contour: the difference may be due to chance")
      )
    }
    if !comparison.merged.isEmpty {
      samples.append(
        MapSheet.Sample(
          ink(limit / 4),
          text:
            "the same colour in a square of rarely touched blocks: one difference, spread evenly"))
    }
    if comparison.result.count(.tooFew) > 0 {
      samples.append(
        MapSheet.Sample(
          Ink(Self.fewColour), part: Self.fewPart,
          text: "touched by fewer than \(Comparison.minimumTouchedSessions) sessions: not compared"
        ))
    }
    return samples
  }

  private var notes: [String] {
    let rule =
      isGiven
      ? "at the value of --max"
      : comparison.discoveries.isEmpty
        ? "at the 99th percentile of all compared differences"
        : "at the 99th percentile of the differences found"
    let scale = limit > 0 ? ["Linear scale, the same on both sides, ends \(rule)."] : []
    return comparison.summary + scale
  }

  /// Machine-readable metadata about the content and the options of the picture. docs/statistics.md
  /// documents the members.
  private var metadata: [JSONValue.Member] {
    func member(_ name: String, _ value: JSONValue) -> JSONValue.Member {
      JSONValue.Member(name: name, value: value)
    }
    let key = comparison.a.key
    let what = [
      member("format", "touchgrid-difference"), member("version", .integer(2)),
      member("software", .string("Touchgrid \(touchgridVersion)")),
      member("screen", .string(key.screen)), member("display", .string(key.display)),
      member("geometry", key.geometry.json), member("layer", .string(comparison.layer.rawValue)),
      member("direction", "B minus A"),
    ]
    let sides = [
      member("a", report.a.json), member("b", report.b.json),
      member("totalsA", comparison.a.totals), member("totalsB", comparison.b.totals),
    ]
    let rule = [
      member("level", .real(report.level)),
      member("leastTouchedSessions", .integer(Comparison.minimumTouchedSessions)),
      member("compared", .integer(comparison.result.compared)),
      member("verdicts", comparison.verdicts),
    ]
    let look = [
      member("colours", .string(DivergingColours.name)), member("scale", "linear"),
      member("limit", .real(limit)), member("background", .bool(background != nil)),
    ]
    return what + sides + rule + look
  }
}
