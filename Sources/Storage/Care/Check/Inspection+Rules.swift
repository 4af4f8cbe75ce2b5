/// The CHECKs of the schema, each asked as a question.
///
/// SQLite's own check does without them on a connection that only reads: it does not even parse them there
/// (`sqlite3AddCheckConstraint`).
extension Inspection {
  func rules(_ report: Report) throws(StoreError) -> String {
    let count = try database.breaches { report(Fault(owner: .store, text: $0)) }
    return "\(count) rules"
  }
}

extension Database {
  /// Tells of every row that breaks a rule of the schema, and which; goes through each table once.
  /// - Returns: how many rules there are.
  func breaches(_ body: (String) -> Void) throws(StoreError) -> Int {
    var count = 0
    for statement in Schema.statements(of: try integer("PRAGMA user_version")) {
      let rules = Rule.all(in: statement)
      guard let first = rules.first else { continue }
      count += rules.count
      // What is NULL breaks nothing, as with SQLite.
      let broken = rules.map { "NOT (\($0.condition))" }
      try each(
        """
        SELECT CAST(\(first.owner) AS TEXT), \(broken.joined(separator: ", "))
        FROM main.\(first.table) WHERE \(broken.joined(separator: " OR "))
        """
      ) { row throws(StoreError) in
        let owner = try row.text(0)
        for (index, rule) in rules.enumerated() where row.integer(Int32(index + 1)) != 0 {
          body("\(rule.table), \(rule.owner) \(owner): not \(rule.condition)")
        }
      }
    }
    return count
  }
}
