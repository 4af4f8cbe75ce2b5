/// A square of an output.
struct Tile: Hashable {
  /// Points along its side, `TOUCHGRID_TILE`.
  static let side = 128

  let column: Int32
  let row: Int32

  var area: Area {
    Area(
      x: Int(column) * Self.side, y: Int(row) * Self.side, width: Self.side, height: Self.side)
  }

  /// The tiles of an output of this size, in points, of which one of the areas has a part.
  static func touched(by areas: [Area], width: Int32, height: Int32) -> Set<Tile> {
    var tiles: Set<Tile> = []
    for area in areas where !area.isEmpty {
      let (left, top) = (max(area.x, 0), max(area.y, 0))
      let right = min(area.x + area.width, Int(width)) - 1
      let bottom = min(area.y + area.height, Int(height)) - 1
      guard left <= right, top <= bottom else { continue }
      for row in top / side...bottom / side {
        for column in left / side...right / side {
          tiles.insert(Tile(column: Int32(column), row: Int32(row)))
        }
      }
    }
    return tiles
  }
}

extension Area {
  /// Whether the two have a point in common.
  func meets(_ other: Area) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height
      && other.y < y + height
  }
}
