/// What a question is given up by.
public struct QuestionID: Hashable, Sendable {
  let number: UInt64
}

/// Questions on their way to the thread that answers them.
struct Questions {
  /// - Parameter store: a connection that only reads, or why there is none.
  typealias Body = @Sendable (_ store: Result<Store, StoreError>) -> Void

  struct Question {
    var id: QuestionID
    /// How many commands were submitted before it: they are tried first.
    var after: UInt64
    var body: Body
  }

  /// Those that may wait at once.
  static let limit = 64

  private(set) var waiting: [Question] = []
  private var running: QuestionID?
  private var last: UInt64 = 0

  /// - Returns: nil where too many wait already.
  mutating func add(after commands: UInt64, _ body: @escaping Body) -> QuestionID? {
    guard waiting.count < Self.limit else { return nil }
    last += 1
    waiting.append(Question(id: QuestionID(number: last), after: commands, body: body))
    return QuestionID(number: last)
  }

  /// The next, which then runs.
  /// - Parameter commands: so many have been tried.
  mutating func begin(tried commands: UInt64) -> Question? {
    guard let first = waiting.first, first.after <= commands else { return nil }
    running = first.id
    return waiting.removeFirst()
  }

  mutating func end() { running = nil }

  enum Found {
    /// Not any more: it has been answered or given up.
    case nowhere
    /// It waits no longer. To be let go of outside of any lock.
    case waiting(Question)
    case running
  }

  mutating func giveUp(_ id: QuestionID) -> Found {
    if running == id { return .running }
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return .nowhere }
    return .waiting(waiting.remove(at: index))
  }

  /// - Returns: all that wait; they do no longer.
  mutating func removeAll() -> [Question] {
    defer { waiting = [] }
    return waiting
  }
}
