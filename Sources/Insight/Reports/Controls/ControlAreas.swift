internal import TouchModel

/// The area around a control that belongs to it: all points on the display, outside masks and other
/// controls, that are nearest to this control. Accidental touches are as dense there as farther
/// out, so the areas give the expected number of them.
struct ControlArea {
  /// The area, in square points, and its first and second moments about the centre of the control,
  /// in powers of points.
  struct Moments {
    var area = 0.0
    var x = 0.0
    var y = 0.0
    var xx = 0.0
    var yy = 0.0
  }

  /// Inside the control, where no other control lies above it.
  var inside = Moments()
  /// Up to 5 mm outside the control.
  var near = Moments()
  /// The area from 5 to 10 mm outside the control, in square points.
  var around = 0.0
  /// The areas of the rings up to 10 mm, by side and ring, in square points.
  var rings = Array(
    repeating: Array(repeating: 0.0, count: ControlSums.rings.count),
    count: ControlSums.Side.allCases.count)

  /// The maximum number of raster cells for all controls of a set.
  private static let cellLimit = 1e6

  /// Measures the areas of all controls of a set, on a raster of half a mm, or a coarser one if that
  /// would have too many cells.
  /// - Parameter masks: for each control, the masks that keep touches from it.
  static func all(
    _ set: ControlSet, on geometry: DisplayGeometry, masks: [[Rectangle]]
  ) -> [Self] {
    let step = step(set, on: geometry)
    let reach = (ControlSums.rings.last ?? 0) / set.pointSize
    return set.controls.indices.map { control in
      let own = set.controls[control].rectangle
      // Other controls are too far away to be nearer to any point of the area.
      let rivals = set.nearby(control, within: 2 * reach)
      let close = masks[control].filter { $0.isNear(own, within: reach) }
      var area = Self()
      var y = max(0, own.y - reach) + step / 2
      let end = (
        x: min(geometry.width, own.x + own.width + reach),
        y: min(geometry.height, own.y + own.height + reach)
      )
      while y < end.y {
        var x = max(0, own.x - reach) + step / 2
        while x < end.x {
          let point = Point(x: x, y: y)
          if !close.contains(where: { $0.contains(point) }),
            let match = rivals.match(point), rivals.indices[match.control] == control
          {
            area.add(match, point, of: own, cell: step * step)
          }
          x += step
        }
        y += step
      }
      return area
    }
  }

  private static func step(_ set: ControlSet, on geometry: DisplayGeometry) -> Double {
    let fine = 0.5 / set.pointSize
    let reach = (ControlSums.rings.last ?? 0) / set.pointSize
    let area = set.controls.reduce(0) { sum, control in
      let width = min(control.rectangle.width + 2 * reach, geometry.width)
      return sum + width * min(control.rectangle.height + 2 * reach, geometry.height)
    }
    return max(fine, (area / cellLimit).squareRoot())
  }

  private mutating func add(
    _ match: ControlSet.Match, _ point: Point, of control: Rectangle, cell: Double
  ) {
    let x = point.x - control.x - control.width / 2
    let y = point.y - control.y - control.height / 2
    func add(to moments: inout Moments) {
      moments.area += cell
      moments.x += cell * x
      moments.y += cell * y
      moments.xx += cell * x * x
      moments.yy += cell * y * y
    }
    guard let ring = match.ring else { return add(to: &inside) }
    rings[match.side.rawValue][ring] += cell
    if match.isNear { add(to: &near) } else { around += cell }
  }
}

/// Accidental touches, which aim at no control, and the area in which they are, in square points.
struct ControlBackground {
  var touches: Double
  var area: Double

  /// The smallest area around a control, as a part of the area in and near it. In a smaller area,
  /// which lies between close controls, a single touch would weigh too much.
  static let leastPart = 0.5

  /// Returns the background of each control, measured in the area around it. If that area is too
  /// small, uses the areas around all controls; nil if these are too small as well.
  static func all(_ sums: [ControlSums], _ areas: [ControlArea]) -> [ControlBackground?] {
    let own = zip(sums, areas).map { sums, area in
      ControlBackground(
        touches: sums.beside.reduce(0) { $0 + Double($1.last ?? 0) }, area: area.around)
    }
    let pooled = own.reduce(ControlBackground(touches: 0, area: 0)) {
      ControlBackground(touches: $0.touches + $1.touches, area: $0.area + $1.area)
    }
    return zip(own, areas).map { own, area in
      [own, pooled].first { $0.area > leastPart * (area.inside.area + area.near.area) }
    }
  }
}

/// Some controls of a set, with their places in it.
struct ControlGroup {
  let set: ControlSet
  let indices: [Int]

  func match(_ point: Point) -> ControlSet.Match? { set.match(point) }
}

extension ControlSet {
  /// The controls whose rectangles are near that of a control, and the control itself.
  func nearby(_ control: Int, within reach: Double) -> ControlGroup {
    let own = controls[control].rectangle
    let indices = controls.indices.filter { controls[$0].rectangle.isNear(own, within: reach) }
    let some = indices.map { controls[$0] }
    return ControlGroup(set: ControlSet(some, pointSize: pointSize) ?? self, indices: indices)
  }
}

extension Rectangle {
  /// Whether the horizontal and the vertical gap to another rectangle are at most `reach`.
  func isNear(_ other: Rectangle, within reach: Double) -> Bool {
    x - reach <= other.x + other.width && other.x <= x + width + reach
      && y - reach <= other.y + other.height && other.y <= y + height + reach
  }
}
