internal import Glibc
internal import LinuxIO
public import TouchModel

/// Replaces a damaged store by a new one. The damaged store is neither repaired nor deleted, but
/// renamed.
///
/// The new store is completed beside the damaged one before anything is renamed. Its name contains
/// the tag (a time) that the damaged store's new name will also contain. After a power failure, the
/// next start finds either a store at the store's path, or none there and the new one beside it. In
/// the latter case, `finish` completes the replacement.
public struct Replacement: Hashable, Sendable {
  /// The suffixes of a database and of the files that SQLite may have put beside it. All of them
  /// are renamed, because SQLite would mistake a remaining WAL for that of the new database.
  private static let endings = ["", "-journal", "-wal", "-shm"]

  /// The path of the store, with symbolic links resolved.
  private let place: String
  /// The time at which the replacement began: `20260131T235959Z`, or `20260131T235959Z-2` if that
  /// name was taken.
  private let tag: String

  /// The path of the new store until it is moved to the path of the damaged one.
  public var path: String { place + ".new-" + tag }
  /// The path to which the damaged store and its files are renamed: `….damaged-20260131T235959Z`.
  /// No other file has this name.
  public var aside: String { place + ".damaged-" + tag }

  private init(place: String, tag: String) {
    self.place = place
    self.tag = tag
  }

  // MARK: Beginning

  /// Creates the new store. Changes nothing else.
  /// - Parameter last: the last used ids; nil to read them from the damaged store.
  public init(
    of path: String, after last: LastIDs? = nil, at time: WallTime
  ) throws(StoreError) {
    let place = Store.resolved(path)
    self = Self.next(place, Self.stamp(of: time))
    try during("creating a new store") { () throws(StoreError) in
      do throws(StoreError) {
        try make(unfinished)
        try Opening.createStore(at: unfinished, after: last ?? LastIDs(in: place, at: time))
        guard unsafe rename(unfinished, self.path) == 0 else { throw Store.failure(unfinished) }
        try Store.flushFolder(of: place)
      } catch {
        for ending in Self.endings { unsafe unlink(unfinished + ending) }
        unsafe unlink(self.path)
        throw error
      }
    }
  }

  /// Returns the first replacement whose names are unused.
  private static func next(_ place: String, _ stamp: String) -> Self {
    var new = Self(place: place, tag: stamp)
    var number = 1
    while new.isTaken {
      number += 1
      new = Self(place: place, tag: "\(stamp)-\(number)")
    }
    return new
  }

  private var unfinished: String { path + Self.unfinishedEnding }
  private static let unfinishedEnding = "-unfinished"

  private var isTaken: Bool {
    Self.endings.contains { Store.exists(aside + $0) } || Store.exists(path)
      || Store.exists(unfinished)
  }

