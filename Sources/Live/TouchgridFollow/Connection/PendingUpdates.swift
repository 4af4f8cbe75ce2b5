/// The changes that are still to be sent, in their order. If the daemon is slow, names in between
/// are dropped, but never those of masked screens. A daemon that does not answer is given up before
/// these become many.
struct PendingUpdates {
  static let limit = 64

  private var changes: [ShownScreens.Change] = []

  mutating func add(_ change: ShownScreens.Change) {
    changes.append(change)
    if changes.count > Self.limit { shorten() }
  }

  /// Puts a change that was refused as too late before all others. A masked change gets the earliest
  /// possible time. Any other gets the current time, and is dropped if there is a newer change for its
  /// display or for all displays.
  /// - Parameter earliest: A time on `CLOCK_MONOTONIC`, in µs; nil if that was tried already.
  mutating func addLate(_ late: ShownScreens.Change, earliest: Int64?) {
    var change = late
    if change.isMasked, let earliest {
      change.time = earliest
    } else {
      guard !changes.contains(where: { $0.display == nil || $0.display == change.display }) else {
        return
      }
      change.time = 0
      // Newer changes with their own times would come before this one.
      for index in changes.indices { changes[index].time = 0 }
    }
    changes.insert(change, at: 0)
  }

  /// Puts a change that has another name now before all others, after its first name was refused.
  mutating func addRenamed(_ change: ShownScreens.Change) { changes.insert(change, at: 0) }

  mutating func next() -> ShownScreens.Change? { changes.isEmpty ? nil : changes.removeFirst() }

  private mutating func shorten() {
    // The newest change of each display stays in any case.
    let dispensable = changes.indices.first { index in
      let change = changes[index]
      return !change.isMasked
        && changes[(index + 1)...].contains { $0.display == change.display }
    }
    if let dispensable { changes.remove(at: dispensable) }
  }
}
