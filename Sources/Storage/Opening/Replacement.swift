internal import Glibc
internal import LinuxIO
public import TouchModel

/// A new store in the place of a damaged one, which is neither mended nor deleted: it gets another name.
///
/// The new one lies beside it, whole, before anything is moved, and its name tells which name the other gets. So
/// whenever the power goes, the next start finds a store in its place, or none and this one beside it: then
/// `finish` ends what was begun.
public struct Replacement: Hashable, Sendable {
  /// What SQLite may have put beside a database. All of it goes along: a log that was left behind would be
  /// taken for that of the new database.
  private static let endings = ["", "-journal", "-wal", "-shm"]

  /// Where the store lies; of a symbolic link the file that it leads to.
  private let place: String
  /// When it was begun: `20260131T235959Z`, or `20260131T235959Z-2` where that was taken.
  private let tag: String

  /// Where the new store lies until it is in its place.
  public var path: String { place + ".new-" + tag }
  /// Where the other goes, with what is beside it: `….damaged-20260131T235959Z`. No other file has this name.
  public var aside: String { place + ".damaged-" + tag }

  private init(place: String, tag: String) {
    self.place = place
    self.tag = tag
  }

  // MARK: Beginning

  /// Makes the new store. Nothing else changes.
  /// - Parameter last: the numbers that were given last; nil: those that the damaged store tells.
  public init(
    of path: String, after last: LastNumbers? = nil, at time: WallTime
  ) throws(StoreError) {
    let place = Store.resolved(path)
    self = Self.next(place, Self.stamp(of: time))
    try doing("beginning a new store") { () throws(StoreError) in
      do throws(StoreError) {
        try make(unfinished)
        try Opening.begin(unfinished, after: last ?? LastNumbers(in: place, at: time))
        guard unsafe rename(unfinished, self.path) == 0 else { throw Store.failure(unfinished) }
        try Store.flushFolder(of: place)
      } catch {
        for ending in Self.endings { unsafe unlink(unfinished + ending) }
        unsafe unlink(self.path)
        throw error
      }
    }
  }

  /// The first whose names are free.
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

  /// For those who might read and write the other.
  private func make(_ path: String) throws(StoreError) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard file >= 0 else { throw Store.failure(path) }
    defer { close(file) }
    var status = stat()
    guard unsafe stat(place, &status) == 0 else { return }
    // The daemon's own is so already, and its sandbox refuses the call.
    if geteuid() == 0 { _ = fchown(file, status.st_uid, status.st_gid) }
    _ = fchmod(file, status.st_mode & 0o777)
  }

  // MARK: Moving

  /// Whether the new store is not in its place yet.
  public var isBeside: Bool { Store.exists(path) }

  /// Whether there is anything of the other to be moved, or it was.
  public var leavesAnything: Bool {
    [place, aside].contains { path in
      ["", "-journal", "-wal"].contains { Store.bytes(of: path + $0) > 0 }
    }
  }

  /// Gives the files of the other store their names, and then the new one its own. May be called again where
  /// it has thrown; what came into the place meanwhile gets the next name.
  /// - Precondition: nobody has the other open to write, and nobody else is at it.
  public func finish() throws(StoreError) {
    try doing("moving the damaged store aside") { () throws(StoreError) in
      let isWorthIt = leavesAnything
      let next = Self.next(place, String(tag.prefix(16)))
      for ending in Self.endings where Store.exists(place + ending) {
        let isTaken = Store.exists(aside + ending)
        // Who locks the place makes an empty file there; the new one takes its place at one moment.
        if ending.isEmpty, !isWorthIt || isTaken && Store.bytes(of: place) == 0 { continue }
        let other = isTaken ? next.aside : aside
        let isDone =
          isWorthIt
          ? unsafe rename(place + ending, other + ending) : unsafe unlink(place + ending)
        guard isDone == 0 else { throw Store.failure(place + ending) }
        // The database first: as long as it is in its place, its log is beside it.
        try Store.flushFolder(of: place)
      }
      guard unsafe rename(path, place) == 0 else { throw Store.failure(path) }
      // Should this fail, the next start does it again.
      try? Store.flushFolder(of: place)
    }
  }

  /// Gives the log of a database that was moved or deleted while somebody read it a name of its own: neither what
  /// lies in the place by now nor what comes there may be read with it.
  /// - Returns: the name; nil where there is no log.
  static func keepApart(logOf path: String, at time: WallTime) -> String? {
    let place = Store.resolved(path)
    let apart = next(place, stamp(of: time)).aside
    guard Store.bytes(of: place + "-wal") > 0,
      unsafe rename(place + "-wal", apart + "-wal") == 0
    else { return nil }
    // The log's index, which who reads it still holds.
    unsafe rename(place + "-shm", apart + "-shm")
    return apart + "-wal"
  }

  /// How many damaged databases lie beside a store that were moved aside in the last hour.
  public static func recent(of path: String, at time: WallTime) -> Int {
    let place = Store.resolved(path)
    let prefix = place.split(separator: "/").last.map { $0 + ".damaged-" } ?? ""
    guard let names = try? Folder.names(Folder.of(place)) else { return 0 }
    let span =
      stamp(of: WallTime(milliseconds: time.milliseconds - 3_600_000))...stamp(of: time)
    return names.count { name in
      guard name.hasPrefix(prefix) else { return false }
      let tag = name.dropFirst(prefix.count)
      return isTag(tag) && span.contains(String(tag.prefix(16)))
    }
  }

  // MARK: After a cut

  /// What a daemon that died had begun, where the place is empty by now. Where there is a store, that is judged
  /// anew, and what was begun is removed.
  /// - Precondition: nobody else is at it.
  public static func begun(for path: String) -> Replacement? {
    let place = Store.resolved(path)
    let slash = place.utf8.lastIndex(of: UInt8(ascii: "/"))
    let prefix =
      String(place[(slash.map(place.utf8.index(after:)) ?? place.startIndex)...]) + ".new-"
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

  /// `20260131T235959Z`, and perhaps `-2`.
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
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
