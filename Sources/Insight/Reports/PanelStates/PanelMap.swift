package import Heatmaps
internal import Text
internal import TouchModel

/// The picture of a panel: where contacts began in the last days, with the lines and zones that
/// findings are about in frames.
package struct PanelMap {
  private static let frame = Ink(Colour(red: 0, green: 120, blue: 255))
  /// The side of a cell, in units of the picture.
  private static let side = 16
  /// The widest shape of a panel that is drawn as it is.
  private static let shapes = 0.1...10.0

  package let state: PanelState

  package init(_ state: PanelState) { self.state = state }

  private var sight: PanelSight { state.sight ?? PanelSight() }

  /// - Returns: nil if the size of the grid is not accepted as that of a display.
  package var sheet: MapSheet? {
    let (across, down) =
      sight.swapsAxes
      ? (PanelCounts.rows, PanelCounts.columns) : (PanelCounts.columns, PanelCounts.rows)
    let geometry = DisplayGeometry(
      pixelWidth: across * Self.side, pixelHeight: down * Self.side, blockSize: Self.side)
    guard let geometry else { return nil }
    var options = HeatmapOptions()
    options.value = .sum
    var sheet = GridMap(
      grid(geometry), options: options,
      source: HeatmapSource(words: "", metadata: [])
    ).sheet
    sheet.title = "\(state.title): \(state.summary)"
    sheet.captions = captions
    sheet.frames = frames
    if !sheet.frames.isEmpty {
      sheet.samples.append(MapSheet.Sample(Self.frame, text: "framed: where a fault was found"))
    }
    sheet.shape = shape
    sheet.metadata = metadata
    return sheet
  }

  private func grid(_ geometry: DisplayGeometry) -> SummedGrid {
    let cells = geometry.columns * geometry.rows
    var counts = Array(repeating: UInt64(0), count: cells)
    for column in 0..<PanelCounts.columns {
      for row in 0..<PanelCounts.rows {
        let block = seen(column, row)
        counts[geometry.index(of: block)] = UInt64(clamping: state.recent[column: column, row: row])
      }
    }
    return SummedGrid(
      key: GridKey(display: "", screen: state.title, geometry: geometry), layer: .taps,
      sessions: 0, days: UInt64(PanelState.recentDays), shownMilliseconds: 0, touches: 0,
      sum: Counters(counts), sumOfSquares: Array(repeating: 0, count: cells),
      touchedSessions: Counters(count: cells))
  }

  /// The block of a cell of the panel.
  private func seen(_ column: Int, _ row: Int) -> Block {
    let (first, second) = (sight.seen(column, .vertical), sight.seen(row, .horizontal))
    return sight.swapsAxes ? Block(column: second, row: first) : Block(column: first, row: second)
  }

  /// The width of the panel divided by its height, as people see it; nil if it is unknown.
  private var shape: Double? {
    guard let width = state.key.x.millimetres, let height = state.key.y.millimetres else {
      return nil
    }
    let shape = sight.swapsAxes ? height / width : width / height
    return Self.shapes.contains(shape) ? shape : nil
  }

  private var frames: [MapSheet.Frame] {
    func frame(
      _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, _ title: String
    ) -> MapSheet.Frame {
      MapSheet.Frame(
        from: seen(columns.lowerBound, rows.lowerBound),
        to: seen(columns.upperBound, rows.upperBound), ink: Self.frame, title: title)
    }
    let all = (0...(PanelCounts.columns - 1), 0...(PanelCounts.rows - 1))
    return state.findings.flatMap { finding -> [MapSheet.Frame] in
      let title = state.headline(finding)
      if let lines = finding.lines, let direction = finding.direction {
        return [
          direction == .vertical ? frame(lines, all.1, title) : frame(all.0, lines, title)
        ]
      }
      let (width, height) = (
        PanelCounts.columns / PanelCounts.zoneColumns, PanelCounts.rows / PanelCounts.zoneRows
      )
      return finding.zones.map { zone in
        let (left, top) = (
          zone % PanelCounts.zoneColumns * width, zone / PanelCounts.zoneColumns * height
        )
        return frame(left...(left + width - 1), top...(top + height - 1), title)
      }
    }
  }

  private var captions: [String] {
    let size = [state.key.x, state.key.y].compactMap(\.millimetres).map { "\(Int($0.rounded()))" }
    let sides: [String] = sight.swapsAxes ? size.reversed() : size
    let panel = sides.count == 2 ? ["\(sides.joined(separator: " x ")) mm"] : []
    let axes = state.sight == nil ? ["drawn along the axes of the panel"] : []
    let shown = panel + axes + ["where touches began in the last \(PanelState.recentDays) days"]
    return [shown.joined(separator: ", "), state.basis] + state.findings.map(state.headline)
  }

  /// Machine-readable metadata: what the picture shows.
  private var metadata: [JSONValue.Member] {
    [
      JSONValue.Member(name: "format", value: "touchgrid-panel"),
      JSONValue.Member(name: "version", value: .integer(1)),
      JSONValue.Member(name: "software", value: .string("Touchgrid \(touchgridVersion)")),
      JSONValue.Member(
        name: "state",
        value: PanelState.json([state], of: .null)["panels"]?.elements?.first ?? .null
      ),
    ]
  }
}
