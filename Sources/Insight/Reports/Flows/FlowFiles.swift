internal import Heatmaps
package import Text
internal import TouchModel

/// The changes between screens, as JSON and as comma-separated values; `docs/flows.md` documents
/// the members and columns.
extension FlowReport {
  /// - Parameter of: the selected sessions.
  package func json(of: JSONValue) -> JSONValue {
    .object(
      [
        .init(name: "format", value: "touchgrid-flows"),
        .init(name: "version", value: .integer(1)),
        .init(name: "of", value: of),
      ] + members)
  }

  /// The members without the format.
  var members: [JSONValue.Member] {
    let members: [(String, JSONValue)] = [
      ("sessions", .integer(counts.sessions)), ("screens", .array(screens.map(\.json))),
      (
        "steps",
        .array(
          counts.steps.map { step in
            [
              "display": .string(step.display), "from": .string(step.from),
              "to": .string(step.to), "times": .integer(step.times),
              "sessions": .integer(step.sessions),
            ]
          })
      ),
      ("hiddenSteps", .integer(Int64(hiddenSteps))),
      (
        "funnels",
        .array(
          counts.funnels.map { counts in
            [
              "name": .string(counts.funnel.name),
              "screens": .array(counts.funnel.screens.map { .string($0) }),
              "reached": .array(counts.reached.map { .integer($0) }),
            ]
          })
      ),
      ("limitsMs", .array(PauseBins.limits.map { .real(Double($0) / 1000) })),
    ]
    return members.map { JSONValue.Member(name: $0.0, value: $0.1) }
  }

  /// One line for each change. The first change of a session has no screen before it, the last one
  /// no screen after it.
  package var csv: [UInt8] {
    var text = "display,from,to,times,sessions\n"
    func add(_ display: String, _ from: String, _ to: String, _ times: UInt64, _ sessions: UInt64) {
      let fields = [display, from, to].map { GridCSV.field($0) } + ["\(times)", "\(sessions)"]
      text += fields.joined(separator: ",") + "\n"
    }
    for screen in counts.screens where screen.entries > 0 {
      add(screen.display, "", screen.screen, screen.entries, screen.entries)
    }
    for step in counts.steps { add(step.display, step.from, step.to, step.times, step.sessions) }
    for screen in screens where screen.exits > 0 {
      add(screen.flow.display, screen.flow.screen, "", screen.exits, screen.exits)
    }
    return Array(text.utf8)
  }
}

extension FlowReport.ScreenSummary {
  fileprivate var json: JSONValue {
    func real(_ value: Double?) -> JSONValue { value.map { .real($0) } ?? .null }
    let exits = zip(SessionEnd.allCases, flow.exits).map { reason, number in
      JSONValue.Member(name: reason.rawValue, value: .integer(number))
    }
    return [
      "display": .string(flow.display), "screen": .string(flow.screen),
      "sessions": .integer(flow.sessions), "entries": .integer(flow.entries),
      "visits": .integer(flow.visits), "firstTouchMs": real(firstTouch),
      "nextTouchMs": real(pause), "untouchedShare": real(untouchedShare),
      "firstTouches": .array(flow.firstTouches.map { .integer($0) }),
      "pauses": .array(flow.pauses.map { .integer($0) }), "exits": .object(exits),
      "oneTouchSessions": .integer(flow.oneTouchSessions),
    ]
  }
}
