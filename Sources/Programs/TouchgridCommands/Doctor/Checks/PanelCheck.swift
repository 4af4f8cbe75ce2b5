import Reports

/// Checks the health of the touchscreens.
enum PanelCheck {
  /// - Parameter states: reads the states.
  static func findings(_ states: () throws -> [PanelState]) -> [Finding] {
    do { return try states().flatMap { findings(of: $0) } } catch {
      return [
        .warning(
          "the counts of touchscreens cannot be read: \(error)",
          "'touchgrid panel' tries again; 'touchgrid store check' looks for damage")
      ]
    }
  }

  static func findings(of state: PanelState) -> [Finding] {
    guard state.verdict == .faulty else { return [.ok("\(state.title): \(state.summary)")] }
    return state.findings.map {
      .problem("\(state.title): \(state.headline($0)) \($0.text)", $0.remedy)
    }
  }
}
