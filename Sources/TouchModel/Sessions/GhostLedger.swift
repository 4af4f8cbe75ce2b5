/// Suspected ghosts that belong to no session, gathered for the store: a beat that goes on for weeks must not
/// cost a transaction a touch.
struct GhostLedger: Sendable {
  /// How long they are gathered, an hour in microseconds.
  static let patience: Int64 = 3_600_000_000

  private var gathered: [GhostTally] = []
  /// When the first of those gathered came, on `CLOCK_BOOTTIME`.
  private var since: Timestamp?
  private var ready: [GhostTally] = []

  /// When to release them, on `CLOCK_BOOTTIME`: also where the beat has stopped.
  var deadline: Timestamp? { since.map { $0 + Self.patience } }

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

  /// Lets the store have what was gathered.
  mutating func release() {
    ready += gathered
    gathered.removeAll()
    since = nil
  }

  /// Nothing was released.
  var isEmpty: Bool { ready.isEmpty }

  /// Hands over what was released.
  mutating func take() -> [GhostTally] {
    guard !ready.isEmpty else { return [] }
    defer { ready.removeAll() }
    return ready
  }
}
