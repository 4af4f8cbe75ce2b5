internal import Text
internal import TouchModel

/// The image of a smoothed grid, and the notes on it.
extension GridMap {
  /// The value below which the colours fade out, because a Gaussian never ends: half of the highest
  /// value that a single count has, but at most half of the scale's limit. nil without smoothing.
  var fade: Double? {
    smooth.map { min(grid.valueOfOne(options.value) * $0.peak, scale.limit) / 2 }
  }

  func ink(of value: Double) -> Ink {
    let ink = ink(scale.part(of: value))
    guard let fade, fade > 0, value < fade else { return ink }
    let part = value / fade
    return ink.opacity(ink.opacity * part * part)
  }

  func pixels(_ smooth: SmoothedGrid) -> Pixels {
    Pixels(
      width: smooth.columns, height: smooth.rows,
      values: smooth.values.map { Pixels.value(ink(of: $0)) })
  }

  /// The highest value that the picture shows.
  var most: Double { smooth?.values(outside: masked).max() ?? values.max() ?? 0 }

  /// The rule for the end of the scale, for programs.
  var limitRule: String {
    if options.limit != nil { return "given" }
    return smooth == nil
      ? "99th percentile of blocks above 0" : "99th percentile of smoothed samples above fade"
  }

  var smoothingNotes: [String] {
    guard let deviation = options.smoothing, let fade else { return [] }
    let size = grid.key.geometry.blockSize
    let note =
      "Smoothed for display with a Gaussian of \(measuredDigits(deviation)) points (standard "
      + "deviation): colour also spreads over blocks without touches. It fades out below "
      + "\(measuredDigits(fade)), half the value of \(grid.layer.counted(1)). The counts are those of blocks "
      + "of \(size) points."
    return [note] + (masked.isEmpty ? [] : ["Masked blocks are not coloured."])
  }
}
