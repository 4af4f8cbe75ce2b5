internal import Storage
internal import Synchronization
internal import Text
internal import TouchModel

/// Logs store failures: each cause once until the store can be written again, and then the
/// recovery.
final class StoreErrorLog: Sendable {
  private let log: Log
  /// The error codes logged since the last recovery.
  private let loggedCodes = Mutex<Set<String>>([])

  init(_ log: Log) { self.log = log }

  func note(_ error: StoreError) {
    // An error that will not pass by itself is logged each time.
    if error.isTransient {
      guard loggedCodes.withLock({ $0.insert(error.code.rawValue).inserted }) else { return }
      log.warning(
        .store, "\(error) New data is kept in memory and written when the store is available again."
      )
    } else {
      log.warning(.store, kind: error.code.rawValue, "\(error)")
    }
  }

  func note(_ note: StorageThread.Note) {
    switch note {
    case .recovered(let duration):
      loggedCodes.withLock { $0.removeAll() }
      log.info(.store, "the store can be written again, after \(Self.text(duration))")
    case .slow(let duration):
      log.warning(
        .store, kind: "slow", "writing to the disk took \(Self.text(duration))")
    case .leftWAL(let path):
      let path = path.printable(limit: 1000)
      log.warning(
        .store,
        "the store was moved while a reader had it open; its last commits are in \(path). To read "
          + "both, give that file the name of the moved store with -wal appended")
    }
  }

  private static func text(_ duration: Duration) -> String {
    "\(max(1, duration.components.seconds)) s"
  }
}
