internal import Heatmaps
internal import Text
internal import TouchModel

/// Gestures for a terminal: a table for each screen.
extension GestureReport {
  package func lines(width: Int) -> [String] {
    Array(screens.map { $0.lines(width: width) }.joined(separator: [""]))
  }
}

extension GestureReport.Screen {
  fileprivate func lines(width: Int) -> [String] {
    let (key, view) = (all.key, all.view)
    let title =
      "\(key.screen.printable()) on \(key.display.printable()), geometry \(key.geometry.text): "
      + "\(counted(view.touches, "touch", "touches", groupsDigits: true)) in "
      + counted(view.sessions, "session", groupsDigits: true)
    // A column that would be empty is left out.
    let isObserved = all.made.contains { all.observed($0) > 0 }
    var columns: [TextTable.Column] = [
      .init("GESTURE"), .init("TIMES", isNumber: true), .init("SESSIONS", isNumber: true),
      .init("OF ALL", isNumber: true),
    ]
    if isObserved { columns.append(.init("NO RESPONSE", isNumber: true)) }
    if !controls.isEmpty { columns.append(.init("BEGAN ON", canShrink: true)) }
    let rows = ([all] + controls).flatMap { place in
      place.made.map { gesture -> [String] in
        let sessions = place.sessions(gesture)
        var row = [
          gesture.words, groupedDigits(place.times(gesture)), groupedDigits(sessions),
          "\(Share.percent(Double(sessions) / Double(max(1, view.sessions)))) %",
        ]
        if isObserved { row.append(place.unansweredWords(gesture)) }
        if !controls.isEmpty { row.append(place.control?.printable() ?? "anything") }
        return row
      }
    }
    let note = "Parts of the screen were masked: no gesture counts there."
    return wrapped(title, to: width) + TextTable(columns, rows: rows).lines(width: width)
      + (view.masks.isEmpty ? [] : wrapped(note, to: width))
  }
}

extension SummedGestures {
  fileprivate func unansweredWords(_ gesture: Gesture) -> String {
    observed(gesture) == 0
      ? "-" : "\(groupedDigits(unanswered(gesture))) of \(groupedDigits(observed(gesture)))"
  }
}
