internal import CSQLite
internal import Glibc
internal import TouchModel

/// What went wrong with the store, where, and while doing what.
public struct StoreError: Error, Hashable, Sendable {
  public enum Code: String, Sendable, CaseIterable {
    /// The file or its folder is not there, or may not be opened.
    case cannotOpen
    /// The file is not an SQLite database, and nothing in it is of a store.
    case notADatabase
    /// Another program's database, or no regular file.
    case notOurs
    /// Another file was put in the place of the store that is open, and is none.
    case displaced
    /// A store of a newer version.
    case newer
    case readOnly
    /// Another process holds the database.
    case busy
    /// No room on the disk.
    case full
    /// The disk failed.
    case io
    /// What is stored contradicts itself; the message names the row.
    case damaged
    /// A value that the store takes from nobody: books that do not balance, a session id used twice.
    case refused
    /// A question cuts through a day of which only the sums are left.
    case onlyWholeDays
    /// A question about tags reaches back to sessions that were dropped, and their tags with them.
    case tagsGone
    /// A sum does not fit its counter. Nothing was changed.
    case overflow
    case outOfMemory
    /// So much waits for the disk that ended sessions were given up.
    case backlog
    /// No thread could be started.
    case thread
    /// Nobody waits for the answer any more.
    case interrupted
    case unexpected
  }

  public var code: Code
  /// SQLite's extended result code; 0 where SQLite had no part in it.
  public var sqliteCode: Int32
  /// What SQLite or the store says.
  public var message: String
  public var path: String
  /// What was being done, such as "writing session 7"; empty where `path` says it all.
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

  /// Another daemon holds the store.
  public static func inUse(_ path: String) -> StoreError {
    StoreError(.busy, message: "another touchgridd writes to it", path: path)
  }

  /// New stores turn out damaged as fast as they are begun.
  public static func damagedAgain(_ path: String) -> StoreError {
    StoreError(
      .io, message: "it was found damaged again and again within an hour, and is given time",
      path: path)
  }

  /// Another file, which is no store, lies in the place of the one that is open.
  public static func displaced(_ path: String) -> StoreError {
    StoreError(
      .displaced, message: "another file was put in the store's place, and it is not a store",
      path: path)
  }

  /// What a command that fails by it ends with (sysexits.h): `EX_DATAERR` where another try would find the same file.
  public var exitStatus: Int32 {
    switch code {
    case .notADatabase, .notOurs, .newer: EX_DATAERR
    default: EXIT_FAILURE
    }
  }

  /// Whether the same call may succeed later without the values being changed.
  public var mayPass: Bool {
    switch code {
    case .refused, .overflow, .onlyWholeDays, .tagsGone, .notADatabase, .notOurs, .newer, .damaged,
      .backlog:
      false
    case .cannotOpen, .displaced, .readOnly, .busy, .full, .io, .outOfMemory, .thread, .interrupted,
      .unexpected:
      true
    }
  }

  /// Programs that ask the daemon know this error by it: on the socket it is a text.
  public static let onlyWholeDaysAdvice =
    "Ask for a span that takes the whole of these days or nothing of them."

  /// What the user can do about it.
  public var advice: String {
    switch code {
    // What SQLite was not asked about lies in the path.
    case .cannotOpen where sqliteCode == 0: "Name a file that this user may open."
    case .cannotOpen:
      "Check that the folder exists and that this user may read it and write in it."
    case .notADatabase, .notOurs: "Nothing was changed. Name another file, or move this one away."
    case .displaced: "Nothing was changed. Move that file away."
    case .newer: "Nothing was changed. Install the Touchgrid that wrote it, or a later one."
    case .readOnly: "Give this user write permission for the file and its folder."
    case .busy: "Stop the other program that holds the database, or try again."
    case .full: "Make room on the disk."
    case .backlog: "Make room on the disk; what waits is written then."
    case .io: "Look for disk errors in the kernel's log (journalctl -k)."
    case .damaged:
      "'touchgrid store check\(path.isEmpty ? "" : " --store \(shownPath)")' says what else is damaged."
    case .refused: "Please report this: the program handed over values that contradict themselves."
    case .onlyWholeDays: Self.onlyWholeDaysAdvice
    case .tagsGone: "Ask for a span that begins then or later, or leave the tags out."
    case .overflow: "Nothing was lost: the sessions are kept and can be asked for one by one."
    case .outOfMemory, .thread: "Free memory, or raise the limits of this process."
    case .interrupted: "Ask again."
    case .unexpected: "Please report this."
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// For a terminal or a log: paths, and what is in a damaged file, may hold anything.
  public var description: String { "\(fact). \(advice)" }

  fileprivate var shownPath: String { path.printable(limit: 4096) }

  /// What went wrong, without the advice and the full stop.
  public var fact: String {
    let place = [shownPath, activity.printable(limit: 5000)].filter { !$0.isEmpty }
      .joined(separator: ": ")
    let number = sqliteCode == 0 ? "" : " (SQLite \(sqliteCode))"
    return "\(place.isEmpty ? "store" : place): \(message.printable(limit: 5000))\(number)"
  }
}

extension StoreError {
  /// From SQLite's extended result code.
  init(sqliteCode: Int32, message: String, path: String) {
    let code: Code =
      switch sqliteCode & 0xff {
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
      case SQLITE_READONLY: .readOnly
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_FULL: .full
      case SQLITE_IOERR, SQLITE_NOLFS, SQLITE_PROTOCOL: .io
      // Files that never were stores are not opened.
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE: .refused
      case SQLITE_NOMEM: .outOfMemory
      case SQLITE_INTERRUPT: .interrupted
      default: .unexpected
      }
    self.init(code, sqliteCode: sqliteCode, message: message, path: path)
  }
}

/// Adds to an error what was being done; the innermost activity wins, for it is the closest.
func doing<Result: ~Copyable>(
  _ activity: @autoclosure () -> String, _ body: () throws(StoreError) -> Result
) throws(StoreError) -> Result {
  do throws(StoreError) {
    return try body()
  } catch {
    var told = error
    if told.activity.isEmpty { told.activity = activity() }
    throw told
  }
}
