internal import Heatmaps
package import Text
internal import TouchModel

/// Proposed controls as JSON and for a terminal; `docs/controls.md` documents the members.
extension ControlProposals {
  /// - Parameters:
  ///   - all: the proposals of all screens.
  ///   - of: the selected sessions.
  package static func json(_ all: [ControlProposals], of: JSONValue) -> JSONValue {
    [
      "format": "touchgrid-proposals", "version": .integer(1), "of": of,
      "screens": .array(
        all.map { screen in
          [
            "screen": .string(screen.key.screen), "display": .string(screen.key.display),
            "geometry": screen.key.geometry.json, "sessions": .integer(screen.sessions),
            "spots": .array(screen.spots.map(\.json)),
          ]
        }),
    ]
  }

  /// A table of the spots.
  package func lines(width: Int) -> [String] {
    let title =
      "\(key.screen.printable()) on \(key.display.printable()), geometry \(key.geometry.text): "
      + "\(counted(spots.count, "spot")) in \(counted(sessions, "session", groupsDigits: true))"
    let table = TextTable(
      [
        .init("SPOT", isNumber: true), .init("TAPS", isNumber: true),
        .init("OF ALL", isNumber: true), .init("RECTANGLE"), .init("PROPOSED AS"),
      ],
      rows: spots.map { spot in
        let edges = spot.rectangle
        return [
          "\(spot.number)", groupedDigits(spot.touches), "\(Share.percent(spot.share)) %",
          [edges.x, edges.y, edges.width, edges.height].map { JSONValue.real($0).text }
            .joined(separator: ","), spot.isMask ? "mask: like a keypad" : "control",
        ]
      })
    return wrapped(title, to: width) + table.lines(width: width)
  }
}

extension ControlProposals.Spot {
  var json: JSONValue {
    [
      "number": .integer(number), "kind": .string(isMask ? "mask" : "control"),
      "rectangle": rectangle.json, "touches": .integer(touches), "share": .real(share),
    ]
  }
}

extension Finding {
  /// - Parameter screens: the screens with spots that are not described, the most touched first.
  /// - Returns: nil if there are none.
  static func undescribed(_ screens: [(key: GridKey, spots: Int)]) -> Finding? {
    guard let first = screens.first else { return nil }
    let spots = screens.reduce(0) { $0 + $1.spots }
    let others = screens.count - 1
    let places =
      quoted(first.key.screen)
      + (others == 0 ? "" : " and \(others) other screen\(others == 1 ? "" : "s")")
    let what =
      spots == 1
      ? "a name to the numbered spot on the map (touchgrid control --propose lists it), and the "
        + "report tells whether people miss it and what to change, and whether it responds late or "
        + "not at all."
      : "names to the \(spots) numbered spots on the \(others == 0 ? "map" : "maps") (touchgrid "
        + "control --propose lists them), and the report tells which of them people miss and what to "
        + "change, which respond late or not at all, and which nobody uses."
    let text = "The controls of \(places) are not described: give \(what)"
    return Finding(kind: .undescribed, key: first.key, controls: [], text: text)
  }
}
