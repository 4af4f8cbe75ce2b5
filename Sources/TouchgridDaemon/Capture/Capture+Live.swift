internal import TouchModel

/// What those see who watch while it happens, and how things lie for everyone who asks.
extension Capture {
  /// Touches that are down are shown from now on. Does nothing where somebody watches already.
  func startWatching(at moment: Moment) {
    if feed == nil { feed = LiveFeed(recorder, mint: liveMint, at: moment) }
  }

  func stopWatching() {
    if let feed { liveMint = feed.mint }
    feed = nil
  }

  /// The touches that are down, for somebody who begins to watch.
  var liveTouches: [LiveTouch] { feed?.state ?? [] }

  /// Hands over the frames to be sent, oldest first.
  func takeFrames(at moment: Moment) -> [LiveFrame] {
    feed?.advance(to: moment, recorder: recorder)
    return feed?.takeFrames() ?? []
  }

  // MARK: Displays

  /// How devices lie, by display; no list is empty.
  var placements: [String: [Placement]] {
    Dictionary(grouping: panels.keys.sorted().map(recorder.placement), by: \.display)
  }

  /// What a client says of a display holds for the panels that lie on it, now and when they come again.
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

  /// The display is again as it is known otherwise.
  func removeOverride(of display: String, at moment: Moment) {
    guard assignment.overrides.removeValue(forKey: display) != nil else { return }
    layOut(at: moment)
  }

  /// Lays the panels on their displays anew. A panel that fits on none stays where it was.
  /// - Parameter takes: whether a panel's new placement is taken.
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
