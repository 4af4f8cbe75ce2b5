/// What one check of a store has looked at and found.
public struct CheckResult: Hashable, Sendable {
  /// Past this only their number is told.
  static let faultLimit = 20

  public var name: String
  /// What was looked at, such as "1204 sessions".
  public var lookedAt: String
  /// What is wrong: the row, and how. The first 20.
  public var faults: [String] = []
  public var faultCount = 0

  mutating func add(_ fault: String) {
    faultCount += 1
    if faults.count < Self.faultLimit { faults.append(fault) }
  }
}

extension Store {
  /// Looks at everything in the store. Changes nothing, and the daemon may write meanwhile: each check sees one
  /// unchanging picture.
  ///
  /// - Parameter progress: called on this thread.
  /// - Throws: what is no damage: the disk fails, memory is short.
  public func check(
    _ progress: @escaping (CareProgress) -> Void = { _ in }
  ) throws(StoreError) -> [CheckResult] {
    let inspection = Inspection(self, progress)
    var results: [CheckResult] = []
    for part in Inspection.Part.allCases {
      var result = CheckResult(name: part.rawValue, lookedAt: "")
      do throws(StoreError) {
        result.lookedAt = try database.transaction(.read) { () throws(StoreError) in
          try inspection.look(at: part) { result.add($0.text) }
        }
      } catch  where error.code == .damaged || error.code == .overflow {
        // SQLite's own word for a page that cannot be read, or a row that nothing can be made of.
        result.add(error.message)
        if result.lookedAt.isEmpty { result.lookedAt = "not to its end" }
      }
      results.append(result)
    }
    return results
  }
}
