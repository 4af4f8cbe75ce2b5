@testable import Storage
@testable import TouchModel

/// Fuzzes `touchgrid store recover` with a damaged store, which SQLite may not even open, and its
/// WAL. The recovered store must have no fault, and must accept new sessions.
///
/// The first byte chooses the damage: see `ScratchStore.damage`.
func fuzzStoreRecovery(_ bytes: [UInt8]) {
  var source = ByteSource(bytes)
  let (scratch, new) = (ScratchStore(), ScratchStore("recovered.db"))
  _ = scratch.damage(&source)
  new.remove()
  if let report = report(of: scratch, into: new) {
    do throws(StoreError) {
      let store = try Store(path: new.path, options: sampleOptions)
      for result in try store.check() {
        must(result.faultCount == 0, "\(result.name): \(result.faults)")
      }
      let sessions = try store.sessions(in: .always)
      must(sessions.count == report.sessions, "\(sessions.count) of \(report.sessions) sessions")
      let id = try store.nextSessionID
      try store.write(sampleSession(id, began: 1_717_200_000_000))
      must(try store.session(id) != nil, "session \(id) was written")
    } catch {
      fatalError("what was recovered: \(error)")
    }
  }
  scratch.remove()
  new.remove()
}

/// Recovers a damaged store into another.
/// - Returns: The report, or nil if the file is not a store or has another version. Every other
///   error ends the process.
private func report(of damaged: ScratchStore, into new: ScratchStore) -> RecoveryReport? {
  do throws(StoreError) {
    return try Recovery.run(damaged.path, into: new.path, options: sampleOptions)
  } catch {
    must(error.code == .notOurs || error.code == .otherVersion, "recovering: \(error)")
    return nil
  }
}
