package import TouchModel

/// The orientation of a panel relative to the picture: which raw axis is horizontal, and at which
/// edges the axes begin.
package struct PanelSight: Hashable, Sendable {
  /// Whether the panel's x axis is vertical in the picture.
  package var swapsAxes = false
  /// Whether the horizontal axis begins at the right edge.
  package var beginsRight = false
  /// Whether the vertical axis begins at the bottom edge.
  package var beginsBelow = false

  /// Creates the orientation of an unrotated panel.
  package init() {}

  /// - Parameters:
  ///   - matrix: the calibration of the touchscreen.
  ///   - rotation: the rotation of its display.
  package init(_ matrix: CalibrationMatrix, _ rotation: Rotation) {
    func seen(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      let point = matrix.apply(x, y)
      return rotation.apply(point.x, point.y)
    }
    let (left, right) = (seen(0, 0.5), seen(1, 0.5))
    let (top, bottom) = (seen(0.5, 0), seen(0.5, 1))
    let alongX = (x: right.x - left.x, y: right.y - left.y)
    let alongY = (x: bottom.x - top.x, y: bottom.y - top.y)
    swapsAxes = abs(alongX.y) > abs(alongX.x)
    beginsRight = (swapsAxes ? alongY.x : alongX.x) < 0
    beginsBelow = (swapsAxes ? alongX.y : alongY.y) < 0
  }

  /// The direction of lines in the picture.
  package func seen(_ direction: PanelCounts.Direction) -> PanelCounts.Direction {
    guard swapsAxes else { return direction }
    return direction == .vertical ? .horizontal : .vertical
  }

  /// The place of a line, counted from the left or top edge of the picture.
  package func seen(_ line: Int, _ direction: PanelCounts.Direction) -> Int {
    let isFromFarEdge = seen(direction) == .vertical ? beginsRight : beginsBelow
    return isFromFarEdge ? direction.lines - 1 - line : line
  }

  package func seen(
    _ lines: ClosedRange<Int>, _ direction: PanelCounts.Direction
  ) -> ClosedRange<Int> {
    let ends = [seen(lines.lowerBound, direction), seen(lines.upperBound, direction)]
    return min(ends[0], ends[1])...max(ends[0], ends[1])
  }
}

/// The position of lines of a panel in the picture.
package struct PanelPlace: Hashable, Sendable {
  /// The edge from which the distance of lines is measured.
  package enum Edge: String, Sendable {
    case left, top
    /// The start of a raw axis, because the orientation of the panel is unknown.
    case x, y

    /// The edge as text.
    package var words: String {
      switch self {
      case .left, .top: "the \(rawValue) edge"
      case .x, .y: "where its \(rawValue) axis begins"
      }
    }
  }

  /// The direction of the lines in the picture.
  package let direction: PanelCounts.Direction
  /// The lines, counted from 1 at the edge.
  package let lines: ClosedRange<Int>
  /// The number of lines of the panel in this direction.
  package let count: Int
  /// Their distance from the edge, in mm; nil if the driver does not know the size.
  package let millimetres: ClosedRange<Double>?
  package let edge: Edge

  /// - Parameter sight: nil if the orientation of the panel is unknown. Positions are then along
  ///   its raw axes.
  init(
    _ lines: ClosedRange<Int>, _ direction: PanelCounts.Direction, on key: PanelKey,
    sight: PanelSight?
  ) {
    let seen = (sight ?? PanelSight()).seen(lines, direction)
    self.direction = sight?.seen(direction) ?? direction
    self.lines = (seen.lowerBound + 1)...(seen.upperBound + 1)
    count = direction.lines
    let axis = direction == .vertical ? key.x : key.y
    millimetres = axis.millimetres.map { size in
      let width = size / Double(direction.lines)
      return (width * Double(seen.lowerBound))...(width * Double(seen.upperBound + 1))
    }
    edge =
      switch (sight, self.direction) {
      case (nil, .vertical): .x
      case (nil, .horizontal): .y
      case (_, .vertical): .left
      case (_, .horizontal): .top
      }
  }

  /// The place as text, such as `vertical line 24 of 64, 121 to 126 mm from the left edge`.
  package var words: String {
    let name = direction == .vertical ? "vertical line" : "horizontal line"
    let numbers =
      lines.count == 1
      ? "\(name) \(lines.lowerBound)" : "\(name)s \(lines.lowerBound) to \(lines.upperBound)"
    return "\(numbers) of \(count), \(distance) from \(edge.words)"
  }

  private var distance: String {
    if let millimetres {
      return
        "\(Int(millimetres.lowerBound.rounded())) to \(Int(millimetres.upperBound.rounded())) mm"
    }
    func percent(_ line: Int) -> Int { Int((100 * Double(line) / Double(count)).rounded()) }
    return "\(percent(lines.lowerBound - 1)) to \(percent(lines.upperBound)) %"
  }
}

extension PanelAxis {
  /// The length of the axis in mm; nil if the driver does not know.
  var millimetres: Double? {
    guard resolution > 0, minimum < maximum else { return nil }
    return (Double(maximum) - Double(minimum) + 1) / Double(resolution)
  }
}
