/// What is still to be told: everything in its order, as long as the daemon keeps up. Where it does not, names between fall
/// away, but never what is masked. A daemon that answers nothing is given up before that is much.
struct Sayings {
  static let limit = 64

  private var changes: [ShownScreens.Change] = []

  mutating func add(_ change: ShownScreens.Change) {
    changes.append(change)
    if changes.count > Self.limit { shorten() }
  }

  /// Tells before all others what was refused for being too late: where it is masked as early as it can be, else now, and
  /// only where nothing newer is to be told of the same display.
  /// - Parameter earliest: on `CLOCK_MONOTONIC`, in microseconds; nil: it was tried already.
  mutating func addLate(_ late: ShownScreens.Change, earliest: Int64?) {
    var change = late
    if change.isMasked, let earliest {
      change.time = earliest
    } else {
      guard !changes.contains(where: { $0.display == nil || $0.display == change.display }) else {
        return
      }
      change.time = 0
      // What is newer would lie before it.
      for index in changes.indices { changes[index].time = 0 }
    }
    changes.insert(change, at: 0)
  }

  /// Tells before all others what was refused by its name.
  mutating func addRenamed(_ change: ShownScreens.Change) { changes.insert(change, at: 0) }

  mutating func next() -> ShownScreens.Change? { changes.isEmpty ? nil : changes.removeFirst() }

  private mutating func shorten() {
    // The newest of each display stays whatever it is.
    let dispensable = changes.indices.first { index in
      let change = changes[index]
      return !change.isMasked
        && changes[(index + 1)...].contains { $0.display == change.display }
    }
    if let dispensable { changes.remove(at: dispensable) }
  }
}
