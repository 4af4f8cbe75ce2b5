internal import CSQLite
internal import Glibc
internal import Text
internal import TouchModel

/// An error of the store, with the failed operation, the file and the activity.
public struct StoreError: Error, Hashable, Sendable {
  public enum Code: String, Sendable, CaseIterable {
    /// The file or its folder does not exist or may not be opened.
    case cannotOpen
    /// The file is not an SQLite database and contains no row of a store.
    case notADatabase
    /// The file is another program's database, or is not a regular file.
    case notOurs
    /// A file that is not a store has replaced the file of the open store.
    case displaced
    /// The store has another version than this program reads.
    case otherVersion
    case readOnly
    /// Another process has locked the database.
    case busy
    /// The disk has too little free space.
    case full
    /// Reading or writing the disk failed.
    case io
    /// The stored data is inconsistent; the message names the row.
    case damaged
    /// The store refuses a value, such as totals that do not add up or a session id that is used
    /// twice.
    case refused
    /// A query covers only a part of a day, and sessions of that day were deleted. The store then
    /// has only the sums of the whole day.
    case onlyWholeDays
    /// A query by tags covers sessions that were deleted together with their tags.
    case tagsGone
    /// A query by hours covers sessions that were deleted, or recorded in another time zone.
    case hoursUnknown
    /// A sum does not fit its counter. Nothing was changed.
    case overflow
    case outOfMemory
    /// Ended sessions were discarded because too much data waited for the disk.
    case backlog
    /// The system could not start a thread.
    case thread
    /// The query was cancelled because no client waits for its answer.
    case interrupted
    case unexpected
  }

  public var code: Code
  /// SQLite's extended result code; 0 if the error does not come from SQLite.
  public var sqliteCode: Int32
  /// The message of SQLite or of the store.
  public var message: String
  public var path: String
  /// The activity of the store, such as "writing session 7"; empty if `path` is sufficient.
  public var activity: String

  init(
    _ code: Code, sqliteCode: Int32 = 0, message: String, path: String = "", activity: String = ""
  ) {
    self.code = code
    self.sqliteCode = sqliteCode
    self.message = message
    self.path = path
    self.activity = activity
  }

  /// Returns the error for a store that another daemon has locked.
  public static func inUse(_ path: String) -> StoreError {
    StoreError(
      .busy, message: "another touchgridd or touchgrid command uses this store", path: path)
  }

  /// Returns the error for a store that was damaged several times within an hour. The daemon then
  /// waits before it creates another one.
  public static func damagedAgain(_ path: String) -> StoreError {
    StoreError(
      .io,
      message: "the store was damaged several times within an hour; no new one is created for now",
      path: path)
  }

  static func otherVersion(_ version: Int64, _ path: String) -> StoreError {
    StoreError(
      .otherVersion,
      message:
        "the store has version \(version), and this program reads only version \(Schema.version)",
      path: path)
  }

  /// Returns the error for an open store that was replaced by a file that is not a store.
  public static func displaced(_ path: String) -> StoreError {
    StoreError(
      .displaced, message: "the store was replaced by a file that is not a store",
      path: path)
  }

  /// The exit status (sysexits.h) of a command that fails with this error: `EX_DATAERR` if the file
  /// is not a store that this version can open, otherwise `EXIT_FAILURE`.
  public var exitStatus: Int32 {
    switch code {
    case .notADatabase, .notOurs, .otherVersion: EX_DATAERR
    default: EXIT_FAILURE
    }
  }

  /// Whether the same call may succeed later with the same values.
  public var isTransient: Bool {
    switch code {
    case .refused, .overflow, .onlyWholeDays, .tagsGone, .hoursUnknown, .notADatabase, .notOurs,
      .otherVersion, .damaged, .backlog:
      false
    case .cannotOpen, .displaced, .readOnly, .busy, .full, .io, .outOfMemory, .thread, .interrupted,
      .unexpected:
      true
    }
  }

  /// The advice for the user about the error.
  public var advice: String {
    switch code {
    // This is not an error code of SQLite: the store itself found that it cannot use the file at
    // this path (missing, forbidden, not a file, or on a file system without WAL).
    case .cannotOpen where sqliteCode == 0: "Name a file that this user may open, on a local disk."
    case .cannotOpen:
      "Check that the folder exists and that this user may read it and write in it."
    case .notADatabase, .notOurs: "Nothing was changed. Name another file, or move this one away."
    case .displaced: "Nothing was changed. Move that file away."
    case .otherVersion:
      "Nothing was changed. Install the Touchgrid that wrote it, or move this file away."
    case .readOnly:
      "Give this user write permission for the file and its folder, on a disk that is not "
        + "read-only."
    case .busy: "Stop the other program that holds the database, or try again."
    case .full: "Free disk space."
    case .backlog:
      "Free disk space, or look for disk errors (sudo journalctl -k); what still waits is then "
        + "written."
    case .io: "Look for disk errors in the kernel's log (sudo journalctl -k)."
    case .damaged:
      "Run 'sudo touchgrid store check\(path.isEmpty ? "" : " --store \(shownPath)")' to find "
        + "further damage."
    case .refused: "Please report this as a bug: the program passed inconsistent values."
    case .onlyWholeDays: "Choose a span that includes each of these days completely or not at all."
    case .tagsGone: "Choose a span that begins after the deleted sessions, or omit the tags."
    case .hoursUnknown: "Choose a span that begins after these sessions, or omit the hours."
    case .overflow: "No data was lost: query the sessions one by one."
    case .outOfMemory, .thread: "Free memory, or raise the limits of this process."
    case .interrupted: "Try again."
    case .unexpected: "Please report this as a bug."
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// The error and its advice, escaped for a terminal or a log: paths and damaged files may contain
  /// any characters.
  public var description: String { "\(fact). \(advice)" }

  fileprivate var shownPath: String { path.printable(limit: 4096) }

  /// The failure as text, without the advice and the full stop.
  public var fact: String {
    let place = [shownPath, activity.printable(limit: 5000)].filter { !$0.isEmpty }
      .joined(separator: ": ")
    let number = sqliteCode == 0 ? "" : " (SQLite \(sqliteCode))"
    return "\(place.isEmpty ? "store" : place): \(message.printable(limit: 5000))\(number)"
  }
}

extension StoreError {
  /// Creates an error from SQLite's extended result code.
  init(sqliteCode: Int32, message: String, path: String) {
    let code: Code =
      switch sqliteCode & 0xff {
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
      case SQLITE_READONLY: .readOnly
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_FULL: .full
      case SQLITE_IOERR, SQLITE_NOLFS, SQLITE_PROTOCOL: .io
      // `Recognition` refuses files that never were stores, so SQLITE_NOTADB means a damaged store.
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE: .refused
      case SQLITE_NOMEM: .outOfMemory
      case SQLITE_INTERRUPT: .interrupted
      default: .unexpected
      }
    self.init(code, sqliteCode: sqliteCode, message: message, path: path)
  }
}

/// Runs `body`, and adds the activity to an error that has none. The innermost activity is kept
/// because it is the most specific.
func during<Result: ~Copyable>(
  _ activity: @autoclosure () -> String, _ body: () throws(StoreError) -> Result
) throws(StoreError) -> Result {
  do throws(StoreError) {
    return try body()
  } catch {
    var described = error
    if described.activity.isEmpty { described.activity = activity() }
    throw described
  }
}
