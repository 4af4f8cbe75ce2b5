public import Text
public import TouchModel

/// Writes the changes between screens on one day in the long form.
public enum FlowRows {
  public static let visitColumns =
    ["day", "display", "screen", "sessions", "entries", "visits", "first_touches", "pauses"]
    + SessionEnd.allCases.map { "left_\($0.rawValue)" } + ["one_touch_sessions"]
  public static let stepColumns = ["day", "display", "screen", "next", "times", "sessions"]
  public static let funnelColumns = ["day", "funnel", "step", "screen", "sessions"]

  /// Returns a line for each screen of each display.
  public static func visits(_ counts: FlowCounts, day: String) -> [[JSONValue]] {
    counts.screens.map { screen in
      [
        .string(day), .string(screen.display), .string(screen.screen), .integer(screen.sessions),
        .integer(screen.entries), .integer(screen.visits),
        .array(screen.firstTouches.map { .integer($0) }),
        .array(screen.pauses.map { .integer($0) }),
      ] + screen.exits.map { .integer($0) } + [.integer(screen.oneTouchSessions)]
    }
  }

  /// Returns a line for each kind of change.
  public static func steps(_ counts: FlowCounts, day: String) -> [[JSONValue]] {
    counts.steps.map { step in
      [
        .string(day), .string(step.display), .string(step.from), .string(step.to),
        .integer(step.times), .integer(step.sessions),
      ]
    }
  }

  /// Returns a line for each screen of each funnel.
  public static func funnels(_ counts: FlowCounts, day: String) -> [[JSONValue]] {
    counts.funnels.flatMap { counts in
      zip(counts.funnel.screens, counts.reached).enumerated().map { index, step in
        [
          .string(day), .string(counts.funnel.name), .integer(Int64(index + 1)),
          .string(step.0), .integer(step.1),
        ]
      }
    }
  }
}
