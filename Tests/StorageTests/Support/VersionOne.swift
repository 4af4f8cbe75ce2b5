import CSQLite

@testable import Storage

/// Makes stores as version 1 of the program did.
enum VersionOne {
  /// The original statements of version 1.
  static let statements = [
    """
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
    """,
    """
    CREATE TABLE placement (
      id INTEGER PRIMARY KEY,
      list TEXT NOT NULL UNIQUE
    ) STRICT
    """,
    """
    CREATE TABLE session (
      id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
      day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      began INTEGER NOT NULL,
      last_active INTEGER NOT NULL,
      ended INTEGER,
      end_reason TEXT
        CHECK (end_reason IN ('idle', 'max_duration', 'client', 'stopped', 'recovered')),
      tags TEXT NOT NULL,
      begun INTEGER NOT NULL CHECK (begun >= 0),
      counted INTEGER NOT NULL CHECK (counted >= 0),
      masked INTEGER NOT NULL CHECK (masked >= 0),
      palms INTEGER NOT NULL CHECK (palms >= 0),
      ghosts INTEGER NOT NULL CHECK (ghosts >= 0),
      still_down INTEGER NOT NULL CHECK (still_down >= 0),
      preexisting INTEGER NOT NULL CHECK (preexisting >= 0),
      cancelled INTEGER NOT NULL CHECK (cancelled >= 0),
      clamped INTEGER NOT NULL CHECK (clamped >= 0),
      drops INTEGER NOT NULL CHECK (drops >= 0),
      rolled_up INTEGER NOT NULL DEFAULT 0 CHECK (rolled_up IN (0, 1)),
      CONSTRAINT end_has_a_reason CHECK ((ended IS NULL) = (end_reason IS NULL)),
      CONSTRAINT rolled_up_when_over CHECK (rolled_up = 0 OR ended IS NOT NULL),
      CONSTRAINT books_balance
        CHECK (begun = counted + masked + palms + ghosts + still_down)
    ) STRICT
    """,
    """
    CREATE INDEX session_began ON session (began)
    """,
    """
    CREATE INDEX session_pending ON session (day) WHERE rolled_up = 0
    """,
    """
    CREATE TABLE screen_view (
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      display TEXT NOT NULL,
      screen TEXT NOT NULL,
      geometry INTEGER NOT NULL REFERENCES geometry,
      placement INTEGER NOT NULL REFERENCES placement,
      shown_ms INTEGER NOT NULL CHECK (shown_ms >= 0),
      touches INTEGER NOT NULL CHECK (touches >= 0),
      PRIMARY KEY (session, display, screen, geometry)
    ) STRICT, WITHOUT ROWID
    """,
    """
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
    """,
    """
    CREATE TABLE day (
      day TEXT PRIMARY KEY NOT NULL,
      sessions INTEGER NOT NULL CHECK (sessions > 0),
      first_began INTEGER NOT NULL,
      last_began INTEGER NOT NULL CHECK (last_began >= first_began)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE daily_view (
      day TEXT NOT NULL REFERENCES day,
      display TEXT NOT NULL,
      screen TEXT NOT NULL,
      geometry INTEGER NOT NULL REFERENCES geometry,
      placement INTEGER NOT NULL REFERENCES placement,
      sessions INTEGER NOT NULL CHECK (sessions > 0),
      shown_ms INTEGER NOT NULL CHECK (shown_ms >= 0),
      touches INTEGER NOT NULL CHECK (touches >= 0),
      PRIMARY KEY (day, display, screen, geometry)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE daily (
      day TEXT NOT NULL,
      display TEXT NOT NULL,
      screen TEXT NOT NULL,
      geometry INTEGER NOT NULL,
      layer TEXT NOT NULL CHECK (layer IN ('taps', 'trail', 'dwell')),
      sum_bytes INTEGER NOT NULL CHECK (sum_bytes IN (1, 2, 4, 8)),
      sum BLOB NOT NULL,
      square_bytes INTEGER NOT NULL CHECK (square_bytes IN (1, 2, 4, 8, 16)),
      square BLOB NOT NULL,
      touched_bytes INTEGER NOT NULL CHECK (touched_bytes IN (1, 2, 4, 8)),
      touched BLOB NOT NULL,
      PRIMARY KEY (day, display, screen, geometry, layer),
      FOREIGN KEY (day, display, screen, geometry) REFERENCES daily_view
    ) STRICT
    """,
    """
    CREATE TABLE ghost (
      day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      device TEXT NOT NULL,
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      period_ms INTEGER NOT NULL,
      touches INTEGER NOT NULL CHECK (touches >= 0),
      PRIMARY KEY (day, device, x, y, period_ms)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE run (
      id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
      began INTEGER NOT NULL
    ) STRICT
    """,
  ]

  /// Makes a version 1 store with the contents of a store of the current version, as far as version
  /// 1 can hold them.
  static func make(_ path: String, of newer: String) throws(StoreError) {
    let database = try Database(
      path: path, name: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
    for statement in statements { try database.execute(statement) }
    try database.execute("PRAGMA application_id = 1413960260; PRAGMA user_version = 1")
    try database.run("ATTACH ?1 AS newer", [.text(newer)])
    for table in ["geometry", "placement", "session", "grid", "daily", "ghost", "run"] {
      try database.execute("INSERT INTO \(table) SELECT * FROM newer.\(table)")
    }
    for (table, columns) in [
      (
        "screen_view", "session, display, screen, geometry, placement, shown_ms, touches"
      ),
      (
        "daily_view", "day, display, screen, geometry, placement, sessions, shown_ms, touches"
      ),
      ("day", "day, sessions, first_began, last_began"),
    ] {
      try database.execute("INSERT INTO \(table) SELECT \(columns) FROM newer.\(table)")
    }
    try database.execute("DETACH newer; PRAGMA journal_mode = WAL")
  }
}
