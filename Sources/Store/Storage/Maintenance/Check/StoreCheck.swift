/// The result of one part of a store's check.
public struct CheckResult: Hashable, Sendable {
  /// The number of faults that are kept; further ones are only counted.
  static let faultLimit = 20

  public var name: String
  /// A description of the checked items, such as "1204 sessions", or a note that damage ended the
  /// reading.
  public var lookedAt: String
  /// The first 20 faults. Each names the row and its fault.
  public var faults: [String] = []
  public var faultCount = 0

  mutating func add(_ fault: String) {
    faultCount += 1
    if faults.count < Self.faultLimit { faults.append(fault) }
  }
}

extension Store {
  /// Checks everything in the store, and changes nothing. The daemon may write meanwhile: each part
  /// of the check reads one snapshot.
  ///
  /// - Parameter progress: called on this thread.
  /// - Throws: errors other than damage, such as a disk failure or lack of memory.
  public func check(
    _ progress: @escaping (MaintenanceProgress) -> Void = { _ in }
  ) throws(StoreError) -> [CheckResult] {
    let inspection = Inspection(self, progress)
    var results: [CheckResult] = []
    for part in Inspection.Part.allCases {
      var result = CheckResult(name: part.rawValue, lookedAt: "")
      do throws(StoreError) {
        result.lookedAt = try database.transaction(.read) { () throws(StoreError) in
          try inspection.inspect(part) { result.add($1) }
        }
      } catch  where error.code == .damaged || error.code == .overflow {
        // The message is SQLite's for an unreadable page, or ours for an unreadable row.
        result.add(error.message)
        if result.lookedAt.isEmpty { result.lookedAt = "incomplete: reading stopped at the damage" }
      }
      results.append(result)
    }
    return results
  }
}
