internal import TouchModel

/// The tables of the store. `docs/store-format.md` explains every column.
///
/// SQLite keeps these texts, and opening a store compares them, ignoring white space. If you change
/// one, change `version`.
enum Schema {
  /// "TGRD" in ASCII. It identifies the database as a store, for example to `file`.
  static let applicationID: Int64 = 0x5447_5244
  static let version: Int64 = 5

  /// The statements that create the tables and indexes.
  static let statements = [
    geometry, placement, session, sessionBegan, sessionPending, screenView, grid, day, dailyView,
    daily, ghost, run, mask, month, monthly, subject, sessionCount, dayCount, dayCountSubject,
    dayKind, dayOnly, clock, checkpoint, start,
  ]

  /// Returns a statement without white space. Two statements that differ only in white space create
  /// the same table.
  static func bare(_ statement: String) -> String {
    String(decoding: statement.utf8.filter { $0 > UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// The columns of a session's or a day's totals.
  private static func totals(isNull: Bool) -> String {
    SessionTotals.fields.map(\.column)
      .map { "\($0) INTEGER\(isNull ? "" : " NOT NULL") CHECK (\($0) >= 0)" }
      .joined(separator: ",\n      ")
  }

  // The sums of a period's grids.
  private static let sums = """
    sum_bytes INTEGER NOT NULL CHECK (sum_bytes IN (1, 2, 4, 8)),
      sum BLOB NOT NULL,
      square_bytes INTEGER NOT NULL CHECK (square_bytes IN (1, 2, 4, 8, 16)),
      square BLOB NOT NULL,
      touched_bytes INTEGER NOT NULL CHECK (touched_bytes IN (1, 2, 4, 8)),
      touched BLOB NOT NULL
    """

  // AUTOINCREMENT: a number is never reused.
  private static let run = """
    CREATE TABLE run (
      id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
      began INTEGER NOT NULL
    ) STRICT
    """

  private static let geometry = """
    CREATE TABLE geometry (
      id INTEGER PRIMARY KEY,
      pixel_width INTEGER NOT NULL,
      pixel_height INTEGER NOT NULL,
      scale REAL NOT NULL,
      rotation INTEGER NOT NULL CHECK (rotation IN (0, 90, 180, 270)),
      block_size INTEGER NOT NULL,
      columns INTEGER NOT NULL CHECK (columns > 0),
      rows INTEGER NOT NULL CHECK (rows > 0),
      UNIQUE (pixel_width, pixel_height, scale, rotation, block_size)
    ) STRICT
    """

  private static let placement = """
    CREATE TABLE placement (
      id INTEGER PRIMARY KEY,
      list TEXT NOT NULL UNIQUE
    ) STRICT
    """

  private static let mask = """
    CREATE TABLE mask (
      id INTEGER PRIMARY KEY,
      list TEXT NOT NULL UNIQUE
    ) STRICT
    """

  // AUTOINCREMENT: the id of a deleted session is never reused.
  private static let session = """
    CREATE TABLE session (
      id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
      day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      began INTEGER NOT NULL,
      last_active INTEGER NOT NULL,
      ended INTEGER,
      end_reason TEXT
        CHECK (end_reason IN ('idle', 'max_duration', 'client', 'stopped', 'recovered')),
      tags TEXT NOT NULL,
      \(totals(isNull: false)),
      rolled_up INTEGER NOT NULL DEFAULT 0 CHECK (rolled_up IN (0, 1)),
      subjects INTEGER NOT NULL DEFAULT 0 CHECK (subjects >= 0),
      CONSTRAINT end_has_a_reason CHECK ((ended IS NULL) = (end_reason IS NULL)),
      CONSTRAINT rolled_up_when_over CHECK (rolled_up = 0 OR ended IS NOT NULL),
      CONSTRAINT books_balance
        CHECK (begun = counted + masked + palms + ghosts + swallowed + still_down)
    ) STRICT
    """

  private static let sessionBegan = "CREATE INDEX session_began ON session (began)"

  private static let sessionPending =
    "CREATE INDEX session_pending ON session (day) WHERE rolled_up = 0"

  private static let screenView = """
    CREATE TABLE screen_view (
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      display TEXT NOT NULL,
      screen TEXT NOT NULL,
      geometry INTEGER NOT NULL REFERENCES geometry,
      placement INTEGER NOT NULL REFERENCES placement,
      shown_ms INTEGER NOT NULL CHECK (shown_ms >= 0),
      touches INTEGER NOT NULL CHECK (touches >= 0),
      mask INTEGER REFERENCES mask,
      PRIMARY KEY (session, display, screen, geometry)
    ) STRICT, WITHOUT ROWID
    """

  // With a rowid, SQLite keeps cells of up to 4 KB in the row instead of on a page of their own.
  private static let grid = """
    CREATE TABLE grid (
      session INTEGER NOT NULL,
      display TEXT NOT NULL,
      screen TEXT NOT NULL,
      geometry INTEGER NOT NULL,
      layer TEXT NOT NULL CHECK (layer IN ('taps', 'trail', 'dwell')),
      bytes_per_cell INTEGER NOT NULL CHECK (bytes_per_cell IN (1, 2, 4, 8)),
      cells BLOB NOT NULL,
      PRIMARY KEY (session, display, screen, geometry, layer),
      FOREIGN KEY (session, display, screen, geometry) REFERENCES screen_view ON DELETE CASCADE
    ) STRICT
    """

  // Either all totals of a day are NULL, or none are.
  private static let day = """
    CREATE TABLE day (
      day TEXT PRIMARY KEY NOT NULL,
      sessions INTEGER NOT NULL CHECK (sessions > 0),
      first_began INTEGER NOT NULL,
      last_began INTEGER NOT NULL CHECK (last_began >= first_began),
      \(totals(isNull: true)),
      hours TEXT CONSTRAINT books_balance
        CHECK (begun = counted + masked + palms + ghosts + swallowed + still_down)
        CONSTRAINT books_are_whole
          CHECK (\(DayTotals.names.map { "(\($0) IS NULL)" }.joined(separator: " + "))
            IN (0, \(DayTotals.names.count)))
    ) STRICT, WITHOUT ROWID
    """

  private static let dailyView = """
    CREATE TABLE daily_view (
      day TEXT NOT NULL REFERENCES day,
      display TEXT NOT NULL,
      screen TEXT NOT NULL,
      geometry INTEGER NOT NULL REFERENCES geometry,
      placement INTEGER NOT NULL REFERENCES placement,
      sessions INTEGER NOT NULL CHECK (sessions > 0),
      shown_ms INTEGER NOT NULL CHECK (shown_ms >= 0),
      touches INTEGER NOT NULL CHECK (touches >= 0),
      mask INTEGER REFERENCES mask,
      PRIMARY KEY (day, display, screen, geometry)
    ) STRICT, WITHOUT ROWID
    """

  private static let daily = """
    CREATE TABLE daily (
      day TEXT NOT NULL,
      display TEXT NOT NULL,
      screen TEXT NOT NULL,
      geometry INTEGER NOT NULL,
      layer TEXT NOT NULL CHECK (layer IN ('taps', 'trail', 'dwell')),
      \(sums),
      PRIMARY KEY (day, display, screen, geometry, layer),
      FOREIGN KEY (day, display, screen, geometry) REFERENCES daily_view
    ) STRICT
    """

  private static let month = """
    CREATE TABLE month (
      month TEXT PRIMARY KEY NOT NULL CHECK (month GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),
      days INTEGER NOT NULL CHECK (days > 0)
    ) STRICT, WITHOUT ROWID
    """

  private static let monthly = """
    CREATE TABLE monthly (
      month TEXT NOT NULL REFERENCES month,
      display TEXT NOT NULL,
      screen TEXT NOT NULL,
      geometry INTEGER NOT NULL REFERENCES geometry,
      layer TEXT NOT NULL CHECK (layer IN ('taps', 'trail', 'dwell')),
      \(sums),
      PRIMARY KEY (month, display, screen, geometry, layer)
    ) STRICT
    """

  private static let subject = """
    CREATE TABLE subject (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      UNIQUE (kind, key)
    ) STRICT
    """

  private static let sessionCount = """
    CREATE TABLE session_count (
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      subject INTEGER NOT NULL REFERENCES subject,
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      counts BLOB NOT NULL,
      PRIMARY KEY (session, subject)
    ) STRICT, WITHOUT ROWID
    """

  private static let dayCount = """
    CREATE TABLE day_count (
      day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      subject INTEGER NOT NULL REFERENCES subject,
      sessions INTEGER NOT NULL CHECK (sessions > 0),
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      counts BLOB NOT NULL,
      PRIMARY KEY (day, subject)
    ) STRICT, WITHOUT ROWID
    """

  /// The search for unused subjects reads only this index, not the counts.
  private static let dayCountSubject = "CREATE INDEX day_count_subject ON day_count (subject)"

  private static let dayOnly = """
    CREATE TABLE day_only (
      day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      kind TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      counts BLOB NOT NULL,
      PRIMARY KEY (day, kind)
    ) STRICT, WITHOUT ROWID
    """

  private static let dayKind = """
    CREATE TABLE day_kind (
      day TEXT NOT NULL,
      kind TEXT NOT NULL,
      subjects INTEGER NOT NULL CHECK (subjects > 0),
      PRIMARY KEY (day, kind)
    ) STRICT, WITHOUT ROWID
    """

  private static let ghost = """
    CREATE TABLE ghost (
      day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      device TEXT NOT NULL,
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      period_ms INTEGER NOT NULL,
      touches INTEGER NOT NULL CHECK (touches >= 0),
      PRIMARY KEY (day, device, x, y, period_ms)
    ) STRICT, WITHOUT ROWID
    """

  private static let clock = """
    CREATE TABLE clock (
      id INTEGER PRIMARY KEY,
      run INTEGER,
      uptime_ms INTEGER NOT NULL DEFAULT 0,
      time INTEGER NOT NULL,
      session INTEGER NOT NULL
    ) STRICT
    """

  private static let checkpoint = """
    CREATE TABLE checkpoint (
      number INTEGER PRIMARY KEY,
      session INTEGER NOT NULL,
      changes BLOB NOT NULL
    ) STRICT
    """

  private static let start = """
    CREATE TABLE start (
      run INTEGER PRIMARY KEY,
      began INTEGER NOT NULL,
      first_session INTEGER NOT NULL
    ) STRICT
    """
}
