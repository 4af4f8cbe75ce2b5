import Reports
import TouchModel

/// Asks the person for one step after the other, and measures the panel's reports.
struct PanelTestRun {
  let touches: any PanelTouches
  /// Returns the pause of the daemon's recording; nil if no daemon runs.
  let pause: () throws -> RecordingPause?
  let surface: PanelSurface
  let dialogue: Dialogue
  let canvas: any PanelCanvas

  /// The time for which a finger must rest, in seconds.
  private static let leastHold = 1.5

  func run(_ steps: [PanelTestStep]) throws -> [PanelTestResult.Step] {
    try touches.begin()
    defer {
      canvas.clear()
      touches.end()
    }
    return try steps.enumerated().map { number, step in
      let title = "\(number + 1) of \(steps.count). \(step.request)"
      return PanelTestResult.Step(step: step, measures: try measure(step, title))
    }
  }

  /// - Returns: nil if the person skips the step.
  private func measure(_ step: PanelTestStep, _ title: String) throws -> PanelMeasures? {
    guard let first = try measuredOnce(step, title) else { return nil }
    let lost = touches.hasLostEvents ? "This machine was too busy, and lost reports." : nil
    guard let problem = lost ?? Self.problem(first, step) else { return first }
    // A panel may be so broken that it never reports the line, so accept the second attempt.
    return try measuredOnce(step, "\(problem) Once more; then it counts as it is. \(title)")
  }

  /// Returns the reason why a measurement is probably a mistake of the person; nil if it fits the
  /// request.
  private static func problem(_ measures: PanelMeasures, _ step: PanelTestStep) -> String? {
    switch step.kind {
    case .line, .edge:
      measures.coverage ?? 0 < 0.5 ? "That was no line from one edge to the other." : nil
    case .hold:
      measures.breaks > 0
        ? "The finger was lifted, or the panel lost it."
        : measures.duration < leastHold ? "That was too short." : nil
    case .twoFingers: measures.separation == nil ? "There were no two touches at once." : nil
    }
  }

  private func measuredOnce(_ step: PanelTestStep, _ title: String) throws -> PanelMeasures? {
    // A daemon that was started meanwhile must not record the step.
    let pause = try pause()
    touches.discard()
    try canvas.show(PanelScene(step, title: title))
    try dialogue.say(title)
    guard let strokes = try touches.strokes(pausing: pause) else {
      try dialogue.say("  left out")
      return nil
    }
    return PanelMeasures(strokes, of: step.kind, on: surface)
  }
}
