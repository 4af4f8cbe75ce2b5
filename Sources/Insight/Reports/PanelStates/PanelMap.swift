package import Heatmaps
internal import Text
internal import TouchModel

/// The picture of a panel: the positions of touch-downs in the last days, with frames around the
/// lines and zones of findings.
package struct PanelMap {
  /// The area of a finding in the picture.
  struct Area {
    /// The index of the finding in the state.
    let finding: Int
    /// Opposite corners, in any order.
    let from: Block
    let to: Block
  }

  private static let frame = Ink(Colour(red: 0, green: 120, blue: 255))
  /// The side of a cell, in units of the picture.
  private static let side = 16
  /// The plausible ratios of width to height. Outside of them the shape counts as unknown.
  private static let shapes = 0.1...10.0

  package let state: PanelState

  package init(_ state: PanelState) { self.state = state }

  private var sight: PanelSight { state.sight ?? PanelSight() }

  /// The picture as a display; nil if its size is not accepted as that of a display.
  private var geometry: DisplayGeometry? {
    let (across, down) =
      sight.swapsAxes
      ? (PanelCounts.rows, PanelCounts.columns) : (PanelCounts.columns, PanelCounts.rows)
    return DisplayGeometry(
      pixelWidth: across * Self.side, pixelHeight: down * Self.side, blockSize: Self.side)
  }

  /// - Returns: nil if the size of the grid is not accepted as that of a display.
  package var sheet: MapSheet? {
    guard let grid else { return nil }
    var options = HeatmapOptions()
    options.value = .sum
    var sheet = GridMap(
      grid, options: options,
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

  /// The touch-downs; nil if the size of the grid is not accepted as that of a display.
  var grid: SummedGrid? {
    guard let geometry else { return nil }
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

  /// The block that shows a cell of the panel.
  private func seen(_ column: Int, _ row: Int) -> Block {
    let (first, second) = (sight.seen(column, .vertical), sight.seen(row, .horizontal))
    return sight.swapsAxes ? Block(column: second, row: first) : Block(column: first, row: second)
  }

  /// The width of the panel divided by its height, as people see it; nil if it is unknown.
  var shape: Double? {
    guard let width = state.key.x.millimetres, let height = state.key.y.millimetres else {
      return nil
    }
    let shape = sight.swapsAxes ? height / width : width / height
    return Self.shapes.contains(shape) ? shape : nil
  }

  private var frames: [MapSheet.Frame] {
    areas.map { area in
      MapSheet.Frame(
        from: area.from, to: area.to, ink: Self.frame,
        title: state.headline(state.findings[area.finding]))
    }
  }

  var areas: [Area] {
    let all = (0...(PanelCounts.columns - 1), 0...(PanelCounts.rows - 1))
    return state.findings.enumerated().flatMap { index, finding -> [Area] in
      func area(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> Area {
        Area(
          finding: index, from: seen(columns.lowerBound, rows.lowerBound),
          to: seen(columns.upperBound, rows.upperBound))
      }
      if let lines = finding.lines, let direction = finding.direction {
        return [direction == .vertical ? area(lines, all.1) : area(all.0, lines)]
      }
      let (width, height) = (
        PanelCounts.columns / PanelCounts.zoneColumns, PanelCounts.rows / PanelCounts.zoneRows
      )
      return finding.zones.map { zone in
        let (left, top) = (
          zone % PanelCounts.zoneColumns * width, zone / PanelCounts.zoneColumns * height
        )
        return area(left...(left + width - 1), top...(top + height - 1))
      }
    }
  }

  private var captions: [String] {
    let size = [state.key.x, state.key.y].compactMap(\.millimetres).map { "\(Int($0.rounded()))" }
    let sides: [String] = sight.swapsAxes ? size.reversed() : size
    let panel = sides.count == 2 ? ["\(sides.joined(separator: " x ")) mm"] : []
    let axes = state.sight == nil ? ["drawn along the axes of the panel"] : []
    let shown = panel + axes + ["where touches began in the last \(PanelState.recentDays) days"]
    return [
      shown.joined(separator: ", "),
      state.touched == nil ? state.basis : "judged by \(state.basis)",
    ]
      + state.findings.map(state.headline)
  }

  /// Machine-readable metadata about the content of the picture.
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
