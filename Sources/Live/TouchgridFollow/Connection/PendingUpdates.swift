/// The queue of changes to be sent. If there are more than `limit`, outdated changes are dropped,
/// but never those to masked screens. The number of those stays low: if the daemon does not answer,
/// the connection soon times out.
struct PendingUpdates {
  static let limit = 64

  private var changes: [ShownScreens.Change] = []

  mutating func add(_ change: ShownScreens.Change) {
    changes.append(change)
    if changes.count > Self.limit { shorten() }
  }

  /// Inserts a change that was refused as too late before all others. A change to a masked screen
  /// gets the time `earliest`. Otherwise, or if `earliest` is nil, the change gets the current
  /// time, but is dropped if there is a newer change for its display or for all displays.
  /// - Parameter earliest: The earliest time that the daemon accepts, in µs on `CLOCK_MONOTONIC`;
  ///   nil if it was tried already, or if `late_names` is too short for it.
  mutating func addLate(_ late: ShownScreens.Change, earliest: Int64?) {
    var change = late
    if change.isMasked, let earliest {
      change.time = earliest
    } else {
      guard !changes.contains(where: { $0.display == nil || $0.display == change.display }) else {
        return
      }
      change.time = 0
      // The daemon orders changes by time: with their own, earlier times, the newer changes would
      // precede this one.
      for index in changes.indices { changes[index].time = 0 }
    }
    changes.insert(change, at: 0)
  }

  /// Inserts a change before all others, with a new name because the daemon refused the first one.
  mutating func addRenamed(_ change: ShownScreens.Change) { changes.insert(change, at: 0) }

  mutating func next() -> ShownScreens.Change? { changes.isEmpty ? nil : changes.removeFirst() }

  private mutating func shorten() {
    // Keep the newest change of each display.
    let dispensable = changes.indices.first { index in
      let change = changes[index]
      return !change.isMasked
        && changes[(index + 1)...].contains { $0.display == change.display }
    }
    if let dispensable { changes.remove(at: dispensable) }
  }
}
