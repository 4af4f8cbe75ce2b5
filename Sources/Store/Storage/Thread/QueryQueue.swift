/// Identifies a query, for cancelling it.
public struct QueryID: Hashable, Sendable {
  let number: UInt64
}

/// The queries that wait for the query thread.
struct QueryQueue {
  /// - Parameter store: a read-only connection, or the error if there is none.
  typealias Body = @Sendable (_ store: Result<Store, StoreError>) -> Void

  struct Query {
    var id: QueryID
    /// The number of commands that were submitted before this query and must be tried first.
    var after: UInt64
    var body: Body
  }

  /// The maximum number of waiting queries.
  static let limit = 64

  private(set) var waiting: [Query] = []
  private var running: QueryID?
  private var last: UInt64 = 0

  /// - Returns: nil if too many queries are waiting.
  mutating func add(after commands: UInt64, _ body: @escaping Body) -> QueryID? {
    guard waiting.count < Self.limit else { return nil }
    last += 1
    waiting.append(Query(id: QueryID(number: last), after: commands, body: body))
    return QueryID(number: last)
  }

  /// Removes and returns the next query, which becomes the running one.
  /// - Parameter commands: the number of commands that have been tried.
  /// - Returns: nil if none is waiting, or if commands before it have not been tried.
  mutating func startNext(tried commands: UInt64) -> Query? {
    guard let first = waiting.first, first.after <= commands else { return nil }
    running = first.id
    return waiting.removeFirst()
  }

  mutating func finishRunning() { running = nil }

  enum Found {
    /// The query was already answered or cancelled.
    case nowhere
    /// The query was waiting, and was removed. Release it outside of any lock.
    case waiting(Query)
    case running
  }

  mutating func giveUp(_ id: QueryID) -> Found {
    if running == id { return .running }
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return .nowhere }
    return .waiting(waiting.remove(at: index))
  }

  /// Removes all waiting queries.
  /// - Returns: the removed queries.
  mutating func removeAll() -> [Query] {
    defer { waiting = [] }
    return waiting
  }
}
