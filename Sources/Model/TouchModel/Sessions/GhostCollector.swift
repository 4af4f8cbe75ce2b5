/// Collects the suspected ghosts that belong to no session, until they are stored. A rhythm that
/// continues for weeks must not cost one transaction per touch.
struct GhostCollector: Sendable {
  /// How long ghosts are collected: one hour, in µs.
  static let longestDelay: Int64 = 3_600_000_000

  private var gathered: [GhostTally] = []
  /// When the first of the collected ghosts came, on `CLOCK_BOOTTIME`.
  private var since: Timestamp?
  private var ready: [GhostTally] = []

  /// When to release the collected ghosts, on `CLOCK_BOOTTIME`, even if the rhythm has stopped.
  var deadline: Timestamp? { since.map { $0 + Self.longestDelay } }

  mutating func add(_ tally: GhostTally, at time: Timestamp) {
    if since == nil { since = time }
    let same = gathered.firstIndex {
      $0.device == tally.device && $0.x == tally.x && $0.y == tally.y
    }
    if let same {
      gathered[same].touches += tally.touches
    } else {
      gathered.append(tally)
    }
  }

  /// Makes the collected ghosts available to `takeReleased`.
  mutating func release() {
    ready += gathered
    gathered.removeAll()
    since = nil
  }

  /// Whether `takeReleased` has nothing to return.
  var isEmpty: Bool { ready.isEmpty }

  /// Returns and removes the released ghosts.
  mutating func takeReleased() -> [GhostTally] {
    guard !ready.isEmpty else { return [] }
    defer { ready.removeAll() }
    return ready
  }
}
