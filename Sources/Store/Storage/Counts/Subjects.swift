internal import TouchModel

/// A subject in the store.
struct KnownSubject {
  var subject: CountSubject
  var kind: any CountKind
  var shape: CountShape
}

extension Lookup {
  /// - Throws: `.damaged` if the row is missing, or is not a subject of a known kind.
  mutating func subject(
    _ id: Int64, _ kinds: CountKinds, in database: borrowing Database
  ) throws(StoreError) -> KnownSubject {
    if let known = subjects[id] { return known }
    let row = try database.first("SELECT kind, key FROM subject WHERE id = ?1", [.integer(id)]) {
      row throws(StoreError) in CountSubject(kind: try row.text(0), key: try row.text(1))
    }
    guard let subject = row, let kind = kinds[subject.kind],
      let shape = kind.shape(of: subject.key)
    else { throw database.damaged("the subject number \(id) is missing or invalid") }
    let known = KnownSubject(subject: subject, kind: kind, shape: shape)
    subjects[id] = known
    return known
  }
}

extension Database {
  /// Returns the id of a subject, and inserts the subject if it is new.
  func number(of subject: CountSubject) throws(StoreError) -> Int64 {
    let values: [SQLValue] = [.text(subject.kind), .text(subject.key)]
    let sql = "SELECT id FROM subject WHERE kind = ?1 AND key = ?2"
    if let id = try first(sql, values, keeping: true, { $0.integer(0) }) { return id }
    let id = try unusedID(for: subject.kind + subject.key, in: "subject")
    try run(
      "INSERT INTO subject (kind, key, id) VALUES (?1, ?2, ?3)", values + [.integer(id)],
      keeping: true)
    return id
  }
}

/// The tables of counts. They differ only in their owner, and in the number of sessions that a day
/// has as well.
enum CountTable: String, CaseIterable {
  case session = "session_count"
  case day = "day_count"

  /// The name of the first column.
  var owner: String { self == .session ? "session" : "day" }
}
