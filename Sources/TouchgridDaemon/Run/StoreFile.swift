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
  /// Held as long as the store is open: letting go earlier would take SQLite's own locks along.
  private let lock: Mutex<FileLock?>
  /// Nobody who asks waits for the disk.
  private let state = Mutex(State())

  private struct State {
    /// Begun, and not yet opened in its place.
    var replacement: Replacement?
    /// The name for what was moved that the log has told.
    var told: String?
    var movedAside: String?
    /// Once the store has been opened: it may be damaged by the time they are needed.
    var last: LastNumbers?
    /// Whether the file that is held was opened as a store.
    var isStore = false
  }

  /// So many damaged stores may be moved aside within an hour: a machine that damages whatever is written would
  /// fill its disk with them. Those beside the store are counted: no restart forgets them.
  private static let pace = 3

  /// - Throws: `.storeInUse` where another daemon writes to it; `.foreignStore` for root where other users could
  ///   change what the path leads to.
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

  /// The damaged store that was moved aside since the start; the last one, should there be several.
  var movedAside: String? { state.withLock { $0.movedAside } }

  /// What is read and written at each start.
  struct Start {
    /// Sessions that an earlier run had not ended.
    var closed: Store.Closed
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
  /// - Throws: `.notADatabase` or `.notOurs` for a file that never was a store. It stays as it is.
  func open(movesDamagedAside: Bool) throws(StoreError) -> sending (store: Store, start: Start) {
    try Store.refuseOthers(at: path)
    let begun = Replacement.begun(for: path)
    state.withLock { $0.replacement = begun }
    if begun == nil {
      do throws(StoreError) {
        let store = try Store(path: path, options: options)
        // Another daemon may have put a new store into the place just after the old one was locked.
        guard isInPlace else { throw .inUse(path) }
        state.withLock { $0.isStore = true }
        do throws(StoreError) {
          let start = try start(store)
          return (store, start)
        } catch {
          if error.isDamagedFile { store.leaveLog() }
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
    state.withLock { $0.last = LastNumbers(session: start.firstSession - 1, run: start.run) }
    return start
  }

  /// Puts a new store in the place of this one, which is damaged or no longer there. Where that fails it goes on
  /// from there when it is called again.
  /// - Parameter session: the highest number that was given since the store was opened; 0: none.
  /// - Precondition: nobody has it open to write.
  func replace(after session: Int64 = 0) throws(StoreError) -> Store {
    let place = try holdPlace()
    defer { withExtendedLifetime(place) {} }
    try refuseOthers()
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
        of: path, after: last.map { LastNumbers(session: max($0.session, session), run: $0.run) },
        at: now.wall)
      state.withLock { $0.replacement = replacement }
    }
    if replacement.isBeside { try move(replacement) }
    do throws(StoreError) {
      let store = try Store(path: path, options: options)
      state.withLock {
        $0.replacement = nil
        $0.isStore = true
      }
      return store
    } catch {
      // Another is begun next time.
      if error.isDamagedFile || error.isDamagedAtOpening {
        state.withLock { $0.replacement = nil }
      }
      throw error
    }
  }

  /// Whether what lies in the place is what this daemon holds.
  private var isInPlace: Bool { lock.withLock { $0?.isOf(path) ?? true } }

  /// Refuses to move what lies in the place, unless it is the store that was open, or another store.
  private func refuseOthers() throws(StoreError) {
    let isStore = state.withLock { $0.isStore }
    if isStore, lock.withLock({ $0?.isOf(path) ?? false }) { return }
    do throws(StoreError) { try Store.refuseOthers(at: path) } catch {
      guard isStore, error.code == .notADatabase || error.code == .notOurs else { throw error }
      throw .displaced(path)
    }
  }

  /// Holds the place where another file lies in it than the one that was opened, or none.
  /// - Throws: `.busy` where another daemon has begun there.
  private func holdPlace() throws(StoreError) -> FileLock? {
    if isInPlace { return nil }
    do throws(SystemError) { return try Self.lock(path) } catch {
      state.withLock { $0.replacement = nil }
      throw .inUse(path)
    }
  }

  private func move(_ replacement: Replacement) throws(StoreError) {
    // Once more: making the new store takes a while.
    try refuseOthers()
    let aside = replacement.leavesAnything ? replacement.aside : nil
    let isOurs = isInPlace
    // Before: whenever the power goes, it is in the log.
    if state.withLock({ $0.told != replacement.aside }) {
      let name = (aside ?? path).printable(limit: 1000)
      if aside == nil {
        log.error(.store, "\(name) was deleted or moved while it was in use; a new store is begun")
      } else {
        log.error(
          .store,
          (isOurs
            ? "the store was damaged and is now \(name)"
            : "the store was replaced while it was in use; what lay in its place is now \(name)")
            + "; a new one is begun. What can be read of it: touchgrid store recover \(name)")
      }
      state.withLock { $0.told = replacement.aside }
    }
    try lock.withLock { held throws(StoreError) in
      let lock: FileLock?
      do throws(SystemError) {
        // Before it is in its place: nobody comes in between.
        lock = try Self.lock(replacement.path, makes: false)
      } catch {
        // Taken: it is another daemon's by now.
        state.withLock { $0.replacement = nil }
        throw .inUse(path)
      }
      try replacement.finish()
      held = lock
    }
    if let aside { state.withLock { $0.movedAside = aside } }
  }

  /// Of two daemons on one store each would take the other's session for one that was left unfinished.
  private static func lock(_ path: String, makes: Bool = true) throws(SystemError) -> FileLock? {
    do throws(SystemError) {
      return try FileLock(path, makes: makes)
    } catch {
      // The new store is not where it was begun: another daemon has put it in its place.
      if error.code == EWOULDBLOCK || !makes && error.code == ENOENT { throw error }
      // Whatever else is wrong with the file the store itself says better.
      return nil
    }
  }
}
