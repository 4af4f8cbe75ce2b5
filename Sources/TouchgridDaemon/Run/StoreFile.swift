internal import Glibc
internal import LinuxIO
internal import Storage
internal import Synchronization
internal import TouchModel

/// The store's file: held for this daemon alone, opened, and moved aside where it is damaged.
///
/// Safe to use from any thread; opened from one at a time.
final class StoreFile: Sendable {
  let path: String
  let options: StoreOptions
  private let log: Log
  private let state: Mutex<State>

  private struct State: ~Copyable {
    /// Held as long as the store is open: letting go earlier would take SQLite's own locks along.
    var lock: FileLock?
    /// The damaged one whose place is still to be taken.
    var unreplaced: String?
    var movedAside: String?
  }

  /// - Throws: `.storeInUse` where another daemon writes to it.
  init(_ path: String, options: StoreOptions, log: Log) throws(DaemonError) {
    self.path = path
    self.options = options
    self.log = log
    do throws(SystemError) {
      state = Mutex(State(lock: try Self.lock(path)))
    } catch {
      throw .storeInUse(path: path)
    }
  }

  /// The damaged store that was moved aside since the start; the last one, should there be several.
  var movedAside: String? { state.withLock { $0.movedAside } }

  /// What is read and written at each start.
  struct Start {
    /// Sessions that an earlier run had not ended.
    var closed: Int
    var firstSession: Int64
    var run: Int64

    fileprivate init(_ store: Store) throws(StoreError) {
      closed = try store.closeUnfinished()
      firstSession = try store.nextSessionID
      run = try store.beginRun(at: Moment.now.wall)
    }
  }

  /// Opens the store, and closes what a dead daemon left open.
  /// - Parameter movesDamagedAside: whether one that is damaged gives way to a new one.
  func open(movesDamagedAside: Bool) throws(StoreError) -> sending (store: Store, start: Start) {
    do throws(StoreError) {
      let store = try Store(path: path, options: options)
      do throws(StoreError) {
        let start = try Start(store)
        return (store, start)
      } catch {
        if error.isDamagedFile { store.leaveLog() }
        throw error
      }
    } catch {
      guard movesDamagedAside, error.isDamagedFile || error.isDamagedAtOpening else { throw error }
      log.error(.store, "\(error.path.printable(limit: 1000)): \(error.message)")
    }
    let store = try replace()
    let start = try Start(store)
    return (store, start)
  }

  /// Moves the store aside, and begins a new one; where only the first succeeded, the second is tried again by
  /// the next call.
  /// - Precondition: nobody has it open to write.
  func replace() throws(StoreError) -> Store {
    let now = Moment.now.wall
    let damaged: String
    if let unreplaced = state.withLock({ $0.unreplaced }) {
      damaged = unreplaced
      // Of the attempt that failed: to the system one lock of ours is as strange to another as anybody's.
      state.withLock { $0.lock = nil }
    } else {
      let aside = try Store.moveAside(path, at: now)
      damaged = aside
      log.error(
        .store,
        "the store was damaged and is now \(aside.printable(limit: 1000)); a new one is begun. "
          + "What can be read of it: touchgrid store recover \(aside.printable(limit: 1000))")
      state.withLock { state in
        state.unreplaced = aside
        state.movedAside = aside
      }
    }
    do throws(SystemError) {
      try state.withLock { state throws(SystemError) in state.lock = try Self.lock(path) }
    } catch {
      throw .inUse(path)
    }
    let store = try Store(path: path, options: options)
    try store.goOn(after: damaged, at: now)
    state.withLock { $0.unreplaced = nil }
    return store
  }

  /// Of two daemons on one store each would take the other's session for one that was left unfinished.
  private static func lock(_ path: String) throws(SystemError) -> FileLock? {
    do throws(SystemError) {
      return try FileLock(path)
    } catch {
      if error.code == EWOULDBLOCK { throw error }
      // Whatever else is wrong with the file the store itself says better.
      return nil
    }
  }
}
