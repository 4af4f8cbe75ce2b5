internal import Text
internal import TouchModel

/// Counts that only days keep. They are added to their day when a session ends.
///
/// All counts of a kind on a day are one row, which is written anew each time. With a row for each
/// subject, the order of the rows in the file would reveal which subjects belong to the same
/// session.
extension Store {
  /// The maximum size of a kind's counts on a day, in bytes of JSON. Sessions that would exceed it are
  /// left out.
  static let sizeLimit = 1 << 20
  /// The limit for a sum of a fleet, whose kiosks may have different screens.
  static let sumSizeLimit = 16 << 20
  /// The maximum number of subjects in an answer, whose texts are in memory.
  static let subjectLimit = 70_000
  /// The years 1000 to 9000, in ms since 1970.
  static let years: ClosedRange<Int64> = -30_610_224_000_000...221_845_392_000_000

  /// Adds a session's counts to those of its day. Call once for each session, in the transaction
  /// that writes its end.
  func add(_ counts: [SubjectCounts], to day: Day) throws(StoreError) {
    for (kind, own) in Dictionary(grouping: counts, by: \.subject.kind) {
      let session = own.map { SummedCounts($0.subject, sessions: 1, $0.numbers) }
      var sums: [CountSubject: CountSum] = [:]
      do throws(StoreError) { try add(try dayCounts(of: day, kind), to: &sums) } catch {
        // Replace a damaged row, because nothing in it is readable.
        guard error.code == .damaged, !error.isDamagedFile else { throw error }
        sums = [:]
      }
      do throws(StoreError) { try add(session, to: &sums) } catch  where error.code == .overflow {
        // Leave out a session that does not fit.
        continue
      }
      _ = try write(sums, of: kind, on: day, limit: Self.sizeLimit)
    }
  }

  /// Writes the counts of a kind.
  /// - Returns: false, without writing, if they exceed the limit.
  func write(
    _ sums: [CountSubject: CountSum], of kind: String, on day: Day, limit: Int
  ) throws(StoreError) -> Bool {
    let json = JSONValue.array(
      Self.sorted(sums).map { sum in
        .array(
          [.string(sum.subject.key), .integer(sum.sessions)] + sum.numbers.map { .integer($0) })
      })
    let text = Array(json.exactText.utf8)
    guard text.count <= limit else { return false }
    try database.run(
      "INSERT OR REPLACE INTO day_only (day, kind, bytes, counts) VALUES (?1, ?2, ?3, ?4)",
      [
        .text(day.text), .text(kind), .integer(Int64(text.count)),
        .blob(try Deflate.deflate(text, as: .text)),
      ], keeping: true)
    return true
  }

  /// Returns the counts of a kind on a day; empty if there are none.
  func dayCounts(of day: Day, _ kind: String) throws(StoreError) -> [SummedCounts] {
    try database.first(
      "SELECT day, kind, bytes, counts FROM day_only WHERE day = ?1 AND kind = ?2",
      [.text(day.text), .text(kind)], keeping: true
    ) { row throws(StoreError) in try readDayCounts(row) } ?? []
  }

  /// Reads the columns `day`, `kind`, `bytes` and `counts`.
  /// - Throws: `.damaged` if they are not valid for the kind.
  func readDayCounts(_ row: borrowing Statement) throws(StoreError) -> [SummedCounts] {
    let (day, name, size) = (try row.text(0), try row.text(1), row.integer(2))
    let damage = database.damaged("the counts of \(day), kind \(name), cannot be read")
    guard Day(day) != nil, let kind = options.kinds[name], kind.isOnlyOfDays,
      (2...Int64(Self.sumSizeLimit)).contains(size),
      let text = Deflate.inflate(row.blob(3), count: Int(size)),
      let elements = (try? JSONValue(parsing: String(decoding: text, as: UTF8.self)))?.elements
    else { throw damage }
    var counts: [SummedCounts] = []
    for element in elements {
      let parts = element.elements ?? []
      let numbers = parts.dropFirst().compactMap { $0.digits.flatMap { Int64($0) } }
      guard let key = parts.first?.string, numbers.count == parts.count - 1,
        let shape = kind.shape(of: key), numbers.count == shape.count + 1,
        let sessions = UInt64(exactly: numbers[0]), sessions > 0,
        shape.isPlausible(Array(numbers.dropFirst()), sessions)
      else { throw damage }
      counts.append(
        SummedCounts(
          CountSubject(kind: name, key: key), sessions: sessions, Array(numbers.dropFirst())))
    }
    guard kind.agree(counts) else { throw damage }
    return counts
  }

  func add(
    _ counts: [SummedCounts], to sums: inout [CountSubject: CountSum]
  ) throws(StoreError) {
    for part in counts {
      try sums[part.subject, default: CountSum()]
        .add(CountSum(sessions: part.sessions, numbers: part.numbers))
    }
  }

  static func sorted(_ sums: [CountSubject: CountSum]) -> [SummedCounts] {
    sums.sorted { CountSubject.isBefore($0.key, $1.key) }
      .map { SummedCounts($0.key, sessions: $0.value.sessions, $0.value.numbers) }
  }

  /// Deletes the counts that only days keep, of the days that match an SQL condition on `day`.
  func removeDayCounts(where days: String, _ values: [SQLValue]) throws(StoreError) {
    try database.run("DELETE FROM day_only WHERE \(days)", values)
  }
}
