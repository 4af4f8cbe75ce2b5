import Text
import TouchModel

/// A small map of a display with one touch on it, in characters.
enum TouchMap {
  /// - Parameters:
  ///   - placement: the placement of the touched touchscreen.
  ///   - width: the number of columns of the terminal.
  static func lines(_ touch: RawTouches.TouchDown, _ placement: Placement, width: Int) -> [String] {
    let geometry = placement.geometry
    let point = placement.locate(rawX: touch.x, rawY: touch.y).point
    let map = CharacterMap(geometry, maxColumns: min(width - 2, 48), maxRows: 16)
    let touched = map.index(x: point.x, y: point.y)
    let place =
      "\(placement.display.printable()): point \(Int(point.x)), \(Int(point.y)) of "
      + "\(Int(geometry.width)) x \(Int(geometry.height))"
    return map.lines { $0 == touched ? "@" : " " } + [place]
  }
}
