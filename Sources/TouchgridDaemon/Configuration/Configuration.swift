internal import ConfigurationFiles
public import TouchModel

/// What the daemon is told by its configuration file. Durations are in microseconds, sizes in bytes.
public struct Configuration: Sendable, Hashable {
  /// `[store]`: the database.
  public struct Store: Sendable, Hashable {
    /// An absolute path.
    public var path = "/var/lib/touchgrid/touchgrid.db"
    /// The time between two checkpoints of a running session, 1 s to 10 min.
    public var checkpoint: Int64 = 5 * Quantity.second
    /// How long a session is kept, 1 to 36,500 days.
    public var keepSessions: Int64 = 90 * Quantity.day
    /// Above this size old sessions go early, 1 MiB to 256 TiB.
    public var maxSize: Int64 = 256 << 20

    public init() {}
  }

  /// `[session]`: when one begins and ends.
  public struct Session: Sendable, Hashable {
    public var mode = SessionRules.Mode.automatic
    /// The time without a finger on the glass after which a session ends, 1 s to 24 h.
    public var idleTimeout: Int64 = 60 * Quantity.second
    /// The longest session, 1 min to 7 days, above `idleTimeout`.
    public var maxDuration: Int64 = 2 * Quantity.hour
    /// How late the name of a screen may come, 0 to 5 s.
    public var lateNames: Int64 = 250 * Quantity.millisecond

    public init() {}
  }

  /// `[grid]`: what is counted.
  public struct Grid: Sendable, Hashable {
    /// Points along the side of a block, a power of two, 1...256.
    public var blockSize = 16
    /// Never empty.
    public var layers = Set(Layer.allCases)

    public init() {}
  }

  /// `[devices]`: which devices are read.
  public struct Devices: Sendable, Hashable {
    /// The seat whose devices are read, by udev's `ID_SEAT`.
    public var seat = "seat0"
    /// Suspected ghosts are kept apart; otherwise they count like any touch.
    public var ghosts = true

    public init() {}
  }

  /// `[socket]`: where clients find the daemon.
  public struct Socket: Sendable, Hashable {
    /// An absolute path of at most 107 bytes.
    public var path = "/run/touchgrid/io.touchgrid"

    public init() {}
  }

  /// `[roles]`: the names of the groups that may do what, beside root; nil: no group.
  public struct Roles: Sendable, Hashable {
    /// Names screens, begins, ends and tags sessions, pauses, masks, turns displays.
    public var app: String? = "touchgrid-app"
    /// Reads status, sessions and grids.
    public var read: String? = "touchgrid-read"
    /// Watches live touches.
    public var watch: String? = "touchgrid-watch"

    public init() {}
  }

  /// `[log]`: how much is said.
  public struct Log: Sendable, Hashable {
    /// In order: each level includes those before it.
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
  /// `[[display]]`, in the order of the file; no two of one name.
  public var displays: [Display] = []
  /// `[[mask]]`, in the order of the file; each once, at most `Masks.shareLimit`.
  public var masks: [Mask] = []
  public var socket = Socket()
  public var roles = Roles()
  public var log = Log()

  public init() {}

  /// What holds without a file.
  public static let defaults = Configuration()

  /// What the sessions go by: parts of `[store]`, `[session]`, `[grid]` and `[devices]`.
  public var sessionRules: SessionRules {
    SessionRules(
      mode: session.mode, idleTimeout: session.idleTimeout, maxDuration: session.maxDuration,
      lateNames: session.lateNames, checkpoint: store.checkpoint, layers: grid.layers,
      separatesGhosts: devices.ghosts)
  }

  /// The first rule for a device, by its key or its name.
  public func rule(key: String, name: String) -> DeviceRule? {
    deviceRules.first { $0.matches(key) || $0.matches(name) }
  }

  public func display(named name: String) -> Display? { displays.first { $0.name == name } }

  /// A rectangle of the display is masked: whoever moved its points would uncover what lies under it.
  func masksRectangle(on display: String) -> Bool {
    masks.contains { $0.rectangle != nil && ($0.display ?? display) == display }
  }
}
