internal import TouchModel

/// The sum of the counts of one subject.
struct CountSum: Equatable {
  /// The sessions with counts of the subject.
  var sessions: UInt64 = 0
  /// Empty before the first counts.
  var numbers: [Int64] = []

  /// - Throws: `.overflow` if a sum exceeds 64 bits.
  mutating func add(_ other: CountSum) throws(StoreError) {
    try sessions.add(other.sessions, "sessions")
    if numbers.isEmpty { return numbers = other.numbers }
    for index in numbers.indices {
      let (sum, overflows) = numbers[index].addingReportingOverflow(other.numbers[index])
      guard !overflows else {
        throw StoreError(.overflow, message: "a sum of counts exceeds the largest number")
      }
      numbers[index] = sum
    }
  }

  /// - Returns: nil if the other sum cannot be a part of this one.
  func without(_ other: CountSum, _ shape: CountShape) -> CountSum? {
    guard sessions >= other.sessions else { return nil }
    let rest = zip(numbers, other.numbers).map { $0.subtractingReportingOverflow($1) }
    guard !rest.contains(where: \.overflow) else { return nil }
    let sum = CountSum(
      sessions: sessions - other.sessions, numbers: rest.map(\.partialValue))
    let isPart =
      sum.sessions == 0
      ? sum.numbers.allSatisfy { $0 == 0 } : shape.isPlausible(sum.numbers, sum.sessions)
    return isPart ? sum : nil
  }
}

/// The sums of many subjects, by their row ids.
struct CountSums {
  /// The maximum number of numbers that are added up at once. Each takes 8 bytes of memory.
  static let numberLimit = 5_000_000

  private(set) var byID: [Int64: CountSum] = [:]

  /// - Parameter room: the number of numbers that may still be added.
  mutating func add(_ sum: CountSum, to id: Int64, room: inout Int) throws(StoreError) {
    if byID[id] == nil {
      room -= sum.numbers.count
      guard room >= 0 else {
        throw StoreError(
          .overflow, message: "there are too many counts: name a screen, or choose a shorter time")
      }
    }
    try byID[id, default: CountSum()].add(sum)
  }

  mutating func add(_ sum: CountSum, to id: Int64) throws(StoreError) {
    var room = Self.numberLimit
    try add(sum, to: id, room: &room)
  }
}

extension Store {
  /// Visits the counts of one kind, or of all kinds, in the rows that match a condition.
  /// - Parameters:
  ///   - condition: an SQL condition on the table; for sessions, also on `session`. It has as many
  ///     parameters as there are values.
  ///   - wants: returns whether to read the numbers of the subject with this id.
  ///   - body: receives the id of the subject, the counts, and the day or the session.
  /// - Throws: `.damaged` if a row cannot be read.
  func forEachCount(
    in owner: CountOwner, of kind: String? = nil, where condition: String, _ values: [SQLValue],
    _ lookup: inout Lookup, wants: (Int64, CountShape) -> Bool = { _, _ in true },
    _ body: (Int64, CountSum, borrowing Statement) throws(StoreError) -> Void
  ) throws(StoreError) {
    let number = values.count + 1
    let ofKind =
      kind == nil
      ? "" : "AND (SELECT kind FROM subject WHERE subject.id = subject) = ?\(number)"
    let row = try database.prepare(
      """
      SELECT subject, \(owner == .session ? "1" : "day_count.sessions"), bytes, counts,
        \(owner.counts).\(owner.rawValue)\(owner == .session ? ", session.day" : "")
      FROM \(owner.source(owner.counts)) WHERE \(condition) \(ofKind)
      """)
    try row.bind(values + (kind.map { [.text($0)] } ?? []))
    while try row.step() {
      try checkCancellation()
      let id = row.integer(0)
      let known = try lookup.subject(id, options.kinds, in: database)
      guard wants(id, known.shape) else { continue }
      guard let sum = Self.sum(row, 1, known.shape) else {
        throw database.damaged(
          "the counts of \(owner.rawValue) \(try row.text(4)), kind \(known.subject.kind), "
            + "\(known.subject.key) cannot be read")
      }
      try body(id, sum, row)
    }
  }

  /// Reads the columns `sessions`, `bytes` and `counts`, starting at `column`.
  /// - Returns: nil if the values are not valid for the subject.
  static func sum(_ row: borrowing Statement, _ column: Int32, _ shape: CountShape) -> CountSum? {
    guard let sessions = UInt64(exactly: row.integer(column)), sessions > 0,
      let numbers = CountCells.numbers(row, column + 1, count: shape.count),
      shape.isPlausible(numbers, sessions)
    else { return nil }
    return CountSum(sessions: sessions, numbers: numbers)
  }

  /// Writes a sum of a day, or removes it if it has no sessions left. Call `noteDayKinds`
  /// afterwards.
  func write(_ sum: CountSum, of subject: Int64, on day: String) throws(StoreError) {
    let key: [SQLValue] = [.text(day), .integer(subject)]
    guard sum.sessions > 0 else {
      return try database.run("DELETE FROM day_count WHERE day = ?1 AND subject = ?2", key)
    }
    try database.run(
      """
      INSERT OR REPLACE INTO day_count (day, subject, sessions, bytes, counts)
      VALUES (?1, ?2, ?3, ?4, ?5)
      """, key + [try .count(sum.sessions, "sessions")] + CountCells.values(sum.numbers),
      keeping: true)
  }

  /// Stores the number of subjects of each kind that a day has, so that a recovery detects a
  /// missing one.
  func noteDayKinds(of day: String) throws(StoreError) {
    try database.run("DELETE FROM day_kind WHERE day = ?1", [.text(day)], keeping: true)
    try database.run(
      """
      INSERT INTO day_kind (day, kind, subjects)
      SELECT day, kind, count(*) FROM day_count JOIN subject ON subject.id = subject
      WHERE day = ?1 GROUP BY kind
      """, [.text(day)], keeping: true)
  }

  /// Deletes the counts of days.
  /// - Parameter days: an SQL condition on `day`.
  func removeCounts(where days: String, _ values: [SQLValue] = []) throws(StoreError) {
    try database.run("DELETE FROM day_count WHERE \(days)", values)
    try database.run("DELETE FROM day_kind WHERE \(days)", values)
  }
}
