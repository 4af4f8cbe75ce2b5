internal import TouchModel

/// What those see who watch while it happens, and how things lie for everyone who asks.
extension Capture {
  /// Touches that are down are shown from now on. Does nothing where somebody watches already.
  func startWatching(at moment: Moment) {
    if feed == nil { feed = LiveFeed(recorder, at: moment) }
  }

  func stopWatching() { feed = nil }

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

  /// Lays the panels on their displays anew. A panel that fits on none stays where it was.
  func layOut(at moment: Moment) {
    for (device, panel) in panels {
      guard let result = assignment.place(panel) else { continue }
      recorder.setPlacement(result.placement, of: device, at: moment)
    }
  }
}
