internal import GridFormats

/// The lines of a hatch: diagonals of the whole drawing, so that those of neighbouring boxes meet.
struct Hatching {
  static let dark = Ink(Colour(red: 40, green: 40, blue: 46), opacity: 0.75)
  static let light = Ink(Colour(red: 255, green: 255, blue: 255), opacity: 0.75)

  typealias Line = (from: Position, to: Position)
  let lineWidth: Double
  let darkLines: [Line]
  let lightLines: [Line]

  /// - Parameter spacing: of the dark lines, across.
  /// - Returns: nil without boxes.
  init?(_ boxes: [Box], spacing: Double) {
    guard let first = boxes.first, spacing > 0 else { return nil }
    var (left, top, right, bottom) = (first.x, first.y, first.right, first.bottom)
    for box in boxes {
      (left, top) = (min(left, box.x), min(top, box.y))
      (right, bottom) = (max(right, box.right), max(bottom, box.bottom))
    }
    // A diagonal has one x + y; its neighbour is `spacing` away across, and so much more along the axes.
    let step = spacing * 2.0.squareRoot()
    func lines(offset: Double) -> [Line] {
      let start = ((left + top - offset) / step).rounded(.down)
      let end = ((right + bottom - offset) / step).rounded(.up)
      return stride(from: start, through: end, by: 1).map { number in
        let sum = number * step + offset
        return (Position(sum - bottom, bottom), Position(sum - top, top))
      }
    }
    lineWidth = spacing / 4
    darkLines = lines(offset: 0)
    lightLines = lines(offset: step / 2)
  }
}
