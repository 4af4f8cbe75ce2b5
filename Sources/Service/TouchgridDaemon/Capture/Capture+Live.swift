internal import TouchInput
internal import TouchModel

/// Provides live touches to watching clients, and changes the placements of devices.
extension Capture {
  /// Starts the live feed with the touches that are down. Does nothing if it is already running.
  func startWatching(at moment: Moment) {
    if feed == nil { feed = LiveFeed(recorder, mint: liveMint, at: moment) }
  }

  func stopWatching() {
    if let feed { liveMint = feed.mint }
    feed = nil
  }

  /// The touches that are down, for a client that begins to watch.
  var liveTouches: [LiveTouch] { feed?.state ?? [] }

  /// Returns and removes the frames that are ready to be sent, oldest first.
  func takeFrames(at moment: Moment) -> [LiveFrame] {
    feed?.advance(to: moment, recorder: recorder)
    return feed?.takeFrames() ?? []
  }

  // MARK: Displays

  /// The placements of the attached devices, grouped by display. No list is empty.
  var placements: [String: [Placement]] {
    Dictionary(grouping: panels.keys.sorted().map(recorder.placement), by: \.display)
  }

  /// Applies a client's override to the devices on the display, and to devices that are attached
  /// later. A device keeps its geometry if the result would be out of range.
  func apply(_ override: DisplayOverride, to display: String, at moment: Moment) {
    assignment.overrides[display, default: DisplayOverride()].merge(override)
    for device in panels.keys {
      var placement = recorder.placement(of: device)
      guard placement.display == display,
        let geometry = override.applied(to: placement.geometry)
      else { continue }
      placement.geometry = geometry
      placement.geometrySource = override.source(of: placement.geometrySource)
      recorder.setPlacement(placement, of: device, at: moment)
    }
    applyMasks(at: moment)
  }

  /// Records the mode in which a compositor drives a display, as reported by a client. Touches that
  /// are down keep the geometry on which they began.
  /// - Parameter mode: the mode; nil withdraws the client's report.
  /// - Returns: false if the client already reports modes for `ReportedModes.limit` other displays.
  func setMode(
    _ mode: Configuration.Display.Size?, of display: String, by client: ClientID, at moment: Moment
  ) -> Bool {
    guard assignment.modes.set(mode, of: display, by: client) else { return false }
    resize([display], at: moment)
    return true
  }

  /// Masks whole screens if the mode that a client wanted to report, and could not, may move a
  /// rectangle.
  func noteRefusedMode(
    _ mode: Configuration.Display.Size?, of display: String, at moment: Moment
  ) {
    guard let mode, let geometry = placements[display]?.first?.geometry,
      mode != Configuration.Display.Size(width: geometry.pixelWidth, height: geometry.pixelHeight),
      assignment.doubt(display)
    else { return }
    resize([display], at: moment)
  }

  /// Handles a client's disconnection. Its mode reports stay valid for `ReportedModes.grace`, so
  /// that it can reconnect.
  func release(_ client: ClientID, at moment: Moment) {
    assignment.modes.release(client, at: moment.boottime)
  }

  /// Removes the mode reports of clients that have not reconnected in time. The compositor may
  /// still use the reported modes, so a geometry that came from such a report is kept as a guess.
  func removeExpiredModes(at moment: Moment) {
    let displays = assignment.modes.removeExpired(at: moment.boottime)
    resize(displays, keepsOld: true, at: moment)
  }

  /// Updates the geometry of the panels on these displays. If the size of a display is no longer
  /// known, a geometry that a client had reported is kept as a guess. Panels with a configured
  /// geometry do not change.
  /// - Parameter keepsOld: whether the old geometry is also kept as a guess if the kernel reports
  ///   another size and no client reports a mode.
  private func resize(_ displays: Set<String>, keepsOld: Bool = false, at moment: Moment) {
    let connectors = readConnectors()
    assignment.compareModes(on: placements.keys, connectors)
    for (device, panel) in panels {
      let old = recorder.placement(of: device)
      guard displays.contains(old.display), old.geometrySource != .configuration,
        let (resized, knowledge) = assignment.resized(old, of: panel, connectors: connectors)
      else { continue }
      var new = resized
      let isUnknown = knowledge == .expected || knowledge == .unknown
      let isLeft = keepsOld && assignment.modes.size(of: old.display) == nil
      if isUnknown || isLeft && resized.geometry != old.geometry {
        // Keep a geometry from the kernel as it is: the monitor may only be switched off.
        guard old.geometrySource == .client || keepsOld, assignment.overrides[old.display] == nil
        else { continue }
        new = old
        new.geometrySource = .guess
      }
      recorder.setPlacement(new, of: device, at: moment)
    }
    applyMasks(at: moment)
  }

  /// Removes the client's override of the display, so that its other sources apply again.
  func removeOverride(of display: String, at moment: Moment) {
    guard assignment.overrides.removeValue(forKey: display) != nil else { return }
    assignDisplays(at: moment)
  }

  /// Recomputes the placement of every attached panel. A panel that cannot be placed keeps its
  /// placement.
  func assignDisplays(at moment: Moment) {
    assignDisplays(by: readConnectors(), at: moment) { _, new, _ in new.placement }
  }

  /// Recomputes the placements of all attached panels, and applies those that `choose` returns.
  /// - Parameters:
  ///   - connectors: the connected displays.
  ///   - choose: returns the placement to use from now on; nil keeps the old one.
  func assignDisplays(
    by connectors: [DRMConnector], at moment: Moment,
    _ choose: (_ old: Placement, _ new: DisplayAssignment.Result, PanelIdentity) -> Placement?
  ) {
    assignment.compareModes(on: placements.keys, connectors)
    let known = panels.values.compactMap {
      assignment.place($0, connectors: connectors)?.placement
    }
    for (device, panel) in panels {
      guard let result = assignment.place(panel, connectors: connectors, beside: known),
        let placement = choose(recorder.placement(of: device), result, panel)
      else { continue }
      recorder.setPlacement(placement, of: device, at: moment)
      if placement.display == result.placement.display {
        alternatives[device] = result.alternatives
      }
    }
    applyMasks(at: moment)
    measure(connectors)
  }
}
