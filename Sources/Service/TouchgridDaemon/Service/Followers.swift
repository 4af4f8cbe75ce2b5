internal import TouchModel
internal import Varlink

/// Tracks the connections that follow screens, and how long the names given by a closed one remain
/// valid.
struct Followers {
  /// How long the names of a closed connection remain valid, in µs, so that a restarted follower
  /// can give them again.
  static let grace: Int64 = 2_000_000

  private var connections: Set<ConnectionID> = []
  /// Closed connections, and when their names become invalid, on `CLOCK_BOOTTIME`.
  private var leaving: [ConnectionID: Timestamp] = [:]
  /// Closed connections with names that are still shown because the screens are masked.
  private var kept: Set<ConnectionID> = []

  /// The number of followers that are connected.
  var count: Int { connections.count }

  mutating func add(_ connection: ConnectionID) { connections.insert(connection) }

  mutating func remove(_ connection: ConnectionID, at time: Timestamp) {
    if connections.remove(connection) != nil { leaving[connection] = time + Self.grace }
  }

  /// The time on `CLOCK_BOOTTIME` when `takeDue` next returns a connection.
  var nextDeadline: Timestamp? { leaving.values.min() }

  /// Returns and removes the closed connections with names that have become invalid.
  mutating func takeDue(at time: Timestamp) -> [ConnectionID] {
    let due = leaving.filter { $0.value <= time }.map(\.key)
    for connection in due { leaving[connection] = nil }
    return due
  }

  /// Notes that names of this closed connection are still shown.
  mutating func keep(_ connection: ConnectionID) { kept.insert(connection) }

  /// Returns and removes the kept connections, for a new check after masks have changed.
  mutating func takeKept() -> Set<ConnectionID> {
    defer { kept = [] }
    return kept
  }
}
