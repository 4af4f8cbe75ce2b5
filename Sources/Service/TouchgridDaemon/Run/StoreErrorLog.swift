internal import Storage
internal import Synchronization
internal import Text
internal import TouchModel

/// Logs failures of the store, and its recovery. Until the recovery, each kind of transient failure
/// is logged once.
final class StoreErrorLog: Sendable {
  private let log: Log
  /// The codes of the transient errors that were logged since the last recovery.
  private let loggedCodes = Mutex<Set<String>>([])

  init(_ log: Log) { self.log = log }

  func note(_ error: StoreError) {
    // An error that is not transient is logged each time, up to the rate limit of the log.
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