  /// Creates a file with the owner and the permissions of the damaged store.
  private func make(_ path: String) throws(StoreError) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard file >= 0 else { throw Store.failure(path) }
    defer { close(file) }
    var status = stat()
    guard unsafe stat(place, &status) == 0 else { return }
    // A file that the daemon creates has this owner already, and its sandbox refuses the call.
    if geteuid() == 0 { _ = fchown(file, status.st_uid, status.st_gid) }
    _ = fchmod(file, status.st_mode & 0o777)
  }

  // MARK: Moving

  /// Whether the new store has not been moved to the path of the damaged one yet.
  public var isPending: Bool { Store.exists(path) }

  /// Whether the damaged store has any content, at its own path or already renamed.
  public var leavesAnything: Bool {
    [place, aside].contains { path in
      ["", "-journal", "-wal"].contains { Store.bytes(of: path + $0) > 0 }
    }
  }

  /// Renames the files of the damaged store, then moves the new store to its path. May be called
  /// again after it has thrown. Files that appeared at that path meanwhile get the next free name.
  /// - Precondition: no process has the damaged store open for writing, and no other process
  ///   replaces it.
  public func finish() throws(StoreError) {
    try during("moving the damaged store aside") { () throws(StoreError) in
      let isWorthIt = leavesAnything
      let next = Self.next(place, String(tag.prefix(16)))
      for ending in Self.endings where Store.exists(place + ending) {
        let isTaken = Store.exists(aside + ending)
        // A process that locks the store's path creates an empty file there. The new store replaces
        // it in one step.
        if ending.isEmpty, !isWorthIt || isTaken && Store.bytes(of: place) == 0 { continue }
        let other = isTaken ? next.aside : aside
        let isDone =
          isWorthIt
          ? unsafe rename(place + ending, other + ending) : unsafe unlink(place + ending)
        guard isDone == 0 else { throw Store.failure(place + ending) }
        // Move the database first: while it is at the store's path, its WAL must be beside it.
        try Store.flushFolder(of: place)
      }
      guard unsafe rename(path, place) == 0 else { throw Store.failure(path) }
      // If this fails, the next start repeats the step where necessary.
      try? Store.flushFolder(of: place)
    }
  }

  /// Renames the WAL of a database that was moved or deleted while a reader had it open. Otherwise
  /// SQLite would apply this WAL to whatever database is at that path, now or later.
  /// - Returns: the new path; nil if there is no WAL or it cannot be renamed.
  static func keepApart(logOf path: String, at time: WallTime) -> String? {
    let place = Store.resolved(path)
    let apart = next(place, stamp(of: time)).aside
    guard Store.bytes(of: place + "-wal") > 0,
      unsafe rename(place + "-wal", apart + "-wal") == 0
    else { return nil }
    // Also rename the index of the WAL, which the reader still has open.
    unsafe rename(place + "-shm", apart + "-shm")
    return apart + "-wal"
  }

  /// Returns the number of damaged databases beside a store that were moved aside within the last
  /// hour.
  public static func recent(of path: String, at time: WallTime) -> Int {
    let place = Store.resolved(path)
    let prefix = Folder.name(of: place) + ".damaged-"
    guard let names = try? Folder.names(Folder.of(place)) else { return 0 }
    let span =
      stamp(of: WallTime(milliseconds: time.milliseconds - 3_600_000))...stamp(of: time)
    return names.count { name in
      guard name.hasPrefix(prefix) else { return false }
      let tag = name.dropFirst(prefix.count)
      return isTag(tag) && span.contains(String(tag.prefix(16)))
    }
  }

  // MARK: After a power failure

  /// Finds a replacement that a daemon began but did not finish. Deletes incomplete new stores. If
  /// there is a store at `path`, deletes all new stores; the caller then checks the store at
  /// `path`.
  /// - Returns: nil if there is no replacement to finish.
  /// - Precondition: no other process replaces the store.
  public static func begun(for path: String) -> Replacement? {
    let place = Store.resolved(path)
    let prefix = Folder.name(of: place) + ".new-"
    guard let names = try? Folder.names(Folder.of(place)) else { return nil }
    let isThere = Store.bytes(of: place) > 0
    var begun: Replacement?
    for name in names where name.hasPrefix(prefix) {
      let rest = name.dropFirst(prefix.count)
      let tag = rest.prefix { $0 != "u" }
      guard isTag(tag.hasSuffix("-") ? tag.dropLast() : tag) else { continue }
      if !isThere, tag == rest {
        begun = Self(place: place, tag: String(tag))
      } else {
        unsafe unlink(place + ".new-" + rest)
      }
    }
    return begun
  }

  /// Whether `text` is a tag: `20260131T235959Z`, with or without a suffix such as `-2`.
  private static func isTag(_ text: Substring) -> Bool {
    let form = text.prefix(16).map { $0.isASCII && $0.isNumber ? "0" : $0 }
    let number = text.dropFirst(16)
    return String(form) == "00000000T000000Z"
      && (number.isEmpty || number.first == "-" && Int(number.dropFirst()) != nil)
  }

  private static func stamp(of time: WallTime) -> String {
    var clock = time_t(time.milliseconds / 1000)
    var parts = unsafe tm()
    unsafe gmtime_r(&clock, &parts)
    var text = [CChar](repeating: 0, count: 64)
    unsafe strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }
}
