public import TouchModel

/// The picture of a grid.
public struct GridMap {
  /// The highest position of the colour map that is used. The nearly white colours above it would
  /// vanish on white paper.
  static let lastColour = 0.95
  /// The opacity of blocks on a screenshot, so that the screenshot remains visible. Also used for
  /// bare maps, which users may put on a screenshot.
  static let opacityOverBackground = 0.82

  let grid: SummedGrid
  let options: HeatmapOptions
  let source: HeatmapSource
  let background: Background?
  let values: [Double]
  let smooth: SmoothedGrid?
  let masked: Set<Block>
  let scale: ColourScale

  /// - Parameter background: a screenshot that fits the grid's geometry (`Background.fit`).
  public init(
    _ grid: SummedGrid, options: HeatmapOptions = HeatmapOptions(), source: HeatmapSource,
    background: Background? = nil
  ) {
    self.grid = grid
    self.options = options
    self.source = source
    self.background = background
    let values = grid.values(options.value)
    self.values = values
    let hasTouches = values.contains { $0 > 0 }
    smooth =
      hasTouches
      ? options.smoothing.map { SmoothedGrid(values, geometry: grid.key.geometry, deviation: $0) }
      : nil
    masked = grid.maskedBlocks
    scale = Self.scale(values, smooth, grid, options, masked)
  }

  private static func scale(
    _ values: [Double], _ smooth: SmoothedGrid?, _ grid: SummedGrid, _ options: HeatmapOptions,
    _ masked: Set<Block>
  ) -> ColourScale {
    let one = grid.valueOfOne(options.value) * (smooth?.peak ?? 1)
    let shown = smooth.map { $0.values(outside: masked).filter { $0 > one / 2 } } ?? values
    // If all touches lie in masked blocks, only faint smoothed values remain outside these. End the
    // scale at the value of a single count then, so that the values are drawn faintly.
    return ColourScale(
      counts: shown.isEmpty && smooth != nil ? [one] : shown, of: grid, value: options.value,
      peak: smooth?.peak ?? 1, kind: options.scale,
      limit: options.limit)
  }

  /// The map with its title, legend and notes.
  public var sheet: MapSheet {
    var sheet = MapSheet(geometry: grid.key.geometry, title: title)
    sheet.captions = captions
    sheet.cells = cells
    sheet.smoothed = smooth.map(pixels)
    sheet.masked = masked
    sheet.hasGridLines = options.hasGridLines
    sheet.bar = cells.isEmpty ? nil : bar
    sheet.notes = notes
    sheet.background = background
    sheet.isBare = options.isBare
    sheet.pixelsPerPoint = options.pixelsPerPoint
    sheet.metadata = metadata
    return sheet
  }

  // MARK: Colours

  private var cells: [MapSheet.Cell] {
    let geometry = grid.key.geometry
    return values.indices.compactMap { index in
      guard grid.sum[index] > 0 else { return nil }
      let block = Block(column: index % geometry.columns, row: index / geometry.columns)
      return MapSheet.Cell(
        block, ink(scale.part(of: values[index])),
        title: blockTitle(block, isMasked: masked.contains(block)))
    }
  }

  func ink(_ part: Double) -> Ink {
    let position = ColourScale.floor + (Self.lastColour - ColourScale.floor) * part
    return Ink(
      options.colours.colour(at: position),
      opacity: background == nil && !options.isBare ? 1 : Self.opacityOverBackground)
  }
}
