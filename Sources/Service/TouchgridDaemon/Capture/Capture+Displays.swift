internal import LinuxIO
internal import Text
internal import TouchInput
internal import TouchModel

/// Assigns panels to displays again when monitors change, and repeats this until their modes are
/// known.
extension Capture {
  /// Handles a change of the connected monitors. Reassigns a panel if its display or size is a
  /// guess, or if its display has a new mode. All other panels keep their placement, because
  /// switching a monitor off must not move them.
  func reassignGuessedDisplays(at moment: Moment) {
    assignment.isSettling = true
    placeGuessed(by: readConnectors(), at: moment)
    nextLook = (moment.boottime + Self.firstLook, Self.firstLook)
  }

  private func placeGuessed(by connectors: [DRMConnector], at moment: Moment) {
    assignDisplays(by: connectors, at: moment) { old, result, panel in
      var doubted = old
      doubted.geometrySource = .guess
      if assignment.mayHaveMoved(
        old, alternatives: result.alternatives, connectors: connectors)
      {
        return doubted
      }
      var (new, knowledge) = (result.placement, result.sizeKnowledge)
      // Connecting another monitor must not turn a known display into a guess. The panel stays on
      // its display, whose size may have changed.
      if old.displaySource != .guess, new.displaySource == .guess,
        let kept = assignment.resized(old, of: panel, connectors: connectors)
      {
        (new, knowledge) = kept
      }
      if old.display == new.display, old.geometrySource != .configuration {
        switch knowledge {
        case .contradicted: return new
        // The connector may have another monitor. Keep the old geometry, as a guess, until the
        // kernel has listed the modes.
        case .expected: return doubted
        case .unknown: return nil
        case .known where old.geometrySource == .drm && new.geometrySource == .drm: return new
        // Keep a guess while monitors settle, because it may be a mode that the compositor uses
        // again.
        case .known where assignment.isSettling && old.geometrySource == .guess: return nil
        case .known: break
        }
      }
      let wasGuessed = old.displaySource == .guess || old.geometrySource == .guess
      return wasGuessed && (old.displaySource == .guess || new.displaySource != .guess) ? new : nil
    }
  }

  /// The delays between checks of the displays, in µs: the first, the last in any case, and the
  /// last while a connected display has no mode. See `lookAgain`.
  private static let firstLook: Int64 = 1_000_000
  private static let fewLooks: Int64 = 4_000_000
  private static let lastLook: Int64 = 64_000_000

  /// Schedules another check of the displays if a connected one has no mode yet. Does nothing if
  /// one is already scheduled.
  func expectModes(of connectors: [DRMConnector], at moment: Moment) {
    if nextLook == nil, connectors.contains(where: \.lacksMode) {
      nextLook = (moment.boottime + Self.firstLook, Self.firstLook)
    }
  }

  /// Reads the connected displays again, and schedules the next check.
  ///
  /// The kernel reports a new monitor before it lists the monitor's modes. Until then, it may still
  /// list the modes of the previous monitor, and it does not report when it has listed the new
  /// ones. So the displays are read again 1, 3 and 7 s after a report and, while a connected
  /// display has no mode, also after 15, 31, 63 and 127 s. `isSettling` is true from a report to
  /// the last check.
  func lookAgain(at moment: Moment) {
    let delay = 2 * (nextLook?.after ?? 0)
    let connectors = readConnectors()
    let goesOn =
      delay <= Self.fewLooks || delay <= Self.lastLook && connectors.contains(where: \.lacksMode)
    if !goesOn { assignment.isSettling = false }
    placeGuessed(by: connectors, at: moment)
    nextLook = goesOn ? (moment.boottime + delay, delay) : nil
  }
}
