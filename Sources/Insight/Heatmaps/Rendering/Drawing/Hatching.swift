/// The lines of a hatch. They are diagonals of the whole drawing, so that the lines of adjacent
/// boxes join.
struct Hatching {
  static let dark = Ink(Colour(red: 40, green: 40, blue: 46), opacity: 0.75)
  static let light = Ink(Colour(red: 255, green: 255, blue: 255), opacity: 0.75)

  typealias Line = (from: Position, to: Position)
  let lineWidth: Double
  let darkLines: [Line]
  let lightLines: [Line]

  /// Creates the lines that cover the boxes.
  /// - Parameter spacing: the distance between two dark lines, perpendicular to them.
  /// - Returns: nil if there are no boxes or `spacing` is not above 0.
  init?(_ boxes: [Box], spacing: Double) {
    guard let first = boxes.first, spacing > 0 else { return nil }
    var (left, top, right, bottom) = (first.x, first.y, first.right, first.bottom)
    for box in boxes {
      (left, top) = (min(left, box.x), min(top, box.y))
      (right, bottom) = (max(right, box.right), max(bottom, box.bottom))
    }
    // All points of a diagonal have the same x + y. The next one is `spacing` away perpendicularly,
    // which is `step` along an axis.
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
