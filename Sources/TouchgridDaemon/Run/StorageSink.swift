internal import Storage
internal import TouchModel

/// The storage thread as the capture sees it.
final class StorageSink: RecordSink {
  let firstSession: Int64
  let path: String
  private let thread: StorageThread
  private let calendar: @Sendable (WallTime) -> Day
  private let houseKeeping: StorageThread.Command

  /// Opens the store, closes what a dead daemon left open, and starts the thread.
  init(_ configuration: Configuration.Store, log: Log) throws(DaemonError) {
    path = configuration.path
    let options = StoreOptions()
    calendar = options.calendar
    houseKeeping = .keepHouse(
      keepSessions: .microseconds(configuration.keepSessions), maxSize: configuration.maxSize)
    do throws(StoreError) {
      let store = try Store(path: configuration.path, options: options)
      let closed = try store.closeUnfinished()
      if closed > 0 {
        log.warning(
          .daemon,
          "\(closed) session\(closed == 1 ? "" : "s") of an earlier run had not been ended: closed now"
        )
      }
      firstSession = try store.nextSessionID
      thread = try StorageThread(store) { error in
        log.warning(.store, kind: error.code.rawValue, "\(error)")
      }
    } catch {
      throw .store(error)
    }
    thread.submit(houseKeeping)
  }

  func store(_ record: SessionRecord) {
    thread.submit(.write(record))
    if record.end != nil { thread.submit(houseKeeping) }
  }

  func store(_ ghosts: [GhostTally], at time: WallTime) {
    thread.submit(.addGhosts(ghosts, day: calendar(time)))
  }

  /// Writes what waits.
  func finish() throws(DaemonError) {
    if let error = thread.finish() { throw .store(error) }
  }
}
