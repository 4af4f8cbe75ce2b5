internal import Glibc
internal import LinuxIO
internal import Storage
internal import Synchronization
internal import Text
internal import TouchModel

/// The file of the store: locks it, opens it, and moves it aside if it is damaged.
///
/// Safe to use from any thread, but only one thread may open the store at a time.
final class StoreFile: Sendable {
  let path: String
  let options: StoreOptions
  private let log: Log
  /// The lock on the file, held while the store is open; nil if the file could not be opened for
  /// locking. Closing its descriptor earlier would also release SQLite's own locks on the file
  /// (fcntl(2)).
  private let lock: Mutex<FileLock?>
  /// Protected by a mutex of its own, so that readers of `movedAside` never wait for the disk.
  private let state = Mutex(State())

  private struct State {
    /// A replacement in progress; nil again once the new store has been opened at `path`.
    var replacement: Replacement?
    /// The path of the moved store in the last log message about a replacement.
    var lastLoggedPath: String?
    var movedAside: String?
    /// The last ids assigned when the store was opened. They are kept for a replacement, because a
    /// damaged store cannot be read then.
    var last: LastIDs?
    /// Whether a store was opened at `path`.
    var isStore = false
  }

  /// The maximum number of damaged stores that are moved aside within an hour. Without this limit,
  /// a machine that damages every file would fill its disk with them. The count is that of the
  /// moved files beside the store, so a restart does not reset it.
  private static let pace = 3

  /// Checks and locks the file.
  /// - Throws: `.storeInUse` if another daemon writes to it; `.foreignStore` for root if other
  ///   users could change the target of the path.
  init(_ path: String, options: StoreOptions, log: Log) throws(DaemonError) {
    self.path = path
    self.options = options
    self.log = log
    if let fault = PathControl.fault(of: path, isStrict: true) {
      throw .foreignStore(path: path, reason: fault)
    }
    do throws(SystemError) {
      lock = Mutex(try Self.lock(path))
    } catch {
      throw .storeInUse(path: path)
    }
  }

  /// The path of the damaged store that was moved aside since the start; the last one if there were
  /// several.
  var movedAside: String? { state.withLock { $0.movedAside } }

  /// The results of the work on the store at each start.
  struct Start {
    /// The sessions that an earlier run left open and that were closed now.
    var closed: Store.Closed
    /// The number for the next session.
    var firstSession: Int64
    /// The number of this run.
    var run: Int64

    fileprivate init(_ store: Store) throws(StoreError) {
      closed = try store.closeUnfinished()
      firstSession = try store.nextSessionID
      run = try store.beginRun(at: Moment.now.wall)
    }
  }

  /// Opens the store, and closes the sessions that an earlier run left open. Completes a
  /// replacement that an earlier run has begun.
  /// - Parameter movesDamagedAside: whether a damaged store is replaced by a new one.
  /// - Throws: `.notADatabase` or `.notOurs` for a file that was never a store, which is left
  ///   unchanged; errors of opening the store.
  func open(movesDamagedAside: Bool) throws(StoreError) -> sending (store: Store, start: Start) {
    try Store.checkIsStore(at: path)
    let begun = Replacement.begun(for: path)
    state.withLock { $0.replacement = begun }
    if begun == nil {
      do throws(StoreError) {
        let store = try Store(path: path, options: options)
        // Another daemon may have put a new store in the place of the old one after this daemon had
        // locked the old one.
        guard isInPlace else { throw .inUse(path) }
        state.withLock { $0.isStore = true }
        do throws(StoreError) {
          let start = try start(store)
          return (store, start)
        } catch {
          if error.isDamagedFile { store.leaveWAL() }
          throw error
        }
      } catch {
        guard movesDamagedAside, error.isDamagedFile || error.isDamagedAtOpening else {
          throw error
        }
        log.error(.store, "\(error.path.printable(limit: 1000)): \(error.message)")
      }
    }
    let store = try replace()
    let start = try start(store)
    return (store, start)
  }

  private func start(_ store: Store) throws(StoreError) -> Start {
    let start = try Start(store)
    state.withLock { $0.last = LastIDs(session: start.firstSession - 1, run: start.run) }
    return start
  }

