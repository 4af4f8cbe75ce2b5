internal import TouchModel
internal import Varlink

/// Who has paused recording, and until when. Each connection has one pause at the most, which goes with it.
struct Pauses {
  /// The most at a time.
  static let limit = 64
  /// The longest that ends by itself, a day in milliseconds.
  static let longest: Int64 = 86_400_000

  private struct Pause {
    /// On `CLOCK_BOOTTIME`; nil: not by itself.
    var ends: Timestamp?
    /// The call that waits for the end.
    var waiting: CallID?
  }

  private var pauses: [ConnectionID: Pause] = [:]

  var count: Int { pauses.count }
  var isEmpty: Bool { pauses.isEmpty }

  /// When the next one ends by itself, on `CLOCK_BOOTTIME`.
  var nextDeadline: Timestamp? { pauses.values.compactMap(\.ends).min() }

  /// Begins a pause, in place of one that the connection has.
  /// - Returns: the calls that waited for that one's end; nil where there are `limit`.
  mutating func begin(
    _ connection: ConnectionID, until end: Timestamp?, waiting: CallID?
  ) -> [CallID]? {
    guard pauses.count < Self.limit || pauses[connection] != nil else { return nil }
    let former = pauses.updateValue(Pause(ends: end, waiting: waiting), forKey: connection)
    return [former?.waiting].compactMap(\.self)
  }

  /// Ends the pause of a connection.
  /// - Returns: the calls that waited for it.
  mutating func end(_ connection: ConnectionID) -> [CallID] {
    [pauses.removeValue(forKey: connection)?.waiting].compactMap(\.self)
  }

  /// Ends all of them.
  mutating func endAll() -> [CallID] {
    defer { pauses.removeAll() }
    return pauses.values.compactMap(\.waiting)
  }

  /// Ends those whose time has come.
  mutating func endDue(at time: Timestamp) -> [CallID] {
    let due = pauses.filter { $0.value.ends.map { $0 <= time } ?? false }
    return due.keys.flatMap { end($0) }
  }
}
