internal import TouchModel
internal import Varlink

/// The pauses of recording. Each connection has at most one pause, which ends when the connection
/// closes.
struct Pauses {
  /// The maximum number of simultaneous pauses.
  static let limit = 64
  /// The maximum duration of a pause that ends by itself: one day, in ms.
  static let maxDuration: Int64 = 86_400_000

  private struct Pause {
    /// The time at which the pause ends, on `CLOCK_BOOTTIME`; nil if it does not end by itself.
    var ends: Timestamp?
    /// The call that waits for the end of the pause; nil if there is none.
    var waiting: CallID?
  }

  private var pauses: [ConnectionID: Pause] = [:]

  var count: Int { pauses.count }
  var isEmpty: Bool { pauses.isEmpty }

  /// The time at which the next pause ends by itself, on `CLOCK_BOOTTIME`; nil if none will.
  var nextDeadline: Timestamp? { pauses.values.compactMap(\.ends).min() }

  /// Begins a pause. It replaces an earlier pause of the connection.
  /// - Returns: the call that waited for the end of the replaced pause, if any; nil if other
  ///   connections already have `limit` pauses.
  mutating func begin(
    _ connection: ConnectionID, until end: Timestamp?, waiting: CallID?
  ) -> [CallID]? {
    guard pauses.count < Self.limit || pauses[connection] != nil else { return nil }
    let former = pauses.updateValue(Pause(ends: end, waiting: waiting), forKey: connection)
    return [former?.waiting].compactMap(\.self)
  }

  /// Ends the pause of a connection, if it has one.
  /// - Returns: the call that waited for the end, if any.
  mutating func end(_ connection: ConnectionID) -> [CallID] {
    [pauses.removeValue(forKey: connection)?.waiting].compactMap(\.self)
  }

  /// Ends all pauses.
  /// - Returns: the calls that waited for the ends.
  mutating func endAll() -> [CallID] {
    defer { pauses.removeAll() }
    return pauses.values.compactMap(\.waiting)
  }

  /// Ends the pauses whose time has passed.
  /// - Returns: the calls that waited for the ends.
  mutating func endDue(at time: Timestamp) -> [CallID] {
    let due = pauses.filter { $0.value.ends.map { $0 <= time } ?? false }
    return due.keys.flatMap { end($0) }
  }
}