  /// Replaces this store, which is damaged or missing, by a new one. After a failure, the next call
  /// continues where this one stopped, unless the new store is damaged too or another daemon has
  /// locked a file.
  /// - Parameter session: the highest session number used since the store was opened; 0: none.
  /// - Throws: `.damagedAgain` if `pace` stores were moved aside within the last hour; `.inUse` if
  ///   another daemon has locked a file; `.displaced` if the file at `path` is not a store.
  /// - Precondition: no connection has the store open for writing.
  func replace(after session: Int64 = 0) throws(StoreError) -> Store {
    let place = try lockPath()
    defer { withExtendedLifetime(place) {} }
    try checkIsStore()
    let replacement: Replacement
    if let begun = state.withLock({ $0.replacement }) {
      replacement = begun
    } else {
      let now = Moment.now
      guard Replacement.recent(of: path, at: now.wall) < Self.pace else {
        throw .damagedAgain(path)
      }
      let last = state.withLock { $0.last }
      replacement = try Replacement(
        of: path, after: last.map { LastIDs(session: max($0.session, session), run: $0.run) },
        at: now.wall)
      state.withLock { $0.replacement = replacement }
    }
    if replacement.isPending { try move(replacement) }
    do throws(StoreError) {
      let store = try Store(path: path, options: options)
      state.withLock {
        $0.replacement = nil
        $0.isStore = true
      }
      return store
    } catch {
      // The next call begins another replacement.
      if error.isDamagedFile || error.isDamagedAtOpening {
        state.withLock { $0.replacement = nil }
      }
      throw error
    }
  }

  /// Whether the file at `path` is the file that this daemon has locked. True if it has no lock.
  private var isInPlace: Bool { lock.withLock { $0?.isOf(path) ?? true } }

  /// Throws if the file at `path` must not be moved because it is not a store, or if the path
  /// cannot be examined. The store that was open, another store (even a damaged one), an empty
  /// file, a missing file and a file that cannot be read are accepted.
  private func checkIsStore() throws(StoreError) {
    let isStore = state.withLock { $0.isStore }
    if isStore, lock.withLock({ $0?.isOf(path) ?? false }) { return }
    do throws(StoreError) { try Store.checkIsStore(at: path) } catch {
      guard isStore, error.code == .notADatabase || error.code == .notOurs else { throw error }
      throw .displaced(path)
    }
  }

  /// Locks `path` if another file, or none, is there instead of the file that was opened.
  /// - Returns: the lock; nil if the file is still in its place.
  /// - Throws: `.inUse` if another daemon has locked it.
  private func lockPath() throws(StoreError) -> FileLock? {
    if isInPlace { return nil }
    do throws(SystemError) { return try Self.lock(path) } catch {
      state.withLock { $0.replacement = nil }
      throw .inUse(path)
    }
  }

  private func move(_ replacement: Replacement) throws(StoreError) {
    // Check again, because the file may have been replaced while the new store was created.
    try checkIsStore()
    let aside = replacement.leavesAnything ? replacement.aside : nil
    let isOurs = isInPlace
    // Logged before the move, so that the path is in the log even if the power fails.
    if state.withLock({ $0.lastLoggedPath != replacement.aside }) {
      let name = (aside ?? path).printable(limit: 1000)
      if aside == nil {
        log.error(.store, "\(name) was deleted or moved while it was in use; creating a new store")
      } else {
        log.error(
          .store,
          (isOurs
            ? "the store is damaged; moving it to \(name)"
            : "the store was replaced while it was in use; moving the file in its place to \(name)")
            + " and creating a new store. To recover its data, run: sudo touchgrid store recover "
            + "\(name)"
        )
      }
      state.withLock { $0.lastLoggedPath = replacement.aside }
    }
    try lock.withLock { held throws(StoreError) in
      let lock: FileLock?
      do throws(SystemError) {
        // Lock the new store before it is moved into place, so that no other daemon can lock it
        // first.
        lock = try Self.lock(replacement.path, makes: false)
      } catch {
        // Another daemon has locked it.
        state.withLock { $0.replacement = nil }
        throw .inUse(path)
      }
      try replacement.finish()
      held = lock
    }
    if let aside { state.withLock { $0.movedAside = aside } }
  }

  /// Locks a store file. Without the lock, two daemons on one store would each close the other's
  /// session as unfinished.
  /// - Parameter makes: whether to create the file if it is missing.
  /// - Returns: nil if the file cannot be opened for another reason than those below.
  /// - Throws: `EWOULDBLOCK` if another daemon holds the lock; `ENOENT` if the file is missing and
  ///   `makes` is false.
  private static func lock(_ path: String, makes: Bool = true) throws(SystemError) -> FileLock? {
    do throws(SystemError) {
      return try FileLock(path, makes: makes)
    } catch {
      // `makes` is false for the new store of a replacement. If that file is missing, another
      // daemon has already moved it to the path of the old store.
      if error.code == EWOULDBLOCK || !makes && error.code == ENOENT { throw error }
      // Any other error occurs again when the store is opened, which reports it in more detail.
      return nil
    }
  }
}
