internal import Heatmaps
internal import Text
internal import TouchModel

/// Gestures for a terminal: a table for each screen.
extension GestureReport {
  package func lines(width: Int) -> [String] {
    Array(screens.map { $0.lines(width: width) }.joined(separator: [""]))
  }
}

extension SummedGestures {
  fileprivate func lines(width: Int) -> [String] {
    let title =
      "\(key.screen.printable()) on \(key.display.printable()), geometry \(key.geometry.text): "
      + "\(counted(view.touches, "touch", "touches", groupsDigits: true)) in "
      + counted(view.sessions, "session", groupsDigits: true)
    let table = TextTable(
      [
        .init("GESTURE"), .init("TIMES", isNumber: true), .init("SESSIONS", isNumber: true),
        .init("OF ALL", isNumber: true),
      ],
      rows: made.map { gesture in
        [
          gesture.words, groupedDigits(times(gesture)), groupedDigits(sessions(gesture)),
          "\(Share.percent(Double(sessions(gesture)) / Double(max(1, view.sessions)))) %",
        ]
      })
    let note = "Parts of the screen were masked: no gesture counts there."
    return wrapped(title, to: width) + table.lines(width: width)
      + (view.masks.isEmpty ? [] : wrapped(note, to: width))
  }
}
