import Text
import TouchModel

/// A small map of a display with one touch on it, in characters.
enum TouchMap {
  /// - Parameters:
  ///   - placement: of the touchscreen that was touched.
  ///   - width: the number of columns of the terminal.
  static func lines(_ touch: RawTouches.TouchDown, _ placement: Placement, width: Int) -> [String] {
    let geometry = placement.geometry
    let location = placement.locate(rawX: touch.x, rawY: touch.y)
    // A character is about twice as high as it is wide.
    let shape = geometry.height / geometry.width / 2
    let columns = max(1, min(width - 2, 48, Int(16 / shape)))
    let rows = max(1, Int((Double(columns) * shape).rounded()))
    let column = Int(location.point.x / geometry.width * Double(columns))
    let row = Int(location.point.y / geometry.height * Double(rows))
    let edge = "+" + String(repeating: "-", count: columns) + "+"
    let picture = (0..<rows).map { line in
      "|" + (0..<columns).map { $0 == column && line == row ? "@" : " " }.joined() + "|"
    }
    let place =
      "\(placement.display.printable()): point \(Int(location.point.x)), \(Int(location.point.y)) of "
      + "\(Int(geometry.width)) x \(Int(geometry.height))"
    return [edge] + picture + [edge, place]
  }
}
