internal import ConfigurationFiles
public import TouchModel

/// The daemon's settings. Durations are in µs, `maxSize` is in bytes.
public struct Configuration: Sendable, Hashable {
  /// `[store]`: the database.
  public struct Store: Sendable, Hashable {
    /// The absolute path of the database.
    public var path = "/var/lib/touchgrid/touchgrid.db"
    /// The time between two checkpoints of a running session, 1 s to 10 min.
    public var checkpoint: Int64 = 5 * Quantity.second
    /// The time for which a session is kept, 1 to 36,500 days.
    public var keepSessions: Int64 = 90 * Quantity.day
    /// The size above which the oldest sessions are deleted early, 1 MiB to 256 TiB.
    public var maxSize: Int64 = 256 << 20

    public init() {}
  }

  /// `[session]`: the beginning and end of sessions.
  public struct Session: Sendable, Hashable {
    public var mode = SessionRules.Mode.automatic
    /// The time without touches after which a session ends, 1 s to 24 h.
    public var idleTimeout: Int64 = 60 * Quantity.second
    /// The maximum duration of a session, 1 min to 7 days; longer than `idleTimeout`.
    public var maxDuration: Int64 = 2 * Quantity.hour
    /// The maximum delay between a change of screen and the call that names it, 0 to 5 s.
    public var lateNames: Int64 = 250 * Quantity.millisecond

    public init() {}
  }

  /// `[grid]`: the counts of touches.
  public struct Grid: Sendable, Hashable {
    /// The side of a block in points, a power of two, 1...256.
    public var blockSize = 16
    /// The layers that are counted. Never empty.
    public var layers = Set(Layer.allCases)

    public init() {}
  }

  /// `[devices]`: the devices to read.
  public struct Devices: Sendable, Hashable {
    /// The seat of the devices that are read, by udev's `ID_SEAT`.
    public var seat = "seat0"
    /// Whether suspected ghosts are kept out of the grids. Otherwise they count like any touch.
    public var ghosts = true
    /// Whether contacts of a hand that holds the device count like any touch. Otherwise they count as
    /// palms.
    public var edgeGrips = true
    /// Whether each touchscreen's own counts are kept; nil: if `[grid]` is as exact.
    public var health: Bool?

    public init() {}
  }

  /// `[socket]`: the socket for clients.
  public struct Socket: Sendable, Hashable {
    /// The absolute path of the socket, at most 107 bytes.
    public var path = "/run/touchgrid/io.touchgrid"

    public init() {}
  }

  /// `[roles]`: the group that has each role; nil: no group. Root and the user that the daemon runs
  /// as have all roles.
  public struct Roles: Sendable, Hashable {
    /// May name screens, begin, end and tag sessions, pause, mask, and change displays.
    public var app: String? = "touchgrid-app"
    /// May read status, sessions and grids.
    public var read: String? = "touchgrid-read"
    /// May watch live touches.
    public var watch: String? = "touchgrid-watch"
    /// May learn whether the touchscreens are used, but not where.
    public var signal: String? = "touchgrid-signal"
    /// May learn whether somebody touches, and pause.
    public var operate: String? = "touchgrid-operate"

    public init() {}
  }

  /// `[log]`: the messages to log.
  public struct Log: Sendable, Hashable {
    /// The levels from the least to the most verbose. Each includes the messages of those before
    /// it.
    public enum Level: String, Sendable, CaseIterable {
      case error, warning, info, debug
    }

    public var level = Level.info

    public init() {}
  }

  public var store = Store()
  public var session = Session()
  public var grid = Grid()
  public var devices = Devices()
  /// `[[device]]`, in the order of the file.
  public var deviceRules: [DeviceRule] = []
  /// `[[display]]`, in the order of the file. Names are unique.
  public var displays: [Display] = []
  /// `[[mask]]`, in the order of the file, without duplicates; at most `Masks.shareLimit`.
  public var masks: [Mask] = []
  /// `[[cover]]`, in the order of the file, without duplicates; at most `Cover.limit`.
  public var covers: [Cover] = []
  /// `[[control]]`: one list for each screen and display, in the order of the file.
  public var controls: [ScreenControls] = []
  /// `[[funnel]]`, in the order of the file. Names are unique.
  public var funnels: [Funnel] = []
  public var socket = Socket()
  public var roles = Roles()
  public var log = Log()
  /// Whether the owner of the machine has decided about recording, by a configuration file. If not,
  /// every touch is masked.
  public var isSetUp = true

  public init() {}

  /// The configuration that applies without a file: the default values, with every touch masked.
  public static let notSetUp: Configuration = {
    var configuration = Configuration()
    configuration.isSetUp = false
    return configuration
  }()

  /// The rules for recording sessions, from `[store]`, `[session]`, `[grid]` and `[devices]`.
  public var sessionRules: SessionRules {
    SessionRules(
      mode: session.mode, idleTimeout: session.idleTimeout, maxDuration: session.maxDuration,
      lateNames: session.lateNames, checkpoint: store.checkpoint, layers: grid.layers,
      separatesGhosts: devices.ghosts, countsPanels: countsPanels,
      countsGrips: devices.edgeGrips)
  }

  /// Whether each touchscreen's own counts are kept. They reveal the positions of touches about as
  /// exactly as taps and trails in blocks of 16 points do.
  var countsPanels: Bool {
    devices.health
      ?? (grid.layers.isSuperset(of: [.taps, .trail]) && grid.blockSize <= Grid().blockSize)
  }

  /// Returns the first rule that matches the device's key or name; nil if none does.
  public func rule(key: String, name: String) -> DeviceRule? {
    deviceRules.first { $0.matches(key) || $0.matches(name) }
  }

  public func display(named name: String) -> Display? { displays.first { $0.name == name } }

  /// Whether the configuration masks a rectangle of the display. Clients must not change the
  /// geometry of such a display, because that could uncover the masked area.
  func masksRectangle(on display: String) -> Bool {
    masks.contains { $0.rectangle != nil && ($0.display ?? display) == display }
  }
}
