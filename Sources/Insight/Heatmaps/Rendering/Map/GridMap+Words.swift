internal import Text
internal import TouchModel

/// The texts around the map.
extension GridMap {
  var title: String { "\(grid.key.screen.printable()): \(grid.layer.meaning)" }

  var captions: [String] {
    let touches = counted(grid.touches, "touch", "touches", groupsDigits: true)
    return [
      "\(grid.key.display.printable()), \(grid.key.geometry.sentence)",
      "n = \(grouped(grid.sessions, "session")) on \(grouped(grid.days, "day")), \(touches); "
        + source.words,
    ]
  }

  private func grouped(_ count: UInt64, _ noun: String) -> String {
    counted(count, noun, groupsDigits: true)
  }

  /// Returns the tooltip of a block, such as `column 3, row 4: 12 taps, mean 0.35 of 34 sessions`.
  func blockTitle(_ block: Block, isMasked: Bool) -> String {
    let count = grid.sum[grid.key.geometry.index(of: block)]
    var title = "column \(block.column), row \(block.row): \(grid.layer.counted(count))"
    let value = values[grid.key.geometry.index(of: block)]
    switch options.value {
    case .mean, .sum:
      if grid.sessions > 0 {
        let mean = Double(count) / Double(grid.sessions)
        title += ", mean \(measuredDigits(mean)) of \(grouped(grid.sessions, "session"))"
      }
    case .rate: title += ", \(measuredDigits(value)) per minute shown"
    }
    return title + (isMasked ? ", partly masked" : "")
  }

  // MARK: Legend

  var bar: ColourBar {
    let steps = 128
    let unit = (options.value == .mean ? "mean " : "") + options.value.unit(of: grid.layer)
    return ColourBar(
      unit: smooth == nil ? "\(unit), in each block" : "\(unit), per block area",
      inks: (0..<steps).map { ink(of: scale.value(at: Double($0) / Double(steps - 1))) },
      ticks: ticks)
  }

  private var ticks: [ColourBar.Tick] {
    let limit = scale.limit
    var ticks = [ColourBar.Tick(1, measuredDigits(limit) + (most > limit * 1.0001 ? "+" : ""))]
    ticks.append(ColourBar.Tick(0, "0"))
    let least = scale.kind == .linear ? 0 : min(scale.unit, limit)
    if least > 0, least < limit {
      // A tiny mean is hard to interpret, so add the count that it stands for.
      let isOneTouch = smooth == nil && options.limit == nil && scale.unit != 1
      let note = isOneTouch ? " (\(grid.layer.counted(1)))" : ""
      ticks.append(ColourBar.Tick(scale.part(of: least), measuredDigits(least) + note))
    }
    for value in niceValues(above: least, below: limit) {
      ticks.append(ColourBar.Tick(scale.part(of: value), measuredDigits(value)))
    }
    return ticks
  }

  /// Returns round values between `least` and `limit`: powers of ten first, then five times and two
  /// times these.
  private func niceValues(above least: Double, below limit: Double) -> [Double] {
    var powers: [Double] = []
    var power = 1.0
    while power < limit, power < 1e30 { power *= 10 }
    while power > max(least, limit / 1e6) / 10, power > 1e-30 {
      powers.append(power)
      power /= 10
    }
    return [1.0, 5, 2].flatMap { digit in powers.map { digit * $0 } }
      .filter { $0 > least && $0 < limit && (scale.kind == .log || $0 > limit / 8) }
  }

  var notes: [String] {
    guard grid.sum.contains(where: { $0 > 0 }) else { return ["nothing was counted"] }
    let rule = scale.kind == .log ? "Log scale" : "Linear scale"
    let end: String
    if options.limit != nil {
      end = "ends at \(measuredDigits(scale.limit)) (--max)"
    } else if most > scale.limit * 1.0001 {
      let drawn = smooth == nil ? "the touched blocks" : "the drawn values"
      end = "ends at the 99th percentile of \(drawn)"
    } else {
      end = "ends at the \(smooth == nil ? "most touched block" : "highest value drawn")"
    }
    let counted = measuredDigits(values.max() ?? 0) + (smooth == nil ? "" : ", before smoothing")
    let colours = options.colours.name
    let note = "\(rule), \(end); most in one block: \(counted). Colours: \(colours)."
    return smooth == nil
      ? [note + " Blocks without touches have no colour."] : [note] + smoothingNotes
  }
}
