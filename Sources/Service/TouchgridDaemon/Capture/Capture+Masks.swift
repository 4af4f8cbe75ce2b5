internal import Text
internal import TouchModel

/// The masks in force, and the masks added while the position of a panel is uncertain.
extension Capture {
  /// Replaces the masks of the configuration and of clients.
  /// - Parameters:
  ///   - masks: at most `Masks.limit` of them.
  ///   - moment: when they take effect; nil: as if they had always been in force.
  func setMasks(_ masks: [Mask], at moment: Moment?) {
    requestedMasks = masks
    applyMasks(at: moment)
  }

  /// Passes the given masks to the recorder, widened as the current placements require.
  func applyMasks(at moment: Moment?) {
    let widened = Masks.widened(requestedMasks, by: panels.keys.sorted().map(uncertainty))
    guard let masks = Masks(requestedMasks, widened: widened) else {
      // The configuration and the clients each have a limit of their own; both shares fit into
      // `Masks.limit`.
      return log.error(.daemon, "too many masks")
    }
    let former = widenedMasks
    widenedMasks = widened
    if let moment {
      recorder.setMasks(masks, at: moment)
    } else {
      recorder.masks = masks
    }
    if widened != former { report(widened, since: former) }
  }

  /// Returns the parts of a device's placement that are only guessed.
  private func uncertainty(of device: SessionRecorder.DeviceIndex) -> PlacementUncertainty {
    let placement = recorder.placement(of: device)
    return PlacementUncertainty(
      display: placement.display, isSizeGuessed: placement.geometrySource == .guess,
      alternatives: alternatives[device] ?? .all)
  }

  private func report(_ widened: [Mask], since former: [Mask]) {
    for display in Set((widened + former).compactMap(\.display)).sorted()
    where placements[display] != nil {
      let screens = widened.filter { $0.display == display }.map(\.screen)
      guard screens != former.filter({ $0.display == display }).map(\.screen) else { continue }
      let name = display.printable()
      if screens.isEmpty {
        log.info(
          .daemon, kind: "widened",
          "display \(name): masks no longer cover whole screens, because the display is now known, "
            + "or has no masks")
      } else {
        let some = screens.prefix(5).map { $0.printable() }.joined(separator: ", ")
        let rest = screens.count > 5 ? " and \(screens.count - 5) more" : ""
        log.warning(
          .daemon, kind: "widened",
          "the size or the touchscreen of display \(name) is only guessed, so these screens are masked "
            + "as a whole: \(some)\(rest). To mask only the rectangles, set width and height in "
            + "[[display]], and display in [[device]]")
      }
    }
  }

  /// Handles a monitor that was connected or changed. Assigns panels again if their display or size
  /// is guessed, or if their display has a new mode. The others keep their placement: switching a
  /// monitor off must not move them.
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
      // A display that is known does not change because another one is connected; its size may.
      if old.displaySource != .guess, new.displaySource == .guess,
        let kept = assignment.resized(old, of: panel, connectors: connectors)
      {
        (new, knowledge) = kept
      }
      if old.display == new.display, old.geometrySource != .configuration {
        switch knowledge {
        case .contradicted: return new
        // Another monitor may be there. The geometry stays until its modes are known.
        case .expected: return doubted
        case .unknown: return nil
        case .known where old.geometrySource == .drm && new.geometrySource == .drm: return new
        // The compositor may choose the mode again that was known before.
        case .known where assignment.isSettling && old.geometrySource == .guess: return nil
        case .known: break
        }
      }
      let wasGuessed = old.displaySource == .guess || old.geometrySource == .guess
      return wasGuessed && (old.displaySource == .guess || new.displaySource != .guess) ? new : nil
    }
  }

  private static let firstLook: Int64 = 1_000_000
  private static let fewLooks: Int64 = 4_000_000
  private static let lastLook: Int64 = 64_000_000

  /// Looks at the displays again soon if a connected one has no mode yet.
  func expectModes(of connectors: [DRMConnector], at moment: Moment) {
    if nextLook == nil, connectors.contains(where: \.lacksMode) {
      nextLook = (moment.boottime + Self.firstLook, Self.firstLook)
    }
  }

  /// The kernel reports a monitor before it lists the monitor's modes, and does not report when it
  /// has listed them; until then it may list those of the monitor before. So displays are looked at
  /// again 1, 3 and 7 s after a report, and up to 127 s while a connected display has no mode.
  /// Until the last look no size from the kernel is certain.
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
