/// Checks the CHECK constraints of the schema with queries.
///
/// SQLite's own check skips them on a read-only connection, because it does not parse them there
/// (`sqlite3AddCheckConstraint`).
extension Inspection {
  func rules(_ report: Report) throws(StoreError) -> String {
    let count = try database.breaches { report(.store, $0) }
    return "\(count) rules"
  }
}

extension Database {
  /// Reports every row that breaks a rule of the schema, and the rule. Scans each table once.
  /// - Returns: the number of rules.
  func breaches(_ body: (String) -> Void) throws(StoreError) -> Int {
    var count = 0
    for statement in Schema.statements {
      let rules = Rule.all(in: statement)
      guard let first = rules.first else { continue }
      count += rules.count
      // As in SQLite, a condition that is NULL counts as fulfilled.
      let broken = rules.map { "NOT (\($0.condition))" }
      try each(
        """
        SELECT CAST(\(first.owner) AS TEXT), \(broken.joined(separator: ", "))
        FROM main.\(first.table) WHERE \(broken.joined(separator: " OR "))
        """
      ) { row throws(StoreError) in
        let owner = try row.text(0)
        for (index, rule) in rules.enumerated() where row.integer(Int32(index + 1)) != 0 {
          body("\(rule.table), \(rule.owner) \(owner): violates the rule \(rule.condition)")
        }
      }
    }
    return count
  }
}
