internal import Heatmaps
package import Text
package import TouchModel

/// The number of touches that began in a rectangle of a screen, from the counts of its blocks. A
/// block on the edge of the rectangle may have all of its touches inside or none, so the result is
/// an interval.
package struct RegionCount: Sendable {
  package let key: GridKey
  package let rectangle: Rectangle
  package let sessions: UInt64
  /// The touches in the blocks that lie wholly in the rectangle.
  package let least: UInt64
  /// The touches in the blocks that lie wholly or partly in the rectangle.
  package let most: UInt64
  /// Whether touches in a part of it may have been masked.
  package let meetsMask: Bool

  /// - Parameter grid: the layer `taps`.
  package init(_ rectangle: Rectangle, in grid: SummedGrid) {
    key = grid.key
    self.rectangle = rectangle
    sessions = grid.sessions
    let geometry = grid.key.geometry
    var (least, most): (UInt64, UInt64) = (0, 0)
    for (index, sum) in grid.sum.enumerated() where sum > 0 {
      guard let area = geometry.area(ofBlock: index) else { continue }
      let (left, top) = (area.x, area.y)
      let (right, bottom) = (left + area.width, top + area.height)
      let (far, low) = (rectangle.x + rectangle.width, rectangle.y + rectangle.height)
      // The edges of a rectangle belong to it. Of a block, only the left and top edges do.
      guard rectangle.x < right, left <= far, rectangle.y < bottom, top <= low else { continue }
      most = most.addingReportingOverflow(sum).partialValue
      if rectangle.x <= left, right <= far, rectangle.y <= top, bottom <= low {
        least = least.addingReportingOverflow(sum).partialValue
      }
    }
    (self.least, self.most) = (least, most)
    meetsMask = grid.masks.contains { $0.isNear(rectangle, within: 0) }
  }

  /// The result in a sentence.
  package var words: String {
    let count =
      least == most ? groupedDigits(most) : "\(groupedDigits(least)) to \(groupedDigits(most))"
    let mean = sessions == 0 ? "" : " (\(Self.mean(least, most, sessions)) a session)"
    return
      "\(key.screen.printable()) on \(key.display.printable()), geometry \(key.geometry.text): "
      + "\(count) touches in \(counted(sessions, "session", groupsDigits: true))\(mean)"
      + (meetsMask ? "; masked touches are missing" : "")
  }

  private static func mean(_ least: UInt64, _ most: UInt64, _ sessions: UInt64) -> String {
    let (low, high) = (
      roundedDigits(Double(least) / Double(sessions)),
      roundedDigits(Double(most) / Double(sessions))
    )
    return low == high ? low : "\(low) to \(high)"
  }

  package static func json(_ counts: [RegionCount], of: JSONValue) -> JSONValue {
    [
      "format": "touchgrid-region", "version": .integer(1), "of": of,
      "screens": .array(
        counts.map { count in
          let edges = count.rectangle
          return [
            "screen": .string(count.key.screen), "display": .string(count.key.display),
            "geometry": count.key.geometry.json,
            "region": [
              "x": .real(edges.x), "y": .real(edges.y), "width": .real(edges.width),
              "height": .real(edges.height),
            ],
            "sessions": .integer(count.sessions), "least": .integer(count.least),
            "most": .integer(count.most), "meetsMask": .bool(count.meetsMask),
          ]
        }),
    ]
  }
}
