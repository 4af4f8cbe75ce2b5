public import GridFormats
internal import TouchModel

/// One grid as a picture.
public struct GridMap {
  /// What part of the map's ends is left out: a colour that is nearly white is no colour on white paper.
  static let lastColour = 0.95
  /// Of blocks over a screenshot, which is then still seen.
  static let opacityOverBackground = 0.82

  let grid: SummedGrid
  let options: HeatmapOptions
  let source: HeatmapSource
  let background: Background?
  let values: [Double]
  let smooth: SmoothedGrid?
  let scale: ColourScale

  /// - Parameter background: one that fits the grid's geometry.
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
    scale = Self.scale(values, smooth, grid, options)
  }

  private static func scale(
    _ values: [Double], _ smooth: SmoothedGrid?, _ grid: SummedGrid, _ options: HeatmapOptions
  ) -> ColourScale {
    let one = grid.valueOfOne(options.value) * (smooth?.peak ?? 1)
    let shown = smooth.map { smooth in smooth.values.filter { $0 > one / 2 } } ?? values
    return ColourScale(
      counts: shown, of: grid, value: options.value, peak: smooth?.peak ?? 1, kind: options.scale,
      limit: options.limit)
  }

  /// What is to be drawn.
  public var sheet: MapSheet {
    var sheet = MapSheet(geometry: grid.key.geometry, title: title)
    sheet.captions = captions
    sheet.cells = cells
    sheet.smoothed = smooth.map(pixels)
    sheet.masked = grid.maskedBlocks
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
    let masked = grid.maskedBlocks
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

  /// Below what one touch gives at its middle the colour fades away, as a Gaussian has no edge.
  private func pixels(_ smooth: SmoothedGrid) -> Pixels {
    let one = min(grid.valueOfOne(options.value) * smooth.peak, scale.limit) / 2
    return Pixels(
      width: smooth.columns, height: smooth.rows,
      values: smooth.values.map { value in
        let fading = one > 0 ? min(1, value / one) : 1
        let ink = ink(scale.part(of: value))
        return Pixels.value(ink.opacity(ink.opacity * fading * fading))
      })
  }
}
