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

  /// One line for each screen or control and gesture, including gestures with 0 times.
  package var csv: [UInt8] {
    var text =
      "screen,gesture,times,sessions,display,geometry,screen_sessions,control,observed,unanswered\n"
    for place in screens.flatMap({ [$0.all] + $0.controls }) {
      for gesture in Gesture.allCases {
        let fields = [
          GridCSV.field(place.key.screen), gesture.rawValue, "\(place.times(gesture))",
          "\(place.sessions(gesture))", GridCSV.field(place.key.display),
          place.key.geometry.text, "\(place.view.sessions)", GridCSV.field(place.control ?? ""),
          "\(place.observed(gesture))", "\(place.unanswered(gesture))",
        ]
        text += fields.joined(separator: ",") + "\n"
      }
    }
    return Array(text.utf8)
  }
}

extension GestureReport.Screen {
  fileprivate var json: JSONValue {
    let (key, view) = (all.key, all.view)
    return [
      "screen": .string(key.screen), "display": .string(key.display),
      "geometry": key.geometry.json, "screenSessions": .integer(view.sessions),
      "screenTouches": .integer(view.touches), "gestures": all.json,
      "controls": .array(
        controls.map { ["name": .string($0.control ?? ""), "gestures": $0.json] }),
    ]
  }
}

extension SummedGestures {
  fileprivate var json: JSONValue {
    .array(
      Gesture.allCases.map { gesture in
        [
          "gesture": .string(gesture.rawValue), "times": .integer(times(gesture)),
          "sessions": .integer(sessions(gesture)), "observed": .integer(observed(gesture)),
          "unanswered": .integer(unanswered(gesture)),
        ]
      })
  }
}
