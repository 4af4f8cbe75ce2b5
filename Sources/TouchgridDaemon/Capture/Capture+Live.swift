internal import TouchModel

/// Live touches for clients that watch, and the placements of the devices.
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
  /// later.
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
    holdMasks(at: moment)
  }

  /// A compositor drives the display in this mode. Touches that are down keep to the geometry on which they began.
  func setMode(_ mode: Configuration.Display.Size, of display: String, at moment: Moment) {
    assignment.modes[display] = mode
    layOut(at: moment) { old, new in old.display == display && new.display == display }
  }

  /// Removes the client's override of the display, so that its other sources apply again.
  func removeOverride(of display: String, at moment: Moment) {
    guard assignment.overrides.removeValue(forKey: display) != nil else { return }
    layOut(at: moment)
  }

  /// Computes the placement of every attached panel again. A panel that cannot be placed keeps its
  /// placement.
  /// - Parameter takes: returns whether to replace the old placement by the new one.
  func layOut(
    at moment: Moment, where takes: (_ old: Placement, _ new: Placement) -> Bool = { _, _ in true }
  ) {
    let known = panels.values.compactMap { assignment.place($0)?.placement }
    for (device, panel) in panels {
      guard let result = assignment.place(panel, beside: known),
        takes(recorder.placement(of: device), result.placement)
      else { continue }
      recorder.setPlacement(result.placement, of: device, at: moment)
      alternatives[device] = result.alternatives
    }
    holdMasks(at: moment)
  }
}
