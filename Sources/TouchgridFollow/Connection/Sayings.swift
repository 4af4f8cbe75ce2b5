/// What is still to be told: everything in its order, as long as the daemon keeps up. Where it does not, names between fall
/// away, but never what is masked.
struct Sayings {
  static let limit = 64

  private var changes: [ShownScreens.Change] = []

  mutating func add(_ change: ShownScreens.Change) {
    changes.append(change)
    if changes.count > Self.limit { shorten() }
  }

  /// Tells it before all others, unless one of them is of the same display.
  mutating func addOlder(_ change: ShownScreens.Change) {
    if !changes.contains(where: { $0.display == nil || $0.display == change.display }) {
      changes.insert(change, at: 0)
    }
  }

  mutating func next() -> ShownScreens.Change? { changes.isEmpty ? nil : changes.removeFirst() }

  private mutating func shorten() {
    // The newest of each display stays whatever it is.
    for index in changes.indices {
      let change = changes[index]
      let later = changes[(index + 1)...].first { $0.display == change.display }
      guard let later else { continue }
      if !change.isMasked {
        changes.remove(at: index)
        return
      }
      if later.isMasked {
        // Masked from the first to the last of them, by the last's name.
        let place = changes[(index + 1)...].firstIndex(of: later) ?? index
        changes[place].time = change.time
        changes.remove(at: index)
        return
      }
    }
    // Masked and unmasked by turns, and as many displays.
    changes.removeFirst()
  }
}
