/// Counts the touches of one session for the controls of its screens.
struct SessionControls: CountTally {
  /// The maximum number of sets of controls of a screen in a session.
  static let setLimit = 8

  struct Effect: Sendable {
    let key: GridKey
    /// The index of the set among those of the screen.
    let set: Int
    let effect: ControlTally.Effect
  }

  /// The counts, one for each set that a screen has had.
  private var sets: [GridKey: [ControlTally]] = [:]
  private(set) var byteCount = 0
  /// Set if memory had no room, or if the controls of a screen have changed too often.
  private(set) var isFull = false

  mutating func add(_ touch: CountedTouch) -> (any Sendable)? {
    guard let set = touch.controls, let place = place(of: set, on: touch) else { return nil }
    let contact = ControlTally.Contact(
      point: touch.point, match: touch.match, began: touch.began,
      extent: touch.trace.path.extent, isSuspect: touch.isSuspect)
    return sets[touch.key]?[place].count(contact).map {
      Effect(key: touch.key, set: place, effect: $0)
    }
  }

  /// Returns the index of the counts of a set. Begins new counts if necessary.
  /// - Returns: nil if there is no room for them.
  private mutating func place(of set: ControlSet, on touch: CountedTouch) -> Int? {
    let tallies = sets[touch.key] ?? []
    if let known = tallies.firstIndex(where: { $0.set == set }) { return known }
    let size = ControlTally.byteCount(of: set)
    guard tallies.count < Self.setLimit, touch.used + size <= GridMemory.namedLimit else {
      isFull = true
      return nil
    }
    byteCount += size
    sets[touch.key, default: []].append(ControlTally(set, on: touch.key))
    return tallies.count
  }

  mutating func moveOutGhost(_ effect: any Sendable) {
    guard let effect = effect as? Effect else { return }
    sets[effect.key]?[effect.set].remove(effect.effect)
  }

  mutating func note(_ event: any Sendable) {
    guard let response = event as? ObservedResponse, let effect = response.hit.effect else {
      return
    }
    sets[effect.key]?[effect.set].addResponse(
      to: effect.effect.match.control, bin: response.bin)
  }

  func counts(all: Bool) -> [SubjectCounts] {
    sets.values.joined().filter { all || $0.hasChanged }
      .map { SubjectCounts($0.subject, $0.numbers) }
  }

  mutating func clearChanges() {
    for key in Array(sets.keys) {
      for place in 0..<(sets[key]?.count ?? 0) { sets[key]?[place].hasChanged = false }
    }
  }
}
