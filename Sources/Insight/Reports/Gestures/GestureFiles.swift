internal import Heatmaps
package import Text
internal import TouchModel

/// Gestures as JSON and as comma-separated values; `docs/gestures.md` documents the members and
/// columns.
extension GestureReport {
  /// - Parameter of: the selected sessions.
  package func json(of: JSONValue) -> JSONValue {
    [
      "format": "touchgrid-gestures", "version": .integer(1), "of": of,
      "screens": .array(screens.map(\.json)),
    ]
  }

  /// One line for each screen and gesture, including gestures with 0 times.
  package var csv: [UInt8] {
    var text = "screen,gesture,times,sessions,display,geometry,screen_sessions\n"
    for screen in screens {
      for gesture in Gesture.allCases {
        let fields = [
          GridCSV.field(screen.key.screen), gesture.rawValue, "\(screen.times(gesture))",
          "\(screen.sessions(gesture))", GridCSV.field(screen.key.display),
          screen.key.geometry.text, "\(screen.view.sessions)",
        ]
        text += fields.joined(separator: ",") + "\n"
      }
    }
    return Array(text.utf8)
  }
}

extension SummedGestures {
  fileprivate var json: JSONValue {
    let gestures = Gesture.allCases.map { gesture -> JSONValue in
      [
        "gesture": .string(gesture.rawValue), "times": .integer(times(gesture)),
        "sessions": .integer(sessions(gesture)),
      ]
    }
    return [
      "screen": .string(key.screen), "display": .string(key.display),
      "geometry": key.geometry.json, "screenSessions": .integer(view.sessions),
      "screenTouches": .integer(view.touches), "gestures": .array(gestures),
    ]
  }
}
