internal import TouchModel
internal import Varlink

/// Connections that follow what is shown, and those that did until their end.
struct Followers {
  /// So long after its end holds what a follower said, in microseconds: one that starts anew says it again.
  static let grace: Int64 = 2_000_000

  private var connections: Set<ConnectionID> = []
  /// Until when what they said holds, on `CLOCK_BOOTTIME`.
  private var leaving: [ConnectionID: Timestamp] = [:]
  /// What they said is shown still, because it is masked.
  private var kept: Set<ConnectionID> = []

  /// That are there.
  var count: Int { connections.count }

  mutating func add(_ connection: ConnectionID) { connections.insert(connection) }

  mutating func remove(_ connection: ConnectionID, at time: Timestamp) {
    if connections.remove(connection) != nil { leaving[connection] = time + Self.grace }
  }

  /// When `takeDue` has something to take, on `CLOCK_BOOTTIME`.
  var nextDeadline: Timestamp? { leaving.values.min() }

  /// Those whose names hold no longer.
  mutating func takeDue(at time: Timestamp) -> [ConnectionID] {
    let due = leaving.filter { $0.value <= time }.map(\.key)
    for connection in due { leaving[connection] = nil }
    return due
  }

  /// What this one said is shown still.
  mutating func keep(_ connection: ConnectionID) { kept.insert(connection) }

  /// All that were kept: masks have changed.
  mutating func takeKept() -> Set<ConnectionID> {
    defer { kept = [] }
    return kept
  }
}
