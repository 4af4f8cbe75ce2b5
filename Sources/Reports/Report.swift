public import GridFormats
public import TouchModel

/// What a report is made of. Texts are as people read them, times in the time zone of whoever asked.
public struct Report: Sendable {
  public struct Time: Hashable, Sendable {
    public var at: WallTime
    /// Such as `2026-11-21 14:03`.
    public var text: String

    public init(at: WallTime, text: String) {
      self.at = at
      self.text = text
    }
  }

  /// Which sessions a map shows: a part of the span, or one session.
  public struct Choice: Hashable, Sendable {
    public enum Kind: String, Sendable { case span, month, day, session }
    /// Unique in the report; the first choice is the whole of it.
    public var id: String
    public var kind: Kind
    /// Such as `last 30 days`, `2026-11`, `session 12`.
    public var name: String
    /// nil: without end on that side. Of a session: when it began and was last touched.
    public var since: Time?
    public var until: Time?

    public init(id: String, kind: Kind, name: String, since: Time? = nil, until: Time? = nil) {
      self.id = id
      self.kind = kind
      self.name = name
      self.since = since
      self.until = until
    }
  }

  /// A session that can be looked at by itself.
  public struct Session: Hashable, Sendable {
    /// The choice that shows it.
    public var choice: String
    public var id: Int64
    public var began: Time
    public var durationMilliseconds: UInt64
    /// How it ended, in words.
    public var ending: String
    public var tags: [String: String]
    public var totals: SessionTotals

    public init(
      choice: String, id: Int64, began: Time, durationMilliseconds: UInt64, ending: String,
      tags: [String: String], totals: SessionTotals
    ) {
      self.choice = choice
      self.id = id
      self.began = began
      self.durationMilliseconds = durationMilliseconds
      self.ending = ending
      self.tags = tags
      self.totals = totals
    }
  }

  /// A day of the kiosk's calendar on which sessions began.
  public struct Day: Hashable, Sendable {
    /// `YYYY-MM-DD`.
    public var day: String
    public var sessions: UInt64
    /// nil where they are no longer known.
    public var totals: SessionTotals?
    /// How many sessions began in each hour, 24 numbers; nil where no longer known.
    public var hours: [UInt64]?

    public init(day: String, sessions: UInt64, totals: SessionTotals?, hours: [UInt64]?) {
      self.day = day
      self.sessions = sessions
      self.totals = totals
      self.hours = hours
    }
  }

  /// A touchscreen, as far as it is known.
  public struct Device: Hashable, Sendable {
    public var key: String
    /// nil where only the store tells.
    public var name: String?
    /// The displays that it lay on, and from where that was known.
    public var displays: [String]
    /// What became of its touches since the daemon started; nil where only the store tells.
    public var tally: Tally?

    public struct Tally: Hashable, Sendable {
      public var touches: UInt64
      public var drops: UInt64
      public var suspectedGhosts: UInt64
      public var echoes: UInt64
      public var unrecorded: UInt64

      public init(
        touches: UInt64, drops: UInt64, suspectedGhosts: UInt64, echoes: UInt64,
        unrecorded: UInt64
      ) {
        self.touches = touches
        self.drops = drops
        self.suspectedGhosts = suspectedGhosts
        self.echoes = echoes
        self.unrecorded = unrecorded
      }
    }

    public init(key: String, name: String?, displays: [String], tally: Tally?) {
      self.key = key
      self.name = name
      self.displays = displays
      self.tally = tally
    }
  }

  /// One screen on one display geometry.
  public struct Screen: Sendable {
    public var key: GridKey
    /// By the id of the choice; where it was not shown, there is none.
    public var maps: [String: Map]
    public var picture: Screenshot?
    /// Why there is no screenshot, where one was to be expected.
    public var remark: String?

    public init(
      key: GridKey, maps: [String: Map] = [:], picture: Screenshot? = nil, remark: String? = nil
    ) {
      self.key = key
      self.maps = maps
      self.picture = picture
      self.remark = remark
    }
  }

  /// The layers of one screen over the sessions of one choice.
  public struct Map: Sendable {
    /// Sessions that showed the screen.
    public var sessions: UInt64
    /// Days on which these began.
    public var days: UInt64
    public var shownMilliseconds: UInt64
    /// Counted on it.
    public var touches: UInt64
    public var masks: [Rectangle]
    public var layers: [Layer: SparseGrid]

    /// What all layers of a screen have in common, and no layer yet.
    public init(_ grid: SummedGrid) {
      sessions = grid.sessions
      days = grid.days
      shownMilliseconds = grid.shownMilliseconds
      touches = grid.touches
      masks = grid.masks
      layers = [:]
    }
  }

  public var title: String
  public var made: Time
  /// Such as `0.1.0`.
  public var version: String
  /// What was asked for, in words.
  public var span: String
  public var tags: [String: String]
  /// The end of the last session, or the last touch that the daemon knows of.
  public var lastTouch: Time?
  public var days: [Day]
  public var choices: [Choice]
  /// The newest first.
  public var sessions: [Session]
  public var screens: [Screen]
  public var devices: [Device]
  /// Suspected ghosts that came while no session ran; nil where nobody was asked.
  public var ghostsOutsideSessions: UInt64?

  public init(
    title: String, made: Time, version: String, span: String, tags: [String: String] = [:],
    lastTouch: Time? = nil, days: [Day] = [], choices: [Choice] = [], sessions: [Session] = [],
    screens: [Screen] = [], devices: [Device] = [], ghostsOutsideSessions: UInt64? = nil
  ) {
    self.title = title
    self.made = made
    self.version = version
    self.span = span
    self.tags = tags
    self.lastTouch = lastTouch
    self.days = days
    self.choices = choices
    self.sessions = sessions
    self.screens = screens
    self.devices = devices
    self.ghostsOutsideSessions = ghostsOutsideSessions
  }

  /// Adds a grid to the map of its screen.
  /// - Parameter choice: the id of the sessions that it was added up over.
  public mutating func add(_ grid: SummedGrid, choice: String) {
    let index =
      screens.firstIndex { $0.key == grid.key }
      ?? {
        screens.append(Screen(key: grid.key))
        return screens.count - 1
      }()
    var map = screens[index].maps[choice] ?? Map(grid)
    map.layers[grid.layer] = SparseGrid(grid)
    screens[index].maps[choice] = map
  }
}
